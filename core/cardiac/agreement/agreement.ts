import type { NetworkMeasureName } from "../measures/measures.ts";
import { roundScore } from "../heart-score.ts";
import { normal975, studentT975 } from "./student-t.ts";

/** A film's value by the networks and by the person who decided about it [v], unrounded. */
export type ValuePair = { readonly network: number; readonly person: number };

/** A figure with its two-sided 95 % interval [v]. */
export type Estimate = { readonly value: number; readonly low: number; readonly high: number };

/** How well two ways of measuring agree; differences are network minus person [v]. */
export type Agreement = {
  readonly count: number;
  readonly bias: Estimate;
  readonly standardDeviation: number;
  /** Limits between which 95 % of differences are expected. */
  readonly lower: Estimate;
  readonly upper: Estimate;
};

/** Independent readings after which bias and limits are no longer provisional. */
export const neededPairs = 50;

/** With fewer pairs there are no limits: their interval would be about as wide as the distance between them. */
export const fewestPairs = 10;

/** So many of the newest independent pairs are watched for a bias. */
export const watchedPairs = 30;

/**
 * Largest mean difference of the newest pairs without a warning [v], either side of zero: about three standard errors
 * of 30 differences with the deviation of a good reader (0.4 v for the VHS, 0.3 v for the VLAS).
 */
export const biasBand: Readonly<Record<NetworkMeasureName, number>> = { vhs: 0.25, vlas: 0.2 };

/**
 * Pairs by what the user had seen: `independent` ones found without the networks' result, `anchored` ones changed after
 * seeing it, and those accepted unchanged, whose difference is zero by definition. Only the first show agreement.
 */
export function byIndependence<
  Pair extends { readonly decision: "accepted" | "corrected" | "by_hand" | "independent" },
>(pairs: readonly Pair[]): Readonly<Record<"independent" | "anchored" | "accepted", readonly Pair[]>> {
  const of = (isMeant: (decision: Pair["decision"]) => boolean) => pairs.filter(({ decision }) => isMeant(decision));
  return {
    independent: of((decision) => decision === "independent"),
    anchored: of((decision) => decision === "corrected" || decision === "by_hand"),
    accepted: of((decision) => decision === "accepted"),
  };
}

/** Mean of the differences [v]; null without pairs. */
export function meanDifference(pairs: readonly ValuePair[]): number | null {
  return pairs.length === 0 ? null : pairs.reduce((sum, pair) => sum + differenceOf(pair), 0) / pairs.length;
}

/** Network minus person [v], unrounded. */
export function differenceOf({ network, person }: ValuePair): number {
  return network - person;
}

/** Difference of the printed values, two decimals [v]. */
export function shownDifference({ network, person }: ValuePair): number {
  return roundScore(roundScore(network) - roundScore(person));
}

/** Abscissa of a difference: the mean of both values [v], since neither is the truth. */
export function meanOf({ network, person }: ValuePair): number {
  return (network + person) / 2;
}

/**
 * Bias and limits of agreement with their 95 % intervals.
 *
 * @param pairs  in any order
 * @returns      null for fewer than two pairs
 * @see Bland & Altman 1999, Stat Methods Med Res 8:135–160, section 2
 */
export function agreementOf(pairs: readonly ValuePair[]): Agreement | null {
  const differences = pairs.map(differenceOf);
  const count = differences.length;
  if (count < 2) return null;
  const mean = differences.reduce((sum, each) => sum + each, 0) / count;
  const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return agreementFrom({ count, mean, standardDeviation: Math.sqrt(squares / (count - 1)) });
}

/** The same from number, mean and standard deviation of the differences, `count` >= 2. */
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
export type RecentBias = { readonly count: number; readonly bias: number; readonly isOutside: boolean };

/**
 * Whether the newest pairs have drifted off.
 *
 * @param pairs  independent ones, oldest first
 * @returns      null for fewer than `watchedPairs`
 */
export function recentBias(pairs: readonly ValuePair[], measure: NetworkMeasureName): RecentBias | null {
  if (pairs.length < watchedPairs) return null;
  const newest = pairs.slice(-watchedPairs);
  const bias = meanDifference(newest) ?? 0;
  return { count: newest.length, bias, isOutside: Math.abs(bias) > biasBand[measure] };
}

/** Key of a pack; packs of several publishers may share a version. */
export function keyOfPack({ name, version }: { readonly name: string; readonly version: string }): string {
  return JSON.stringify([name, version]);
}
