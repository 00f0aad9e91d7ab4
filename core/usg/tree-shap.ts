import { featureCount } from "./features.ts";
import { logOddsOf, type TreeEnsemble } from "./tree-ensemble.ts";

export type Explainer = {
  /** Expected log-odds over the training rows, without any feature. */
  readonly baseValue: number;
  /** Exact Shapley values in the order of the row [log-odds]; with `baseValue` they add up to `logOdds`. */
  explain(row: Float64Array, logOdds?: number): Float64Array;
};

/**
 * Gauss–Legendre points on [0, 1], each with a weight of one half. Two points integrate polynomials of degree three
 * exactly.
 */
const points = [0.5 - Math.sqrt(1 / 12), 0.5 + Math.sqrt(1 / 12)] as const;
/** Degree of the integrand, one less than the number of features. Two points are off by a constant at this degree. */
const maxDegree = 4;

/** Numbers per edge: two factors and two gains for each of three relations between a row and the edge. */
const stride = 12;
const taken = 0;
/** The row takes the other edge, and fails this feature from here on. */
const leaving = 4;
/** The row failed this feature at an earlier split. */
const failedBefore = 8;

/**
 * Exact path-dependent TreeSHAP for five features, linear in the number of nodes.
 *
 * With a set S of known features, a leaf of value v contributes v · Π f_j: for j in S, f_j is 1 or 0 depending on
 * whether the row meets all of j's splits on the path (`one`); otherwise it is the share z_j of training rows that do.
 * The Shapley value of i is the integral over t in [0, 1] of v · (one_i - z_i) · Π_{j≠i} (z_j + t (one_j - z_j)). This
 * is a polynomial of degree four at most, so quadrature computes it without unwinding any path: two points are exact to
 * degree three, and the coefficient of t⁴, v · Π (one_j - z_j), is the same for all five features, so the remainder is
 * shared equally. z_j depends on the tree and only `one` on the row. The factors of every edge are therefore tabulated
 * in advance; descending multiplies them, ascending sums the leaves and weights them with the gain of the edge.
 *
 * @see Lundberg et al. 2020, Nat Mach Intell 2:56–67 (the game); Owen 1972, Manage Sci 18:64–79 (the integral)
 */
export function createExplainer(trees: TreeEnsemble): Explainer {
  if (featureCount !== maxDegree + 1) throw new RangeError(`the quadrature requires ${maxDegree + 1} features`);
  const splits = tableSplits(trees);
  const work = createWork(splits.feature.length);
  const baseValue = baseValueOf(trees);
  return {
    baseValue,
    explain(row, logOdds = logOddsOf(trees, row)) {
      const contributions = new Float64Array(featureCount);
      const single = Float32Array.from(row);
      for (let tree = 0; tree < trees.roots.length; tree++) {
        const start = splits.starts[tree] as number;
        const end = splits.starts[tree + 1] as number;
        descend(splits, work, single, contributions, start, end);
        ascend(splits, work, contributions, start, end);
      }
      const missed = logOdds - contributions.reduce((sum, value) => sum + value, baseValue);
      return contributions.map((value) => value + missed / featureCount);
    },
  };
}

/**
 * Splits of all trees with the row-independent data of their edges. Split s has the edges 2 s (left) and 2 s + 1
 * (right).
 */
type Splits = {
  /** First split of each tree, and the end of the last one. */
  readonly starts: Int32Array;
  readonly feature: Uint8Array;
  readonly threshold: Float32Array;
  readonly isMissingLeft: Uint8Array;
  /** Parent split; -1 at a root. */
  readonly upper: Int32Array;
  /** Child split of an edge; -1 for a leaf, whose value is then included in the edge's factors. */
  readonly lower: Int32Array;
  /** Factors and gains, `stride` numbers per edge. */
  readonly table: Float64Array;
};

/** Buffers of an explanation, allocated once and reused for every row. */
type Work = {
  /** Bit j is set if the row failed an earlier split on feature j. */
  readonly failed: Uint8Array;
  /** Product of the factors from the root, at the two points. */
  readonly product: Float64Array;
  /** Sum of value times product over the leaves below, at the two points. */
  readonly sum: Float64Array;
  /** Index in the table of the parent edge for this row. */
  readonly place: Int32Array;
};

function createWork(splits: number): Work {
  return {
    failed: new Uint8Array(splits),
    product: new Float64Array(2 * splits).fill(1),
    sum: new Float64Array(2 * splits),
    place: new Int32Array(splits),
  };
}

