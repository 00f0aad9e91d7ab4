import type { MeteredService } from "../../../core/billing/tariff.ts";
import { summariseBatch } from "../../../core/cardiac/best-photo.ts";
import { spreadLimits } from "../../../core/cardiac/confidence.ts";
import { perpendicularToleranceDeg, roundScore } from "../../../core/cardiac/heart-score.ts";
import { vhs } from "../../../core/cardiac/measures/vhs.ts";
import { vlas } from "../../../core/cardiac/measures/vlas.ts";
import type { RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import { rulerSegments, rulerSegmentShare } from "../../../core/cardiac/ruler/vertebral-ruler.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { sealValues } from "../record/value-seals.ts";

const parameters = {
  spreadLimits,
  perpendicularToleranceDeg,
  validVhs: vhs.valid,
  validVlas: vlas.valid,
  rulerSegments,
  rulerSegmentShare,
};

/** Measured images of one call; null for an image that could not be decoded, which has an index but no row. */
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
 * Records every measured image of a call: scores unrounded [v], points in pixels of the processed image. Must run
 * inside a transaction, for the seals.
 *
 * @returns row id of the best photo, null when no image has a valid VHS
 */
export async function recordMeasurements(db: WritableDb, call: MeasuredCall): Promise<number | null> {
  const { bestIndex } = summariseBatch(call.measurements);
  let bestId: number | null = null;
  for (const [photoIndex, measurement] of call.measurements.entries()) {
    if (measurement === null) continue;
    const isBest = photoIndex === bestIndex;
    const { id } = await db
      .insertInto("measurements")
      .values({ ...callColumns(call), ...measurementColumns(measurement), photoIndex, isBest: Number(isBest) })
      .returning("id")
      .executeTakeFirstOrThrow();
    await sealValues(db, "measurements", String(id));
    if (isBest) bestId = id;
  }
  return bestId;
}

function callColumns({ callId, accountId, keyId, service, uuid, at }: MeasuredCall) {
  return {
    callId,
    accountId,
    keyId,
    service,
    uuid,
    uuidNfc: comparedIdentifier(uuid),
    atMs: at.getTime(),
  };
}

function measurementColumns(measurement: RadiographMeasurement) {
  const { provenance, widthPx, heightPx, classifierConfidence, resultCode: code } = measurement;
  const { imageSha256, packName, packVersion, modelVersion, programVersion, release } = provenance;
  return {
    imageSha256,
    packName,
    packVersion,
    modelVersion,
    programVersion,
    // Publisher responsible for the pack's clinical validation at that time; absent for a pack without one.
    parameters: JSON.stringify({ ...parameters, ...(release && { release }) }),
    widthPx,
    heightPx,
    classifierConfidence,
    resultCode: code,
    ...geometryColumns(measurement),
  };
}

/** Empty result columns, for images without a finding or whose findings must not be stored. */
export const emptyFindings = {
  vhs: null,
  vlas: null,
  spread: null,
  tier: null,
  sharpness: null,
  landmarks: null,
  rulerKind: null,
  rulerEdges: null,
  edges: null,
  corners: null,
  votes: null,
  outline: null,
  intervals: null,
} as const;

function geometryColumns(measurement: RadiographMeasurement) {
  if (measurement.kind !== "measured")
    return { ...emptyFindings, popDetected: Number(measurement.kind === "unrectified") };
  const { score, spread, tier, popDetected, sharpness, ruler, corners, outline, intervals } = measurement;
  return {
    vhs: score.vhs,
    vlas: score.vlas,
    spread,
    tier,
    popDetected: Number(popDetected),
    sharpness,
    landmarks: JSON.stringify(measurement.landmarks),
    rulerKind: ruler.kind,
    rulerEdges: JSON.stringify(ruler.edges),
    edges: JSON.stringify(measurement.edges),
    corners: corners && JSON.stringify(corners),
    votes: JSON.stringify(measurement.votes),
    outline: outline && JSON.stringify(outline),
    intervals: intervals && JSON.stringify(intervals),
  };
}

/** Earlier scores as section 2.2 shows them: [ISO 8601 UTC time, value rounded to 2 decimals], oldest first. */
export type History = {
  readonly historicVhs: readonly [string, number][];
  readonly historicVlas: readonly [string, number][];
};

/** One value per recorded call of the account, that of its best photo. Read it before recording the current call. */
export async function getHistory(
  db: ReadableDb,
  { accountId, uuid }: { readonly accountId: string; readonly uuid: string },
): Promise<History> {
  const rows = await db
    .selectFrom("measurements")
    .select(["atMs", "vhs", "vlas"])
    .where("accountId", "=", accountId)
    .where("uuidNfc", "=", comparedIdentifier(uuid))
    .where("isBest", "=", 1)
    .orderBy("atMs")
    .orderBy("id")
    .execute();
  const dated = (value: number | null, atMs: number): [string, number][] => {
    const rounded = roundScore(value);
    return rounded === null ? [] : [[new Date(atMs).toISOString(), rounded]];
  };
  return {
    historicVhs: rows.flatMap((row) => dated(row.vhs, row.atMs)),
    historicVlas: rows.flatMap((row) => dated(row.vlas, row.atMs)),
  };
}
