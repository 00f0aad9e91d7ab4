import type { z } from "zod";
import { withoutValues } from "../../../../core/cardiac/heart-score.ts";
import { isBillable } from "../../../../core/cardiac/result-codes.ts";
import { scoreByHand } from "../../../../core/cardiac/ruler/ruler-by-hand.ts";
import { heartLandmarkNames, type HeartLandmarks } from "../../../../core/cardiac/landmarks.ts";
import { valuesOf, type MeasureValues } from "../../../../core/cardiac/measures/measures.ts";
import { boundToLines } from "../../../../core/cardiac/measures/read-measures.ts";
import type { RadiographMeasurement } from "../../../../core/cardiac/radiograph-measurement.ts";
import { reading, type Reading } from "../../../../core/contract/desktop/readings.ts";
import { storableValue } from "../../../../core/storable-text.ts";

/** Part of a reading stored as one JSON value. */
export const readingDetail = reading.omit({
  id: true,
  filmId: true,
  version: true,
  source: true,
  verdict: true,
  at: true,
  who: true,
  remark: true,
  resultCode: true,
  tier: true,
});

export type ReadingDetail = z.infer<typeof readingDetail>;

/** Names of packs, signers and publishers are untrusted input. */
export function storedDetail(detail: ReadingDetail): string {
  return JSON.stringify(storableValue(detail));
}

/** Network measures are null if nothing was measured. */
export function valuesOfDetail({ score }: Pick<ReadingDetail, "score">): MeasureValues {
  return valuesOf(({ name }) => score?.[name]);
}

const noGeometry = {
  corners: null,
  heart: null,
  edges: [],
  otherCount: null,
  ruler: null,
  outline: null,
  score: null,
  intervals: null,
  repeatErrors: null,
  reviewReasons: [],
  spread: null,
  sharpness: null,
  votes: [],
};

export function detailOfUnmeasured(picture: Pick<ReadingDetail, "frame" | "popDetected" | "corners">): ReadingDetail {
  return { ...noGeometry, ...picture, classifierConfidence: null, provenance: null };
}

export function detailOfMeasurement(measurement: RadiographMeasurement): ReadingDetail {
  const { widthPx, heightPx, classifierConfidence, provenance } = measurement;
  const seen = { frame: { widthPx, heightPx }, classifierConfidence, provenance };
  if (measurement.kind !== "measured") {
    const popDetected = measurement.kind === "unrectified";
    const takenFor = measurement.kind === "rejected" ? measurement.takenFor : undefined;
    return { ...seen, ...(takenFor && { takenFor }), ...noGeometry, popDetected };
  }
  const { popDetected, corners, landmarks, edges, ruler, outline, score, intervals, reviewReasons } = measurement;
  const { spread, sharpness, votes, otherCount, repeatErrors = null, uneven = [] } = measurement;
  // RLAD is proposed only with an interval.
  const rlad = intervals?.rlad ? measurement.rlad : null;
  return {
    ...seen,
    popDetected,
    repeatErrors,
    outline: outline && [...outline],
    // Without a VHS no other measure has a value (result code 5); points and axes are kept for correction.
    ...(isBillable(measurement.resultCode)
      ? { score: { ...score, ...(rlad && { rlad: rlad.value }) }, intervals }
      : { score: withoutValues(score), intervals: null }),
    spread,
    sharpness,
    corners: corners && [...corners],
    heart: { ...heartOf(landmarks), ...(rlad && { RLAD: rlad.point }) },
    edges: [...edges],
    otherCount: otherCount && { ...otherCount, edges: [...otherCount.edges] },
    ...(uneven.length > 0 && { uneven: [...uneven] }),
    ruler: { edges: [...ruler.edges], kind: ruler.kind },
    reviewReasons: [...reviewReasons],
    votes: votes.map(heartOf),
  };
}

/** Points are in pixels of the picture they were placed on. @throws AppError EDGES_COINCIDE */
export function manualReadingDetail(
  base: Pick<ReadingDetail, "frame" | "popDetected" | "corners" | "heart" | "score">,
  geometry: { heart: NonNullable<Reading["heart"]>; edges: Reading["edges"]; outline?: Reading["outline"] | undefined },
): ReadingDetail {
  const { ruler, score } = scoreByHand(geometry.heart, geometry.edges, base);
  const { frame, popDetected, corners } = base;
  return {
    ...detailOfUnmeasured({ frame, popDetected, corners }),
    score,
    heart: boundToLines(geometry.heart, null),
    edges: geometry.edges,
    ruler: { edges: [...ruler.edges], kind: ruler.kind },
    outline: geometry.outline ?? null,
  };
}

function heartOf(landmarks: HeartLandmarks): NonNullable<Reading["heart"]> {
  return Object.fromEntries(heartLandmarkNames.map((name) => [name, landmarks[name]])) as NonNullable<Reading["heart"]>;
}
