import { byWindow } from "../../../core/billing/ledger-statement.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { currentActor } from "../../store/audit/acting.ts";
import { concernedAccounts } from "../../store/privacy/concerned-accounts.ts";
import { findIdentity, readPatientRecord } from "../../store/privacy/patient-record.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { FilmQueue } from "../worklist/film-queue.ts";
import { publishRemoval } from "../worklist/film-events.ts";
import { eraseEverywhere, listCopies, listOwnData } from "./erase-patient.ts";

/** Describes what an erasure deletes and keeps, and copies that may contain the patient. @throws AppError NOT_FOUND */
export async function describeHoldings(
  context: DesktopContext,
  patientId: string,
): Promise<DesktopResponse<"patients.holdings">> {
  const identity = await findIdentity(context.db, patientId);
  const record = await readPatientRecord(context.db, identity);
  const { films, readings, measurements, screenings, billing } = record;
  return {
    goes: {
      films: films.length,
      readings: readings.length,
      measurements: measurements.length,
      screenings: screenings.length,
    },
    billing: billing.length,
    accounts: [...(await concernedAccounts(context.db, record))],
    backups: [...(await listCopies(context, identity))],
    ownData: [...listOwnData(context)],
  };
}

/** @throws AppError NOT_FOUND */
export async function erasePatientInWindow(
  context: DesktopContext,
  queue: FilmQueue,
  patientId: string,
  why: string,
): Promise<DesktopResponse<"patients.erase">> {
  const { db } = context;
  const { films } = await readPatientRecord(db, await findIdentity(db, patientId));
  await queue.letGo(films.map(({ id }) => String(id)));
  const by = currentActor().who ?? byWindow;
  const { pseudonym, rows, filmIds, backups, ownData } = await eraseEverywhere(context, patientId, { why, by });
  await publishRemoval(context, [...filmIds]);
  context.raise({ name: "patients.changed", payload: {} });
  context.raise({ name: "dicom.changed", payload: {} });
  return { pseudonym, rows, backups: [...backups], ownData: [...ownData] };
}
