import { z } from "zod";
import { comparedIdentifier } from "../../core/identifiers.ts";
import { usgResultSchema } from "../../core/contract/usg-v1.ts";
import type { FeatureValues } from "../../core/usg/features.ts";
import type { Screening } from "../../core/usg/screening.ts";
import type { ReadableDb, WritableDb } from "./connection.ts";
import { prepared } from "./prepared.ts";
import { sealValues } from "./record/value-seals.ts";

/** What became of a screening in the ledger; screenings in the program's own window are not metered. */
const screeningBillings = ["billed", "recheck_24h", "billing_error", "not_metered"] as const;
export type ScreeningBilling = (typeof screeningBillings)[number];

/** A screening to be kept. */
export type NewUsgPrediction = {
  readonly callId: string;
  readonly accountId: string;
  /** null for a call from the program's own window. */
  readonly keyId: string | null;
  readonly uuid: string | null;
  readonly clinicCode: string | null;
  readonly at: Date;
  readonly screening: Screening;
  readonly packName: string;
  readonly packVersion: string;
  readonly programVersion: string;
  readonly billing: ScreeningBilling;
};

const predictionSchema = z.object({
  callId: z.string(),
  accountId: z.string(),
  uuid: z.string().nullable(),
  clinicCode: z.string().nullable(),
  atMs: z.int(),
  billing: z.enum(screeningBillings),
  result: z
    .string()
    .transform((json): unknown => JSON.parse(json))
    .pipe(usgResultSchema),
});

/** A kept screening: who, when (UTC [ms]), and the answer as it was sent. */
export type UsgPrediction = Readonly<z.infer<typeof predictionSchema>>;

/**
 * Keeps a screening: values, unrounded probability and the answer.
 *
 * @throws SqliteError when the account is unknown, the call is kept already or the row cannot be written
 */
export function insertUsgPrediction(db: WritableDb, prediction: NewUsgPrediction): void {
  const { screening, at, ...row } = prediction;
  prepared(
    db,
    `INSERT INTO usg_predictions (call_id, account_id, key_id, uuid, uuid_nfc, clinic_code, clinic_code_nfc, at_ms, bun_mg_per_dl, creatinine_mg_per_dl,
       haemoglobin_g_per_dl, lymphocytes_per_ul, age_months, probability_impaired, risk_tier, pack_name, pack_version, model_version,
       program_version, result, billing)
     VALUES (:callId, :accountId, :keyId, :uuid, :comparedUuid, :clinicCode, :comparedClinicCode, :atMs, :bun, :creatinine, :haemoglobin, :lymphocytes, :ageMonths,
       :probabilityImpaired, :riskTier, :packName, :packVersion, :modelVersion, :programVersion, :result, :billing)`,
  ).run({
    ...row,
    comparedUuid: comparedIdentifier(row.uuid),
    comparedClinicCode: comparedIdentifier(row.clinicCode),
    ...columnsOf(screening.values),
    atMs: at.getTime(),
    probabilityImpaired: screening.probabilityImpaired,
    riskTier: screening.result.risk_tier,
    modelVersion: screening.result.model_version,
    result: JSON.stringify(screening.result),
  });
  sealValues(db, "usg_predictions", row.callId);
}

function columnsOf(values: FeatureValues) {
  return {
    bun: values.BUN,
    creatinine: values.CREATININE,
    haemoglobin: values.HGB,
    lymphocytes: values["ABSOLUTE LYMPHOCYTES"],
    ageMonths: values.age_months,
  };
}

/** Screenings of one patient, newest first, 100 unless `limit` says otherwise. */
export function listUsgPredictions(
  db: ReadableDb,
  { accountId, uuid, limit = 100 }: { readonly accountId: string; readonly uuid: string; readonly limit?: number },
): readonly UsgPrediction[] {
  const rows = db
    .prepare(
      `SELECT call_id AS callId, account_id AS accountId, uuid, clinic_code AS clinicCode, at_ms AS atMs, billing, result
     FROM usg_predictions WHERE account_id = :accountId AND uuid_nfc = :uuid ORDER BY at_ms DESC, call_id LIMIT :limit`,
    )
    .all({ accountId, uuid: comparedIdentifier(uuid), limit });
  return z.array(predictionSchema).parse(rows);
}

const outcomeSchema = z.object({
  clinicCode: z.string(),
  month: z.string(),
  total: z.int(),
  low: z.int(),
  moderate_low: z.int(),
  moderate_high: z.int(),
  high: z.int(),
  billed: z.int(),
});

/** Screenings of one clinic in one UTC month (`YYYY-MM`): all, by risk tier, and how many were charged. */
export type UsgOutcomes = Readonly<z.infer<typeof outcomeSchema>>;

/** Which screenings a report counts; what is left out does not restrict. */
export type UsgReportFilter = {
  readonly accountId?: string | undefined;
  /** UTC month, `YYYY-MM`. */
  readonly month?: string | undefined;
  readonly clinicCode?: string | undefined;
};

/** Usage and outcomes per clinic code and month, newest month first; calls without a clinic code stand under "". */
export function summariseUsgPredictions(
  db: ReadableDb,
  { accountId, month, clinicCode }: UsgReportFilter = {},
): readonly UsgOutcomes[] {
  const rows = db
    .prepare(
      `SELECT coalesce(max(clinic_code), '') AS clinicCode, strftime('%Y-%m', at_ms / 1000, 'unixepoch') AS month, count(*) AS total,
       count(*) FILTER (WHERE risk_tier = 'low') AS low, count(*) FILTER (WHERE risk_tier = 'moderate_low') AS moderate_low,
       count(*) FILTER (WHERE risk_tier = 'moderate_high') AS moderate_high, count(*) FILTER (WHERE risk_tier = 'high') AS high,
       count(*) FILTER (WHERE billing = 'billed') AS billed
     FROM usg_predictions
     WHERE (:accountId IS NULL OR account_id = :accountId) AND (:clinicCode IS NULL OR coalesce(clinic_code_nfc, '') = :clinicCode)
     GROUP BY coalesce(clinic_code_nfc, ''), month HAVING :month IS NULL OR month = :month ORDER BY month DESC, clinicCode`,
    )
    .all({ accountId: accountId ?? null, month: month ?? null, clinicCode: comparedIdentifier(clinicCode ?? null) });
  return z.array(outcomeSchema).parse(rows);
}
