/** How far the networks of an ensemble are apart on one score [v]; null where too few have one. */
export type Disagreement = {
  /** Standard deviation of the votes' hearts, all measured on the reported ruler. */
  readonly votesApart: number | null;
  /** Root mean square deviation of the members' first VHS, each on the member's ruler, from the reported VHS. */
  readonly looksApart: number | null;
};

/**
 * Expected error of simulated films by disagreement, `atRest + votes * votesApart + looks * looksApart`, and the
 * expected errors [v] from which a film is `good` or `review`.
 */
export type DisagreementRule = {
  readonly atRest: number;
  readonly votes: number;
  readonly looks: number;
  readonly goodFrom: number;
  readonly reviewFrom: number;
};

/** Rule for packs that name none: that of landmarks-corvet. */
export const usualDisagreementRule: DisagreementRule = {
  atRest: 0.026,
  votes: 1.944,
  looks: 0.224,
  goodFrom: 0.19,
  reviewFrom: 0.3,
};

/**
 * Disagreement about heart and ruler apart: the votes differ in the heart alone, first looks in both.
 *
 * @param vhs         reported score [v]
 * @param votedVhs    votes' hearts on the reported ruler [v]
 * @param firstVhs    members' own scores at first look [v]
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

/** Expected error by disagreement [v]. */
export function expectedError({ votesApart, looksApart }: Disagreement, rule: DisagreementRule): number {
  return rule.atRest + rule.votes * (votesApart ?? 0) + rule.looks * (looksApart ?? 0);
}

/** Sample standard deviation; null under 2 values. */
export function sampleDeviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
