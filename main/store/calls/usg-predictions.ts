import { sql, type ExpressionBuilder, type RawBuilder, type SqlBool } from "kysely";
import { billingPeriodOf } from "../../../core/billing/billing-period.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { packRelease, type PackRelease } from "../../../core/cardiac/verdict/provenance.ts";
import { usgResultSchema } from "../../../core/contract/usg-v1.ts";
import type { FeatureValues } from "../../../core/usg/features.ts";
import type { Screening } from "../../../core/usg/screening.ts";
import { dayMs } from "../../../core/durations.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { insertRow } from "../engines/compiled-queries.ts";
import { chargeKind, stands } from "../ledger/ledger.ts";
import { sealValues } from "../record/value-seals.ts";
import type { Tables } from "../tables.ts";

export type ScreeningBilling = Tables["usgPredictions"]["billing"];

export type NewUsgPrediction = {
  readonly callId: string;
  readonly accountId: string;
  /** null for a screening made in the window. */
  readonly keyId: string | null;
  /** Patient chosen in the window; null for an API call. */
  readonly patientId: string | null;
  readonly uuid: string | null;
  readonly clinicCode: string | null;
  readonly at: Date;
  readonly screening: Screening;
  readonly packName: string;
  readonly packVersion: string;
  readonly thresholdImpaired: number;
  readonly release: PackRelease | null;
  readonly programVersion: string;
  readonly billing: ScreeningBilling;
};

/** A stored screening: caller, time (UTC [ms]), and the response as sent. */
export type UsgPrediction = Awaited<ReturnType<typeof listUsgPredictions>>[number];

export function valuesOf(kept: UsgPrediction): FeatureValues {
  return {
    BUN: kept.bunMgPerDl,
    CREATININE: kept.creatinineMgPerDl,
    HGB: kept.haemoglobinGPerDl,
    "ABSOLUTE LYMPHOCYTES": kept.lymphocytesPerUl,
    age_months: kept.ageMonths,
  };
}

/**
 * Saves a screening with its unrounded probability. Must run inside a transaction, for the seal.
 *
 * @throws the engine's error if the account is unknown, the call is already stored or the row cannot be written
 */
export async function insertUsgPrediction(db: WritableDb, prediction: NewUsgPrediction): Promise<void> {
  const { callId, accountId, keyId, patientId, uuid, clinicCode, packName, packVersion } = prediction;
  const { programVersion, billing, thresholdImpaired, release } = prediction;
  const { values, probabilityImpaired, result } = prediction.screening;
  await insertRow(db, "usgPredictions", {
    callId,
    accountId,
    keyId,
    uuid,
    uuidNfc: comparedIdentifier(uuid),
    clinicCode,
    clinicCodeNfc: comparedIdentifier(clinicCode),
    atMs: prediction.at.getTime(),
    ...columnsOf(values),
    probabilityImpaired,
    riskTier: result.risk_tier,
    packName,
    packVersion,
    modelVersion: result.model_version,
    programVersion,
    result: JSON.stringify(result),
    billing,
    thresholdImpaired,
    release: release && JSON.stringify(release),
  });
  if (patientId !== null) await db.insertInto("screenedPatients").values({ callId, patientId }).execute();
  await sealValues(db, "usg_predictions", callId);
}

function columnsOf(values: FeatureValues) {
  return {
    bunMgPerDl: values.BUN,
    creatinineMgPerDl: values.CREATININE,
    haemoglobinGPerDl: values.HGB,
    lymphocytesPerUl: values["ABSOLUTE LYMPHOCYTES"],
    ageMonths: values.age_months,
  };
}

/** Patient of the screenings. `patientId`: null for an identifier without a patient; `uuids`: in comparison form. */
type Screened = { readonly patientId: string | null; readonly uuids: readonly string[] };

/**
 * Whether a screening was made for a patient in the window, under any name, or sent over the API under one of its
 * identifiers. An identifier without a patient also matches unassigned screenings of the window.
 *
 * @param screened  all identifiers of the patient, including the generated one; at least one
 */
