import { z } from "zod";
import { meteredServices, type MeteredService } from "../../core/billing/tariff.ts";
import { bestPhotoIndex } from "../../core/cardiac/best-photo.ts";
import { confidenceTiers, spreadLimits } from "../../core/cardiac/confidence.ts";
import { perpendicularToleranceDeg, roundScore, validVhs, validVlas } from "../../core/cardiac/heart-score.ts";
import { landmarkNames } from "../../core/cardiac/landmarks.ts";
import type { RadiographMeasurement } from "../../core/cardiac/radiograph-measurement.ts";
import { resultDescriptions, type ResultCode } from "../../core/cardiac/result-codes.ts";
import { rulerSegments, rulerSegmentShare } from "../../core/cardiac/vertebral-ruler.ts";
import type { ReadableDb, WritableDb } from "./connection.ts";

/** The program's tunable constants at the time of measuring, kept with each measurement as its parameters. */
const parameters = { spreadLimits, perpendicularToleranceDeg, validVhs, validVlas, rulerSegments, rulerSegmentShare };

const flag = z.int().transform((stored) => stored === 1);
const json = <Shape extends z.ZodType>(shape: Shape) => z.string().transform((text): unknown => JSON.parse(text)).pipe(shape);
const point = z.object({ x: z.number(), y: z.number() });
const landmarks = z.record(z.enum(landmarkNames), point);
const resultCode = z.int().refine((code): code is ResultCode => code in resultDescriptions);

/** Each field of a stored measurement: its column and its shape. One table serves writing and reading. */
const fields = {
  callId: ["call_id", z.string()],
  photoIndex: ["photo_index", z.int()],
  isBest: ["is_best", flag],
  accountId: ["account_id", z.string()],
  keyId: ["key_id", z.string().nullable()],
  service: ["service", z.enum(meteredServices)],
  uuid: ["uuid", z.string().nullable()],
  atMs: ["at_ms", z.int()],
  imageSha256: ["image_sha256", z.string()],
  packName: ["pack_name", z.string()],
  packVersion: ["pack_version", z.string()],
  modelVersion: ["model_version", z.string()],
  programVersion: ["program_version", z.string()],
  parameters: ["parameters", json(z.record(z.string(), z.unknown()))],
  widthPx: ["width_px", z.int()],
  heightPx: ["height_px", z.int()],
  classifierConfidence: ["classifier_confidence", z.number()],
  resultCode: ["result_code", resultCode],
  vhs: ["vhs", z.number().nullable()],
  vlas: ["vlas", z.number().nullable()],
  spread: ["spread", z.number().nullable()],
  tier: ["tier", z.enum(confidenceTiers).nullable()],
  popDetected: ["pop_detected", flag],
  sharpness: ["sharpness", z.number().nullable()],
  landmarks: ["landmarks", json(landmarks).nullable()],
  rulerKind: ["ruler_kind", z.enum(["detected", "fallback"]).nullable()],
  rulerEdges: ["ruler_edges", json(z.array(point)).nullable()],
  edges: ["edges", json(z.array(point)).nullable()],
  corners: ["corners", json(z.array(point)).nullable()],
  votes: ["votes", json(z.array(landmarks)).nullable()],
} as const;

type Field = keyof typeof fields;
type Shapes = { [Name in Field]: (typeof fields)[Name][1] };

const names = Object.keys(fields) as Field[];
const shapes = Object.fromEntries(names.map((name) => [name, fields[name][1]])) as Shapes;
const storedMeasurementSchema = z.object({ id: z.int(), ...shapes });
const storedMeasurementsSchema = z.array(storedMeasurementSchema);
const measurementOrNone = storedMeasurementSchema.optional();
const selected = ["id", ...names.map((name) => `${fields[name][0]} AS ${name}`)].join(", ");
const insertSql = `INSERT INTO measurements (${names.map((name) => fields[name][0]).join(", ")}) VALUES (${names.map((name) => `:${name}`).join(", ")})`;

/** A stored measurement: scores unrounded [v], points in pixels of the processed image, `atMs` UTC; null where nothing was measured. */
export type StoredMeasurement = Readonly<z.output<typeof storedMeasurementSchema>>;

/** The images of one call, measured; null for an image that could not be decoded (it keeps its place, and no row). */
export type MeasuredCall = {
  readonly callId: string;
  readonly accountId: string;
  readonly keyId: string | null;
  readonly service: MeteredService;
  readonly uuid: string | null;
  readonly at: Date;
  readonly measurements: readonly (RadiographMeasurement | null)[];
};

/**
 * Records every measured image of a call. The best photo, if any has a valid VHS, speaks for the call in the patient's history.
 *
 * @returns row id of the best photo, null when no image has a valid VHS
 */
