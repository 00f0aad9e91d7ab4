import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { currentActor } from "../../store/audit/acting.ts";
import { findIdentity, readPatientRecord } from "../../store/privacy/patient-record.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import type { FilmQueue } from "../worklist/film-queue.ts";
import { eraseForGood, listCopies } from "./erase-patient.ts";

/** What would be erased with a patient, what stays, and which copies hold it. @throws AppError NOT_FOUND */
export function describeHoldings(context: DesktopContext, patientId: string): DesktopResponse<"patients.holdings"> {
  const { films, readings, measurements, screenings, billing } = readPatientRecord(
    context.db,
    findIdentity(context.db, patientId),
  );
  return {
    goes: {
      films: films.length,
      readings: readings.length,
      measurements: measurements.length,
      screenings: screenings.length,
    },
    billing: billing.length,
    backups: [...listCopies(context)],
  };
}

/** Erases a patient while its films may be waiting or on the screen. @throws AppError NOT_FOUND */
export async function erasePatientAtDesk(
  context: DesktopContext,
  queue: FilmQueue,
  patientId: string,
  why: string,
): Promise<DesktopResponse<"patients.erase">> {
  const { db } = context;
  const { films } = readPatientRecord(db, findIdentity(db, patientId));
  queue.cancel(films.filter(({ queue_number }) => queue_number !== null).map(({ id }) => String(id)));
  const by = currentActor().who ?? "the window";
  const { pseudonym, rows, filmIds, backups } = await eraseForGood(context, patientId, { why, by });
  context.publish({ name: "film.removed", payload: { filmIds: [...filmIds] } });
  context.publish({ name: "patients.changed", payload: { patientIds: [patientId] } });
  context.publish({ name: "ledger.changed", payload: {} });
  return { pseudonym, rows, backups: [...backups] };
}