export function isScreeningOf({ patientId, uuids }: Screened): RawBuilder<SqlBool> {
  const listed = sql`(${sql.join(uuids)})`;
  const isUnassigned = patientId === null ? sql`call_id NOT IN (SELECT call_id FROM screened_patients)` : sql`FALSE`;
  return sql<SqlBool>`(call_id IN (SELECT call_id FROM screened_patients WHERE patient_id IN ${listed})
    OR (uuid_nfc IN ${listed} AND (billing <> 'not_metered' OR ${isUnassigned})))`;
}

/** Newest first. @see isScreeningOf */
export async function listUsgPredictions(
  db: ReadableDb,
  screened: Screened,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const rows = await db
    .selectFrom("usgPredictions")
    .select(["callId", "accountId", "uuid", "clinicCode", "atMs", "billing", "result", "thresholdImpaired", "release"])
    .select(["bunMgPerDl", "creatinineMgPerDl", "haemoglobinGPerDl", "lymphocytesPerUl", "ageMonths"])
    .where(isScreeningOf(screened))
    .orderBy("atMs", "desc")
    .orderBy("callId")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ result, release, ...row }) => ({
    ...row,
    result: usgResultSchema.parse(JSON.parse(result)),
    release: release === null ? null : packRelease.parse(JSON.parse(release)),
  }));
}

/** Screenings of one clinic in one UTC month (`YYYY-MM`): total, by risk tier, and number of charges not reversed. */
export type UsgOutcomes = Readonly<DesktopResponse<"usg.report">["rows"][number]>;

export type UsgReportFilter = {
  readonly accountId?: string | undefined;
  /** UTC month, `YYYY-MM`. */
  readonly month?: string | undefined;
  readonly clinicCode?: string | undefined;
};

const none = { total: 0, low: 0, moderate_low: 0, moderate_high: 0, high: 0, billed: 0 };

/** Summarises per clinic code and month, newest month first; calls without a clinic code are listed under "". */
export async function summariseUsgPredictions(
  db: ReadableDb,
  filter: UsgReportFilter = {},
): Promise<readonly UsgOutcomes[]> {
  const outcomes = new Map<string, UsgOutcomes>();
  for (const { day, riskTier, calls, billed, ...row } of await countByDay(db, filter)) {
    const month = billingPeriodOf(new Date(day * dayMs));
    if (filter.month !== undefined && month !== filter.month) continue;
    const clinicCode = row.clinicCode ?? "";
    const key = `${month} ${comparedIdentifier(clinicCode)}`;
    const before = outcomes.get(key) ?? { clinicCode, month, ...none };
    outcomes.set(key, {
      ...before,
      clinicCode: clinicCode > before.clinicCode ? clinicCode : before.clinicCode,
      total: before.total + calls,
      [riskTier]: before[riskTier] + calls,
      billed: before.billed + billed,
    });
  }
  return [...outcomes.values()].sort(
    (one, other) => compare(other.month, one.month) || compare(one.clinicCode, other.clinicCode),
  );
}

/** By day, because the engines have no common function for months. A charge may have been reversed since. */
async function countByDay(db: ReadableDb, { accountId, clinicCode }: UsgReportFilter) {
  const charges = db.selectFrom("ledger as charge").select("charge.callId").where("charge.kind", "=", chargeKind);
  return await db
    .selectFrom("usgPredictions")
    .where((row) =>
      row.and([
        ...(accountId === undefined ? [] : [row("accountId", "=", accountId)]),
        ...(clinicCode === undefined ? [] : [isOfClinic(row, clinicCode)]),
      ]),
    )
    .leftJoin(charges.where(stands).as("standing"), "standing.callId", "usgPredictions.callId")
    .select(["clinicCode", "riskTier"])
    .select((row) => [
      row("atMs", "/", row.lit(dayMs)).as("day"),
      row.fn.countAll<number>().as("calls"),
      row.fn.count<number>("standing.callId").as("billed"),
    ])
    .groupBy(["clinicCode", "riskTier", "day"])
    .execute();
}

function isOfClinic(row: ExpressionBuilder<Tables, "usgPredictions">, clinicCode: string) {
  const hasCode = row("clinicCodeNfc", "=", comparedIdentifier(clinicCode));
  return clinicCode === "" ? row.or([hasCode, row("clinicCodeNfc", "is", null)]) : hasCode;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