export function recordMeasurements(db: WritableDb, call: MeasuredCall): number | null {
  const best = bestPhotoIndex(call.measurements);
  const insert = db.prepare(insertSql);
  let bestId: number | null = null;
  for (const [photoIndex, measurement] of call.measurements.entries()) {
    if (measurement === null) continue;
    const isBest = photoIndex === best;
    const { lastInsertRowid } = insert.run({ ...callColumns(call), ...measurementColumns(measurement), photoIndex, isBest: Number(isBest) });
    if (isBest) bestId = Number(lastInsertRowid);
  }
  return bestId;
}

function callColumns({ callId, accountId, keyId, service, uuid, at }: MeasuredCall) {
  return { callId, accountId, keyId, service, uuid, atMs: at.getTime(), parameters: JSON.stringify(parameters) };
}

function measurementColumns(measurement: RadiographMeasurement) {
  const { provenance, widthPx, heightPx, classifierConfidence, resultCode: code } = measurement;
  const { imageSha256, packName, packVersion, modelVersion, programVersion } = provenance;
  return { imageSha256, packName, packVersion, modelVersion, programVersion, widthPx, heightPx, classifierConfidence, resultCode: code, ...geometryColumns(measurement) };
}

function geometryColumns(measurement: RadiographMeasurement) {
  if (measurement.kind !== "measured") {
    return {
      vhs: null, vlas: null, spread: null, tier: null, popDetected: Number(measurement.kind === "unrectified"), sharpness: null,
      landmarks: null, rulerKind: null, rulerEdges: null, edges: null, corners: null, votes: null,
    };
  }
  const { score, spread, tier, popDetected, sharpness, ruler, corners } = measurement;
  return {
    vhs: score.vhs, vlas: score.vlas, spread, tier, popDetected: Number(popDetected), sharpness,
    landmarks: JSON.stringify(measurement.landmarks), rulerKind: ruler.kind, rulerEdges: JSON.stringify(ruler.edges),
    edges: JSON.stringify(measurement.edges), corners: corners && JSON.stringify(corners), votes: JSON.stringify(measurement.votes),
  };
}

/** Which measurements to list; what is left out does not restrict. */
export type MeasurementFilter = {
  readonly accountId?: string | undefined;
  readonly uuid?: string | undefined;
  readonly imageSha256?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};

/** Stored measurements, newest first, 200 unless `limit` says otherwise. */
export function listMeasurements(db: ReadableDb, filter: MeasurementFilter): readonly StoredMeasurement[] {
  const { accountId = null, uuid = null, imageSha256 = null, limit = 200, offset = 0 } = filter;
  const rows = db.prepare(
    `SELECT ${selected} FROM measurements
     WHERE (:accountId IS NULL OR account_id = :accountId) AND (:uuid IS NULL OR uuid = :uuid) AND (:imageSha256 IS NULL OR image_sha256 = :imageSha256)
     ORDER BY at_ms DESC, id DESC LIMIT :limit OFFSET :offset`,
  ).all({ accountId, uuid, imageSha256, limit, offset });
  return storedMeasurementsSchema.parse(rows);
}

/** One stored measurement by its row id, null when there is none. */
export function getMeasurement(db: ReadableDb, id: number): StoredMeasurement | null {
  return measurementOrNone.parse(db.prepare(`SELECT ${selected} FROM measurements WHERE id = ?`).get(id)) ?? null;
}

/** A patient's earlier scores as section 2.2 shows them: [ISO 8601 UTC time, value rounded to 2 decimals], oldest first. */
export type History = { readonly historicVhs: readonly [string, number][]; readonly historicVlas: readonly [string, number][] };

const historyRows = z.array(z.object({ atMs: z.int(), vhs: z.number(), vlas: z.number().nullable() }));

/**
 * History of a patient within one account: one value per earlier call, that of its best photo.
 *
 * @param before  calls at or after this moment are left out; without it every recorded call counts, so ask before recording
 */
export function getHistory(db: ReadableDb, { accountId, uuid, before }: { readonly accountId: string; readonly uuid: string; readonly before?: Date }): History {
  const rows = historyRows.parse(
    db.prepare(
      `SELECT at_ms AS atMs, vhs, vlas FROM measurements
       WHERE account_id = :accountId AND uuid = :uuid AND is_best = 1 AND (:beforeMs IS NULL OR at_ms < :beforeMs) ORDER BY at_ms, id`,
    ).all({ accountId, uuid, beforeMs: before?.getTime() ?? null }),
  );
  const dated = (value: number | null, atMs: number): [string, number][] => {
    const rounded = roundScore(value);
    return rounded === null ? [] : [[new Date(atMs).toISOString(), rounded]];
  };
  return { historicVhs: rows.flatMap((row) => dated(row.vhs, row.atMs)), historicVlas: rows.flatMap((row) => dated(row.vlas, row.atMs)) };
}
