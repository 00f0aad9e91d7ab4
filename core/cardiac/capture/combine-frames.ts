import { confidenceTiers, reviewReasonsOfPhotograph, type ConfidenceTier } from "../confidence.ts";
import { roundScore, scoreHeart, withVertebrae, type HeartScore } from "../heart-score.ts";
import { heartLandmarkNames, landmarkNames, type HeartLandmarks, type Landmarks } from "../landmarks.ts";
import { valuesOf, type MeasureName } from "../measures/measures.ts";
import { distancePx, type Point } from "../points.ts";
import type { MeasuredRadiograph } from "../radiograph-measurement.ts";
import { resultCodeOf } from "../result-codes.ts";
import type { ScoreInterval, ScoreIntervals } from "../score-intervals.ts";
import { squareAxes } from "../silhouette/square-axes.ts";
import type { UnevenVertebra } from "../ruler/even/uneven-vertebrae.ts";
import { median } from "../../median.ts";
import { buildRuler, type OtherCount } from "../ruler/vertebral-ruler.ts";
import type { CaptureFrame, FilmMap } from "./agreeing-frames.ts";

export type CombinedFrames<Frame> = { readonly measurement: MeasuredRadiograph; readonly drawnOn: Frame };

/**
 * Combines photographs of one film, none in `review`, each in pixels of its own film: every landmark and vertebral edge
 * is the median of its positions on the sharpest film. Scores and ruler follow from these; the tier is that of the
 * middle frame, or `review` if the geometry of the medians is invalid. If the scores of the medians are outside the
 * range of the frames, the next sharpest film is tried, and finally the frame with the middle VHS is used.
 */
export async function combineFrames<Frame extends CaptureFrame>(
  frames: readonly Frame[],
  mapOf: FilmMap,
): Promise<CombinedFrames<Frame>> {
  const tier = middleTier(frames);
  for (const drawnOn of frames.toSorted((a, b) => b.measurement.sharpness - a.measurement.sharpness)) {
    const measurement = await medianOn(drawnOn, frames, tier, mapOf);
    if (measurement && isWithin(frames, measurement)) return { measurement, drawnOn };
  }
  const drawnOn = middleFrame(frames);
  const { measurement } = drawnOn;
  return { measurement: withTier(measurement, worse(tier, measurement.tier)), drawnOn };
}

async function medianOn(
  base: CaptureFrame,
  frames: readonly CaptureFrame[],
  tier: ConfidenceTier,
  mapOf: FilmMap,
): Promise<MeasuredRadiograph | null> {
  const onBase: FrameOnBase[] = [];
  for (const frame of frames) {
    const map = frame === base ? (point: Point) => point : await mapOf(frame, base);
    if (!map) return null;
    onBase.push({ frame: frame.measurement, map });
  }
  return medianOfFrames(base.measurement, onBase, tier);
}

/** Measurement of a frame and the map from its film to that of the result. */
type FrameOnBase = { readonly frame: MeasuredRadiograph; readonly map: (point: Point) => Point };

function medianOfFrames(
  base: MeasuredRadiograph,
  onBase: readonly FrameOnBase[],
  tier: ConfidenceTier,
): MeasuredRadiograph {
  const medianOf = (pick: (frame: MeasuredRadiograph) => Point): Point =>
    medianPoint(onBase.map(({ frame, map }) => map(pick(frame))));
  const voted = Object.fromEntries(
    heartLandmarkNames.map((name) => [name, medianOf((frame) => frame.landmarks[name])]),
  ) as HeartLandmarks;
  const heart = squareAxes(voted);
  const edges = medianPoints(onBase.map(({ frame, map }) => frame.edges.map(map)));
  const ruler = buildRuler(edges, distancePx(heart.heart_top, heart.heart_bottom));
  const score = scoreHeart(heart, ruler, median(onBase.map(({ frame }) => frame.score.axesAngleDeg)));
  const reviewReasons = reviewReasonsOfPhotograph(ruler, score);
  const votes = onBase.map(
    ({ frame, map }) =>
      Object.fromEntries(landmarkNames.map((name) => [name, map(frame.landmarks[name])])) as Landmarks,
  );
  const combined: MeasuredRadiograph = {
    ...base,
    // Outlines have no median, and that of the sharpest frame would not fit these axes.
    outline: null,
    otherCount: otherCountOf(onBase),
    uneven: unevenIn(onBase).filter(({ index }) => index < ruler.edges.length - 1),
    intervals: recentred(base.intervals, score),
    landmarks: withVertebrae(heart, ruler),
    ruler,
    edges,
    score,
    reviewReasons,
    votes,
  };
  return withTier(combined, reviewReasons.length > 0 ? "review" : tier);
}

