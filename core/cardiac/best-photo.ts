import { confidenceTiers, oneTierLower, type ConfidenceTier } from "./confidence.ts";
import { sampleDeviation } from "./disagreement.ts";
import type { HeartScore } from "./heart-score.ts";
import type { MeasuredRadiograph, RadiographMeasurement } from "./radiograph-measurement.ts";
import { median } from "../median.ts";

/** Standard deviations above which the tier of a batch is lowered by one step (`lower`) or is `review` [v]. */
const batchScatter = { vhs: { lower: 0.3, review: 0.6 }, vlas: { lower: 0.2, review: 0.4 } } as const;

/** Summary of a batch; values are null if no frame has a valid VHS. Deviations are rounded to 3 decimals. */
export type BatchSummary = {
  readonly bestIndex: number | null;
  readonly bestVhs: number | null;
  readonly bestVlas: number | null;
  readonly medianVhs: number | null;
  readonly medianVlas: number | null;
  readonly vhsStd: number | null;
  readonly vlasStd: number | null;
  readonly vhsTier: ConfidenceTier;
  readonly vlasTier: ConfidenceTier;
};

export type BatchFrame = Pick<MeasuredRadiograph, "tier" | "popDetected" | "spread" | "sharpness"> & {
  readonly score: Pick<HeartScore, "vhs" | "vlas" | "areAxesPerpendicular">;
};

/** Whether landmarks were found on a frame and give a valid VHS. */
export function hasLandmarks(frame: RadiographMeasurement | null): frame is MeasuredRadiograph {
  return frame?.kind === "measured" && frame.score.vhs !== null;
}

/** @param frames  one entry per image in the order sent; null for an image that could not be decoded */
export function summariseBatch(frames: readonly (RadiographMeasurement | null)[]): BatchSummary {
  return summariseFrames(frames.map((frame) => (hasLandmarks(frame) ? frame : null)));
}

/** Summarises films that were measured earlier; null for a film without a valid VHS. */
export function summariseFrames(frames: readonly (BatchFrame | null)[]): BatchSummary {
  const bestIndex = bestFrameIndex(frames);
  const best = bestIndex === null ? null : (frames[bestIndex] ?? null);
  const scored = frames.filter((frame) => frame !== null);
  const vhs = scored.map((frame) => frame.score.vhs).filter((value) => value !== null);
  const vlas = scored.map((frame) => frame.score.vlas).filter((value) => value !== null);
  const vhsStd = roundDeviation(sampleDeviation(vhs));
  const vlasStd = roundDeviation(sampleDeviation(vlas));
  return {
    bestIndex,
    bestVhs: best?.score.vhs ?? null,
    bestVlas: best?.score.vlas ?? null,
    medianVhs: vhs.length > 0 ? median(vhs) : null,
    medianVlas: vlas.length > 0 ? median(vlas) : null,
    vhsStd,
    vlasStd,
    vhsTier: best ? tierOfScatter(best.tier, vhsStd, batchScatter.vhs) : "review",
    vlasTier: best && best.score.vlas !== null ? tierOfScatter(best.tier, vlasStd, batchScatter.vlas) : "review",
  };
}

/** Rounds to 3 decimals before the tiers are derived, so that a client that compares the printed value agrees. */
function roundDeviation(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1000;
}

function bestFrameIndex(frames: readonly (BatchFrame | null)[]): number | null {
  let best: { readonly frame: BatchFrame; readonly index: number } | null = null;
  for (const [index, frame] of frames.entries()) {
    if (frame !== null && (best === null || isBetter(frame, best.frame))) best = { frame, index };
  }
  return best?.index ?? null;
}

/**
 * Compares, in this order: tier, perpendicular axes, direct before photographed, lower spread (photographs: higher
 * sharpness). False if equal.
 */
function isBetter(frame: BatchFrame, than: BatchFrame): boolean {
  const ranks = (of: BatchFrame) => [
    confidenceTiers.indexOf(of.tier),
    of.score.areAxesPerpendicular ? 0 : 1,
    of.popDetected ? 1 : 0,
    of.spread ?? -of.sharpness,
  ];
  const other = ranks(than);
  for (const [index, rank] of ranks(frame).entries()) {
    const difference = rank - (other[index] as number);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function tierOfScatter(
  best: ConfidenceTier,
  deviation: number | null,
  limits: { lower: number; review: number },
): ConfidenceTier {
  if (deviation === null || deviation <= limits.lower) return best;
  return deviation > limits.review ? "review" : oneTierLower(best);
}
