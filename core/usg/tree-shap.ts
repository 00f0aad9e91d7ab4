import { featureCount } from "./features.ts";
import { childOf, logOddsOf, type TreeEnsemble } from "./tree-ensemble.ts";

export type Explainer = {
  /** Expected log-odds over the training rows, without any feature. */
  readonly baseValue: number;
  /**
   * Computes the exact Shapley values of a row. `baseValue` plus their sum is its log-odds.
   *
   * @param row      one value per feature; NaN is missing
   * @param logOdds  log-odds of the row, if already known
   * @returns        one contribution per feature [log-odds], in the order of the row
   */
  explain(row: Float64Array, logOdds?: number): Float64Array;
};

/**
 * Gauss–Legendre points on [0, 1], each with a weight of one half. Two points integrate polynomials of degree three
 * exactly.
 */
const points = [0.5 - Math.sqrt(1 / 12), 0.5 + Math.sqrt(1 / 12)] as const;
/** Degree of the integrand, one less than the number of features. Two points are off by a constant at this degree. */
const maxDegree = 4;

/** Splits from the root to a node: by feature, whether the row meets all of them, and the share of training rows that do. */
type Path = { readonly one: Float64Array; readonly zero: Float64Array };

/**
 * Exact path-dependent TreeSHAP for five features, linear in the number of nodes.
 *
 * With a set S of known features, a leaf of value v contributes v · Π f_j: for j in S, f_j is 1 or 0 depending on
 * whether the row meets all of j's splits on the path (`one`); otherwise it is the share z_j of training rows that do.
 * The Shapley value of i is the integral over t in [0, 1] of v · (one_i - z_i) · Π_{j≠i} (z_j + t (one_j - z_j)). This
 * is a polynomial of degree four at most, so quadrature computes it without unwinding any path: two points are exact to
 * degree three, and the coefficient of t⁴, v · Π (one_j - z_j), is the same for all five features, so the remainder is
 * shared equally.
 *
 * @see Lundberg et al. 2020, Nat Mach Intell 2:56–67 (the game); Owen 1972, Manage Sci 18:64–79 (the integral)
 */
export function createExplainer(trees: TreeEnsemble): Explainer {
  if (featureCount !== maxDegree + 1) throw new RangeError(`the quadrature requires ${maxDegree + 1} features`);
  const baseValue = baseValueOf(trees);
  return {
    baseValue,
    explain(row, logOdds = logOddsOf(trees, row)) {
      const contributions = new Float64Array(featureCount);
      const single = Float32Array.from(row);
      const path = { one: new Float64Array(featureCount).fill(1), zero: new Float64Array(featureCount).fill(1) };
      for (const root of trees.roots) addLeavesBelow(trees, root, single, path, contributions);
      const missed = logOdds - contributions.reduce((sum, value) => sum + value, baseValue);
      return contributions.map((value) => value + missed / featureCount);
    },
  };
}

function addLeavesBelow(
  trees: TreeEnsemble,
  node: number,
  row: Float32Array,
  path: Path,
  contributions: Float64Array,
): void {
  const left = trees.left[node] as number;
  if (left === -1) return addLeaf(trees.leafLogOdds[node] as number, path, contributions);
  const { one, zero } = path;
  const feature = trees.feature[node] as number;
  const taken = childOf(trees, node, row[feature] as number);
  const [oneAbove, zeroAbove] = [one[feature] as number, zero[feature] as number];
  for (const child of [left, trees.right[node] as number]) {
    one[feature] = child === taken ? oneAbove : 0;
    zero[feature] = (zeroAbove * (trees.cover[child] as number)) / (trees.cover[node] as number);
    addLeavesBelow(trees, child, row, path, contributions);
  }
  one[feature] = oneAbove;
  zero[feature] = zeroAbove;
}

function addLeaf(logOdds: number, { one, zero }: Path, contributions: Float64Array): void {
  for (const t of points) {
    let product = logOdds / points.length;
    for (let feature = 0; feature < featureCount; feature++)
      product *= (zero[feature] as number) + t * ((one[feature] as number) - (zero[feature] as number));
    // Without the row and without training rows, the leaf adds nothing, and the quotient is undefined.
    if (product === 0) continue;
    for (let feature = 0; feature < featureCount; feature++) {
      const gain = (one[feature] as number) - (zero[feature] as number);
      contributions[feature] =
        (contributions[feature] as number) + (product * gain) / ((zero[feature] as number) + t * gain);
    }
  }
}

/** Expected log-odds over the training rows: every leaf weighted with the share of rows that reach it. */
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