/** Alternative count from T4 that more than half of the frames report. */
function otherCountOf(onBase: readonly FrameOnBase[]): OtherCount | null {
  for (const direction of ["cranial", "caudal"] as const) {
    const named = onBase.flatMap(({ frame: { otherCount }, map }) =>
      otherCount?.direction === direction ? [otherCount.edges.map(map)] : [],
    );
    if (2 * named.length > onBase.length) return { direction, edges: medianPoints(named) };
  }
  return null;
}

/** Vertebrae that more than half of the frames find uneven. */
function unevenIn(onBase: readonly FrameOnBase[]): readonly UnevenVertebra[] {
  const found = onBase.flatMap(({ frame: { uneven = [] }, map }) =>
    uneven.map((vertebra) => ({ ...vertebra, from: map(vertebra.from), to: map(vertebra.to) })),
  );
  const indices = [...new Set(found.map(({ index }) => index))].sort((a, b) => a - b);
  return indices.flatMap((index) => {
    const ofFrames = found.filter((vertebra) => vertebra.index === index);
    if (2 * ofFrames.length <= onBase.length) return [];
    const from = medianPoint(ofFrames.map((vertebra) => vertebra.from));
    const to = medianPoint(ofFrames.map((vertebra) => vertebra.to));
    return [{ index, from, to, share: median(ofFrames.map(({ share }) => share)) }];
  });
}

function isWithin(frames: readonly CaptureFrame[], { score }: MeasuredRadiograph): boolean {
  return (["vhs", "vlas"] as const).every((name) => {
    const values = frames
      .map(({ measurement }) => roundScore(measurement.score[name]))
      .filter((value) => value !== null);
    const value = roundScore(score[name]);
    return value !== null && value >= Math.min(...values) && value <= Math.max(...values);
  });
}

/** Median tier of the frames; the worse of the two middle ones for an even number. */
function middleTier(frames: readonly CaptureFrame[]): ConfidenceTier {
  const ranks = frames.map(({ measurement }) => confidenceTiers.indexOf(measurement.tier)).sort((a, b) => a - b);
  return confidenceTiers[ranks[ranks.length >> 1] ?? 0] ?? "review";
}

function middleFrame<Frame extends CaptureFrame>(frames: readonly Frame[]): Frame {
  const sorted = frames.toSorted((a, b) => (a.measurement.score.vhs ?? 0) - (b.measurement.score.vhs ?? 0));
  return sorted[(sorted.length - 1) >> 1] as Frame;
}

function worse(a: ConfidenceTier, b: ConfidenceTier): ConfidenceTier {
  return confidenceTiers.indexOf(a) > confidenceTiers.indexOf(b) ? a : b;
}

function withTier(measurement: MeasuredRadiograph, tier: ConfidenceTier): MeasuredRadiograph {
  const resultCode = resultCodeOf(measurement.score.vhs, measurement.score.vlas, tier);
  return { ...measurement, tier, resultCode, corners: null };
}

/** Intervals of the same width, centred on the combined scores. */
function recentred(intervals: ScoreIntervals | null, score: HeartScore): ScoreIntervals | null {
  if (!intervals) return null;
  const around = ({ name }: { readonly name: MeasureName }): ScoreInterval | null => {
    const [value, of] = [score[name] ?? null, intervals[name] ?? null];
    if (value === null || of === null) return null;
    const halfWidth = (of.high - of.low) / 2;
    return { low: value - halfWidth, high: value + halfWidth };
  };
  return { coverage: intervals.coverage, ...valuesOf(around) };
}

/** Medians of points at the same index, up to the length of the shortest list. */
function medianPoints(lists: readonly (readonly Point[])[]): readonly Point[] {
  const length = Math.min(...lists.map((points) => points.length));
  return Array.from({ length }, (_, index) => medianPoint(lists.map((points) => points[index] as Point)));
}

function medianPoint(points: readonly Point[]): Point {
  return { x: median(points.map((point) => point.x)), y: median(points.map((point) => point.y)) };
}
