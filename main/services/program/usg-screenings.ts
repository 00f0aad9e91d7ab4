import { randomUUID } from "node:crypto";
import type { DesktopParsedRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import { defaultAccountName, ensureAccount } from "../../store/people/accounts.ts";
import { transaction } from "../../store/engines/engine.ts";
import { getPatient, markPatientSeen } from "../../store/films/patients.ts";
import { identityOf } from "../../store/privacy/patient-record.ts";
import { insertUsgPrediction, listUsgPredictions, valuesOf } from "../../store/calls/usg-predictions.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { keptOf, type PatientScreening, type UsgScreening } from "../calls/screen-usg.ts";

/**
 * Not metered: only API calls are charged.
 *
 * @throws AppError MODELS_NOT_LOADED, MISSING_FEATURES, INVALID_VALUE, OUT_OF_RANGE, NOT_FOUND
 */
export async function screenInWindow(
  context: DesktopContext,
  screening: UsgScreening,
  request: DesktopParsedRequest<"usg.screen">,
): Promise<DesktopResponse<"usg.screen">> {
  const { db, programVersion } = context;
  const patient = request.patientId === null ? null : await getPatient(db, request.patientId);
  const at = context.now();
  const callId = randomUUID();
  const screened = screening.predict(
    { ...request.features, uuid: patient && (patient.uuid ?? patient.id), clinic_code: request.clinicCode },
    request.statedUnits,
  );
  const { uuid, clinicCode, pack } = screened;
  await transaction(db, async () => {
    // Throws if the patient was erased in the meantime.
    if (patient) await getPatient(db, patient.id);
    const accountId = (await ensureAccount(db, { name: defaultAccountName, at })).id;
    await insertUsgPrediction(db, {
      callId,
      accountId,
      keyId: null,
      patientId: patient?.id ?? null,
      uuid,
      clinicCode,
      at,
      screening: screened,
      ...keptOf(pack),
      programVersion,
      billing: "not_metered",
    });
    if (patient) await markPatientSeen(db, patient.id, at.getTime());
  });
  context.raise({ name: "screenings.changed", payload: {} });
  return {
    id: callId,
    at: at.toISOString(),
    patientId: patient?.id ?? null,
    uuid,
    clinicCode,
    ...answerOf(screened),
  };
}

/** Records nothing. @throws AppError as `screenInWindow` */
export function predictInWindow(
  screening: UsgScreening,
  { features }: DesktopParsedRequest<"usg.whatIf">,
): DesktopResponse<"usg.whatIf"> {
  return answerOf(screening.predict(features));
}

function answerOf({ result, values, pack }: PatientScreening): DesktopResponse<"usg.whatIf"> {
  return { result, thresholdImpaired: pack.model.thresholdImpaired, release: pack.release, values };
}

/** Newest first, including API screenings under the cat's identifiers. @throws AppError NOT_FOUND */
export async function listScreenings(
  context: DesktopContext,
  query: DesktopParsedRequest<"usg.history">,
): Promise<DesktopResponse<"usg.history">> {
  const patient = await getPatient(context.db, query.patientId);
  const newestFirst = await listUsgPredictions(context.db, await identityOf(context.db, patient.id), query);
  return {
    screenings: newestFirst.map((kept) => ({
      id: kept.callId,
      at: new Date(kept.atMs).toISOString(),
      patientId: patient.id,
      uuid: kept.uuid,
      clinicCode: kept.clinicCode,
      result: kept.result,
      thresholdImpaired: kept.thresholdImpaired,
      release: kept.release,
      values: valuesOf(kept),
    })),
  };
}

export function describeModel(screening: UsgScreening): DesktopResponse<"usg.model"> {
  const pack = screening.pack();
  if (pack === null) return { isLoaded: false, modelVersion: null, sgCutoff: null, release: null };
  const { modelVersion, sgCutoff } = pack.model;
  return { isLoaded: true, modelVersion, sgCutoff, release: pack.release };
}
