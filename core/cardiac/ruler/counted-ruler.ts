/** Output of the column network at equidistant positions along the line. */
export type ColumnSight = {
  /** Distance of the first position along the line, and distance between positions [px]. */
  readonly firstPx: number;
  readonly stepPx: number;
  /** Length of a vertebra at each position [px], > 0, n >= 1. */
  readonly lengthsPx: ArrayLike<number>;
  /** For each vertebra, cranial to caudal, the distribution of its cranial edge: [vertebrae, n], each row sums to 1. */
  readonly nameShares: ArrayLike<number>;
};

const stepsPerVertebra = 16;
/** Added to every share to limit the effect of a share of zero. */
const shareFloor = 0.003;

/**
 * Positions along a column at intervals of one vertebra [px along the line], cranial to caudal: `before` cranial of
 * `fromPx`, itself, and `after` caudal of it. They are integrated from the predicted lengths instead of searching
 * discs, so that no disc can be skipped and one wrong length does not change the count.
 */
export function countAlong(sight: ColumnSight, fromPx: number, before: number, after: number): readonly number[] {
  const walked = (count: number, towards: -1 | 1) => {
    const places: number[] = [];
    for (let at = fromPx; places.length < count; places.push(at)) at = nextAlong(sight, at, towards);
    return places;
  };
  return [...walked(before, -1).reverse(), fromPx, ...walked(after, 1)];
}

function nextAlong(sight: ColumnSight, from: number, towards: -1 | 1): number {
  let along = from;
  for (let step = 0; step < stepsPerVertebra; step++) {
    const toMiddle = lengthAt(sight, along) / (2 * stepsPerVertebra);
    along += (towards * lengthAt(sight, along + towards * toMiddle)) / stepsPerVertebra;
  }
  return along;
}

function lengthAt({ firstPx, stepPx, lengthsPx }: ColumnSight, along: number): number {
  return valueAt(lengthsPx, 0, lengthsPx.length, (along - firstPx) / stepPx);
}

/** Linear interpolation in a row, constant beyond its ends. */
function valueAt(values: ArrayLike<number>, first: number, count: number, at: number): number {
  const inside = Math.min(count - 1, Math.max(0, at));
  const before = Math.floor(inside);
  const [from, to] = [values[first + before] as number, values[first + Math.min(before + 1, count - 1)] as number];
  return from + (to - from) * (inside - before);
}

/**
 * Mean log share of cranial edges at one position per named vertebra [px along the line]. Positions outside the output
 * are ignored; if all are, the result is the lowest possible one.
 */
export function nameEvidence(
  { firstPx, stepPx, lengthsPx, nameShares }: ColumnSight,
  along: readonly number[],
): number {
  const count = lengthsPx.length;
  const logs = along.flatMap((place, vertebra) => {
    const at = (place - firstPx) / stepPx;
    return at >= 0 && at <= count - 1 ? [Math.log(valueAt(nameShares, vertebra * count, count, at) + shareFloor)] : [];
  });
  return logs.length === 0 ? Math.log(shareFloor) : logs.reduce((sum, log) => sum + log, 0) / logs.length;
}
