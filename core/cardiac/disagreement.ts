import type { DisagreementRule } from "./measures/calibration.ts";

/** Disagreement of an ensemble's networks on one score [v]; null with too few scores. */
export type Disagreement = {
  /** Standard deviation of the votes' VHS, all measured on the reported ruler. */
  readonly votesApart: number | null;
  /** Root mean square deviation of the members' first-pass VHS, each on its own ruler, from the reported VHS. */
  readonly looksApart: number | null;
};

/** Rule for packs without their own: that of landmarks-corvet. */
export const usualDisagreementRule: DisagreementRule = {
  atRest: 0.026,
  votes: 1.944,
  looks: 0.224,
  goodFrom: 0.19,
  reviewFrom: 0.3,
};

/**
 * Separates disagreement about the heart from that about the ruler: votes differ in the heart only, first passes in
 * both.
 *
 * @param vhs       reported score [v]
 * @param votedVhs  scores of the votes' hearts on the reported ruler [v]
 * @param firstVhs  members' own scores of the first pass [v]
 */
export function disagreementOf(
  vhs: number | null,
  votedVhs: readonly (number | null)[],
  firstVhs: readonly (number | null)[],
): Disagreement {
  const squares = firstVhs.flatMap((first) => (first === null || vhs === null ? [] : [(first - vhs) ** 2]));
  return {
    votesApart: sampleDeviation(votedVhs.filter((voted) => voted !== null)),
    looksApart:
      squares.length > 0 ? Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length) : null,
  };
}

export function expectedError({ votesApart, looksApart }: Disagreement, rule: DisagreementRule): number {
  return rule.atRest + rule.votes * (votesApart ?? 0) + rule.looks * (looksApart ?? 0);
}

/** Sample standard deviation; null under 2 values. */
export function sampleDeviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