function tableSplits(trees: TreeEnsemble): Splits {
  const inner = Int32Array.from(trees.left.keys()).filter((node) => trees.left[node] !== -1);
  const splitOf = new Int32Array(trees.left.length).fill(-1);
  inner.forEach((node, split) => (splitOf[node] = split));
  const splits: Splits = {
    starts: Int32Array.from([...trees.roots, trees.left.length], (root) => firstAtOrAfter(inner, root)),
    feature: Uint8Array.from(inner, (node) => trees.feature[node] as number),
    threshold: Float32Array.from(inner, (node) => trees.threshold[node] as number),
    isMissingLeft: Uint8Array.from(inner, (node) => trees.isMissingLeft[node] as number),
    upper: new Int32Array(inner.length).fill(-1),
    lower: new Int32Array(2 * inner.length).fill(-1),
    table: new Float64Array(2 * inner.length * stride),
  };
  // Share of the training rows that meet all of a feature's splits from the root down to the split, per split and
  // feature.
  const zero = new Float64Array(inner.length * featureCount).fill(1);
  inner.forEach((node, split) => {
    const feature = trees.feature[node] as number;
    [trees.left[node] as number, trees.right[node] as number].forEach((child, side) => {
      const share = (trees.cover[child] as number) / (trees.cover[node] as number);
      const above = zero[split * featureCount + feature] as number;
      const lower = splitOf[child] as number;
      const edge = 2 * split + side;
      splits.lower[edge] = lower;
      tableEdge(splits.table, edge * stride, above, share, lower === -1 ? (trees.leafLogOdds[child] as number) : 1);
      if (lower === -1) return;
      splits.upper[lower] = split;
      zero.copyWithin(lower * featureCount, split * featureCount, (split + 1) * featureCount);
      zero[lower * featureCount + feature] = above * share;
    });
  });
  return splits;
}

function firstAtOrAfter(sorted: Int32Array, value: number): number {
  let low = 0;
  for (let high = sorted.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A row that failed the feature before has no gain, since an earlier edge accounts for it. */
function tableEdge(table: Float64Array, start: number, zeroAbove: number, share: number, leafLogOdds: number): void {
  const zeroBelow = zeroAbove * share;
  points.forEach((t, k) => {
    const above = zeroAbove + t * (1 - zeroAbove);
    const below = zeroBelow + t * (1 - zeroBelow);
    const gainAbove = (1 - zeroAbove) / above;
    table[start + taken + k] = (leafLogOdds * below) / above;
    table[start + taken + 2 + k] = ((1 - zeroBelow) / below - gainAbove) / 2;
    table[start + leaving + k] = (leafLogOdds * zeroBelow * (1 - t)) / above;
    table[start + leaving + 2 + k] = (-1 / (1 - t) - gainAbove) / 2;
    table[start + failedBefore + k] = leafLogOdds * share;
  });
}

/**
 * Descends one tree: computes the product of the factors at every split and collects leaves. The two points are
 * unrolled for speed.
 */
function descend(
  splits: Splits,
  work: Work,
  row: Float32Array,
  contributions: Float64Array,
  start: number,
  end: number,
): void {
  const { feature, threshold, isMissingLeft, lower, table } = splits;
  const { failed, product, sum, place } = work;
  for (let split = start; split < end; split++) {
    const column = feature[split] as number;
    const value = row[column] as number;
    const goesLeft = Number.isNaN(value) ? isMissingLeft[split] === 1 : value < (threshold[split] as number);
    const takenSide = goesLeft ? 0 : 1;
    const failedAbove = failed[split] as number;
    const hasFailed = (failedAbove >> column) & 1;
    const first = product[2 * split] as number;
    const second = product[2 * split + 1] as number;
    let leafFirst = 0;
    let leafSecond = 0;
    let gain = 0;
    for (let side = 0; side < 2; side++) {
      const edge = 2 * split + side;
      const fails = side ^ takenSide;
      // Avoids branches, which are hard to predict here.
      const entry = edge * stride + hasFailed * failedBefore + (fails & ~hasFailed) * leaving;
      const firstBelow = first * (table[entry] as number);
      const secondBelow = second * (table[entry + 1] as number);
      const below = lower[edge] as number;
      if (below === -1) {
        leafFirst += firstBelow;
        leafSecond += secondBelow;
        gain += firstBelow * (table[entry + 2] as number) + secondBelow * (table[entry + 3] as number);
      } else {
        product[2 * below] = firstBelow;
        product[2 * below + 1] = secondBelow;
        failed[below] = failedAbove | (fails << column);
        place[below] = entry;
      }
    }
    sum[2 * split] = leafFirst;
    sum[2 * split + 1] = leafSecond;
    contributions[column] = (contributions[column] as number) + gain;
  }
}

function ascend(splits: Splits, work: Work, contributions: Float64Array, start: number, end: number): void {
  const { feature, upper, table } = splits;
  const { sum, place } = work;
  for (let split = end - 1; split > start; split--) {
    const above = upper[split] as number;
    const entry = place[split] as number;
    const first = sum[2 * split] as number;
    const second = sum[2 * split + 1] as number;
    const column = feature[above] as number;
    contributions[column] =
      (contributions[column] as number) + first * (table[entry + 2] as number) + second * (table[entry + 3] as number);
    sum[2 * above] = (sum[2 * above] as number) + first;
    sum[2 * above + 1] = (sum[2 * above + 1] as number) + second;
  }
}

function baseValueOf(trees: TreeEnsemble): number {
  const share = new Float64Array(trees.left.length).fill(1);
  let expected = trees.baseLogOdds;
  for (let node = 0; node < share.length; node++) {
    expected += (share[node] as number) * (trees.leafLogOdds[node] as number);
    if (trees.left[node] === -1) continue;
    for (const child of [trees.left[node] as number, trees.right[node] as number]) {
      share[child] = ((share[node] as number) * (trees.cover[child] as number)) / (trees.cover[node] as number);
    }
  }
  return expected;
}
