import type { MeasureName } from "../measures/measures.ts";
import { sampleDeviation } from "../disagreement.ts";
import { roundScore } from "../heart-score.ts";
import { normal975, studentT975 } from "./student-t.ts";

/** One film's value by the networks and by the user who decided about it [v], unrounded. */
export type ValuePair = { readonly network: number; readonly person: number };

/** A value with its two-sided 95 % interval [v]. */
export type Estimate = { readonly value: number; readonly low: number; readonly high: number };

/** Agreement of the networks with users; differences are network minus person [v]. */
export type Agreement = {
  readonly count: number;
  readonly bias: Estimate;
  readonly standardDeviation: number;
  /** Limits of agreement: 95 % of differences are expected between them. */
  readonly lower: Estimate;
  readonly upper: Estimate;
};

/** Number of independent readings from which bias and limits are no longer provisional. */
export const neededPairs = 50;

/**
 * Minimum number of pairs for limits of agreement. With fewer, their interval would be about as wide as their distance.
 */
export const minPairs = 10;

/** Number of newest independent pairs that are monitored for a bias. */
export const watchedPairs = 30;

/**
 * Maximum absolute mean difference of the newest pairs without a warning [v]: about three standard errors of 30
 * differences with the deviation of a good reader (0.4 v for the VHS, 0.3 v for the VLAS; unknown for the RLAD).
 */
const biasBand: { readonly [Name in MeasureName]?: number } = { vhs: 0.25, vlas: 0.2 };

/**
 * Groups pairs by what the user had seen: `independent` readings were made without the networks' result, `anchored`
 * ones changed after seeing it, `accepted` ones left unchanged, so that their difference is zero by definition. Only
 * independent pairs measure agreement.
 */
export function groupByIndependence<
  Pair extends { readonly decision: "accepted" | "corrected" | "by_hand" | "independent" },
>(pairs: readonly Pair[]): Readonly<Record<"independent" | "anchored" | "accepted", readonly Pair[]>> {
  const of = (isMeant: (decision: Pair["decision"]) => boolean) => pairs.filter(({ decision }) => isMeant(decision));
  return {
    independent: of((decision) => decision === "independent"),
    anchored: of((decision) => decision === "corrected" || decision === "by_hand"),
    accepted: of((decision) => decision === "accepted"),
  };
}

export function meanDifference(pairs: readonly ValuePair[]): number | null {
  return pairs.length === 0 ? null : pairs.reduce((sum, pair) => sum + differenceOf(pair), 0) / pairs.length;
}

/** Network minus person [v], unrounded. */
export function differenceOf({ network, person }: ValuePair): number {
  return network - person;
}

/** Difference of the values rounded to two decimals as printed [v]. */
export function shownDifference({ network, person }: ValuePair): number {
  return roundScore(roundScore(network) - roundScore(person));
}

/** Mean of both values [v], the abscissa of a difference, since neither value is the truth. */
export function meanOf({ network, person }: ValuePair): number {
  return (network + person) / 2;
}

/**
 * Bias and limits of agreement with their 95 % intervals; null for fewer than two pairs.
 *
 * @see Bland & Altman 1999, Stat Methods Med Res 8:135–160, section 2
 */
export function agreementOf(pairs: readonly ValuePair[]): Agreement | null {
  const [mean, standardDeviation] = [meanDifference(pairs), sampleDeviation(pairs.map(differenceOf))];
  if (mean === null || standardDeviation === null) return null;
  return agreementFrom({ count: pairs.length, mean, standardDeviation });
}

/** Computes the same from count, mean and standard deviation of the differences, `count` >= 2. */
export function agreementFrom({
  count,
  mean,
  standardDeviation,
}: {
  readonly count: number;
  readonly mean: number;
  readonly standardDeviation: number;
}): Agreement {
  const factor = studentT975(count - 1) * standardDeviation;
  const around = (value: number, variance: number): Estimate => ({
    value,
    low: value - factor * Math.sqrt(variance),
    high: value + factor * Math.sqrt(variance),
  });
  const ofLimit = 1 / count + normal975 ** 2 / (2 * (count - 1));
  return {
    count,
    standardDeviation,
    bias: around(mean, 1 / count),
    lower: around(mean - normal975 * standardDeviation, ofLimit),
    upper: around(mean + normal975 * standardDeviation, ofLimit),
  };
}

/** Mean difference of the newest independent pairs [v]. */
export type RecentBias = {
  readonly count: number;
  readonly bias: number;
  readonly band: number;
  readonly isOutside: boolean;
};

/**
 * Bias of the newest of the independent pairs, given oldest first; null for fewer than `watchedPairs`, and for a
 * measure without a band.
 */
export function recentBias(pairs: readonly ValuePair[], measure: MeasureName): RecentBias | null {
  const band = biasBand[measure];
  if (band === undefined || pairs.length < watchedPairs) return null;
  const newest = pairs.slice(-watchedPairs);
  const bias = meanDifference(newest) ?? 0;
  return { count: newest.length, bias, band, isOutside: Math.abs(bias) > band };
}

/** Key of a pack. Includes the name because packs of several publishers may share a version. */
export function keyOfPack({ name, version }: { readonly name: string; readonly version: string }): string {
  return JSON.stringify([name, version]);
}
