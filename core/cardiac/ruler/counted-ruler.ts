/** Output of the column network at equidistant places along the line. */
export type ColumnSight = {
  /** Distance of the first place along the line, and distance between places [px]. */
  readonly firstPx: number;
  readonly stepPx: number;
  /** Length of a vertebra at each of them [px], > 0, n >= 1. */
  readonly lengthsPx: ArrayLike<number>;
  /** For each vertebra in cranial to caudal order where its cranial edge is: [vertebrae, n], each row sums to 1. */
  readonly nameShares: ArrayLike<number>;
};

const stepsPerVertebra = 16;
/** A share that means nothing. */
const shareFloor = 0.003;

/**
 * Places along a column one vertebra apart. No single disc is searched, so none can be skipped: the predicted lengths
 * integrate along the line, and the count stays right behind a wrong length.
 *
 * @param fromPx  start of the count [px along the line]
 * @param before  number of places cranial of it
 * @param after   number of places caudal of it
 * @returns       before + 1 + after places, cranial to caudal [px along the line]
 */
export function countedAlong(sight: ColumnSight, fromPx: number, before: number, after: number): readonly number[] {
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

/** Between two of a row's values they go over into each other; beyond the last ones they stay. */
function valueAt(values: ArrayLike<number>, first: number, count: number, at: number): number {
  const inside = Math.min(count - 1, Math.max(0, at));
  const before = Math.floor(inside);
  const [from, to] = [values[first + before] as number, values[first + Math.min(before + 1, count - 1)] as number];
  return from + (to - from) * (inside - before);
}

/**
 * Evidence for cranial edges at these places: mean log of their shares.
 *
 * @param along  one place per named vertebra [px along the line]; places out of sight are ignored
 * @returns      the lowest possible value if none is in sight
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
