import { AppError } from "../app-error.ts";
import { batchScatter, sampleDeviation, tierOfScatter } from "./best-photo.ts";
import { reason, reviewReasonsOfPhotograph, type ReviewReason } from "./confidence.ts";
import { scoreHeart, withVertebrae, type HeartScore } from "./heart-score.ts";
import { heartLandmarkNames, landmarkNames, type HeartLandmarks, type Landmarks } from "./landmarks.ts";
import { distancePx, type Point } from "./points.ts";
import type { MeasuredRadiograph } from "./radiograph-measurement.ts";
import { resultCodeOf } from "./result-codes.ts";
import type { ScoreInterval, ScoreIntervals } from "./score-intervals.ts";
import { squareAxes } from "./square-axes.ts";
import { buildRuler, median } from "./ruler/vertebral-ruler.ts";

/**
 * The frame that a capture session's result is drawn on: the one with the sharpest heat maps, the earlier of equals.
 */
export function sharpestFrame<Frame extends { readonly sharpness: number }>(frames: readonly Frame[]): Frame {
  const [first, ...others] = frames;
  if (!first) throw new AppError("INTERNAL", "no frames to choose from");
  return others.reduce((best, frame) => (frame.sharpness > best.sharpness ? frame : best), first);
}

/**
 * One measurement from several photographs of the same film: every landmark and vertebral edge is the median of its
 * places, laid on the sharpest film; scores, ruler and tier follow from these. The tier is the sharpest frame's,
 * `review` where the geometry of the medians is not valid; it drops as a batch's does when the frames' VHS disagree:
 * they may be of different films.
 *
 * @param frames  good frames, n >= 1; each in pixels of its own film
 */
export function combineFrames(frames: readonly MeasuredRadiograph[]): MeasuredRadiograph {
  const base = sharpestFrame(frames);
  const places = frames.map((frame) => (point: Point) => onFilm(point, frame, base));
  const medianOf = (pick: (frame: MeasuredRadiograph) => Point): Point =>
    medianPoint(frames.map((frame, index) => places[index]?.(pick(frame)) ?? pick(frame)));
  const heart = squareAxes(
    Object.fromEntries(
      heartLandmarkNames.map((name) => [name, medianOf((frame) => frame.landmarks[name])]),
    ) as HeartLandmarks,
  );
  const edgeCount = Math.min(...frames.map((frame) => frame.edges.length));
  const edges = base.edges.slice(0, edgeCount).map((_, index) => medianOf((frame) => frame.edges[index] as Point));
  const ruler = buildRuler(edges, distancePx(heart.heart_top, heart.heart_bottom));
  const score = scoreHeart(heart, ruler, median(frames.map((frame) => frame.score.axesAngleDeg)));
  const scatter = sampleDeviation(frames.map((frame) => frame.score.vhs).filter((vhs) => vhs !== null));
  const doubts = reviewReasonsOfPhotograph(ruler, score);
  const tier = doubts.length === 0 ? tierOfScatter(base.tier, scatter, batchScatter.vhs) : "review";
  const reviewReasons = tier !== "review" || doubts.length > 0 ? doubts : scatterReasons(base, scatter);
  const votes = frames.map(
    (frame) =>
      Object.fromEntries(landmarkNames.map((name) => [name, onFilm(frame.landmarks[name], frame, base)])) as Landmarks,
  );
  return {
    ...base,
    corners: null,
    // Outlines of several films have no median; the sharpest one's would not carry these axes.
    outline: null,
    landmarks: withVertebrae(heart, ruler),
    ruler,
    edges,
    score,
    intervals: recentred(base.intervals, score),
    tier,
    reviewReasons,
    votes,
    resultCode: codeOf(score.vhs, score.vlas, tier),
  };
}

/** What the sharpest frame's own tier rests on, and how far the frames lie apart where that lowers it to `review`. */
function scatterReasons(base: MeasuredRadiograph, scatter: number | null): readonly ReviewReason[] {
  const limit = base.tier === "optimal" ? batchScatter.vhs.review : batchScatter.vhs.lower;
  return [
    ...base.reviewReasons,
    ...(scatter !== null && scatter > limit ? [reason("frame_scatter", scatter, limit)] : []),
  ];
}

function codeOf(...values: Parameters<typeof resultCodeOf>): MeasuredRadiograph["resultCode"] {
  const code = resultCodeOf(...values);
  if (code === 6 || code === 7) throw new AppError("INTERNAL", `code ${code} of a measured film`);
  return code;
}

/** Intervals as wide as those of one frame around the scores of all. */
function recentred(intervals: ScoreIntervals | null, { vhs, vlas }: HeartScore): ScoreIntervals | null {
  const around = (value: number | null, of: ScoreInterval | null) => {
    if (value === null || of === null) return null;
    const halfWidth = (of.high - of.low) / 2;
    return { low: value - halfWidth, high: value + halfWidth };
  };
  return intervals && { ...intervals, vhs: around(vhs, intervals.vhs), vlas: around(vlas, intervals.vlas) };
}

/** The same place of the film in another picture of it; pixel centres are whole numbers. */
function onFilm(point: Point, from: MeasuredRadiograph, to: MeasuredRadiograph): Point {
  return {
    x: ((point.x + 0.5) * to.widthPx) / from.widthPx - 0.5,
    y: ((point.y + 0.5) * to.heightPx) / from.heightPx - 0.5,
  };
}

function medianPoint(points: readonly Point[]): Point {
  return { x: median(points.map((point) => point.x)), y: median(points.map((point) => point.y)) };
}
