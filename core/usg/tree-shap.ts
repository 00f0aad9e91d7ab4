import { featureCount } from "./features.ts";
import type { TreeEnsemble } from "./tree-ensemble.ts";

/** Contributions of the features to one row's log-odds. */
export type Explainer = {
  /** Expected log-odds over the training rows: what is left when nothing about the cat is known. */
  readonly baseValue: number;
  /**
   * Exact Shapley values of a row; `baseValue` + their sum = its log-odds.
   *
   * @param row  one value per feature; NaN is missing
   * @returns    one contribution per feature [log-odds], in the order of the row
   */
  explain(row: Float64Array): Float64Array;
};

/**
 * Gauss–Legendre points and weights on [0, 1]; three integrate polynomials to degree five exactly.
 * The integrand below has degree features - 1 = 4.
 */
const points = [0.5 - Math.sqrt(0.15), 0.5, 0.5 + Math.sqrt(0.15)] as const;
const weights = [5 / 18, 4 / 9, 5 / 18] as const;
const maximumFeatures = 2 * points.length;

/** Numbers per edge in the table: three factors and three gains for each of the three ways a row can stand to the edge. */
const stride = 18;
/** The row takes the edge. */
const taken = 0;
/** The row takes the other edge: it fails this feature from here on. */
const leaving = 6;
/** The row had failed this feature further up. */
const failedBefore = 12;

/**
 * Exact path-dependent TreeSHAP, linear in the number of nodes, for ensembles of up to six features.
 *
 * With a set S of known features, a leaf of value v is reached by the share v · Π f_j: for j in S, f_j is 1 or 0 as the row meets all
 * of j's splits on the way or not (`one`); otherwise it is the share z_j of training rows that do. The Shapley value of i is
 * the integral over t in [0, 1] of v · (one_i - z_i) · Π_{j≠i} (z_j + t (one_j - z_j)): a polynomial, so a few quadrature points give it
 * exactly and nothing has to be unwound. z_j belongs to the tree and only `one` to the row, so the factors of every edge
 * are tabled beforehand: going down multiplies them, going up adds the leaves and weighs them with the edge's gain.
 *
 * @see Lundberg et al. 2020, Nat Mach Intell 2:56–67 (the game); Owen 1972, Manage Sci 18:64–79 (the integral)
 */
export function createExplainer(trees: TreeEnsemble): Explainer {
  if (featureCount > maximumFeatures) throw new RangeError(`${points.length} quadrature points serve ${maximumFeatures} features`);
  const edges = tableEdges(trees);
  const work = createWork(trees.left.length);
  return {
    baseValue: baseValueOf(trees),
    explain(row) {
      const contributions = new Float64Array(featureCount);
      const single = Float32Array.from(row);
      trees.roots.forEach((root, tree) => {
        const end = trees.roots[tree + 1] ?? trees.left.length;
        descend(trees, edges, work, single, root, end);
        ascend(trees, edges, work, contributions, root, end);
      });
      return contributions;
    },
  };
}

/** What is known of every edge before a row is seen; an edge carries the index of its lower node. */
type Edges = {
  /** Upper node. */
  readonly parent: Int32Array;
  /** Factors and gains, `stride` numbers per edge. */
  readonly table: Float64Array;
};

/** Buffers of one explanation, made once and used for every row. */
type Work = {
  /** 1 where the row's own way leads from the parent to this node. */
  readonly isTaken: Uint8Array;
  /** Bit j is set below an edge where the row failed a split on feature j. */
  readonly failed: Uint8Array;
  /** Product of the factors from the root, at the three points. */
  readonly product: Float64Array;
  /** Sum over the leaves below of their value times their product, at the three points. */
  readonly sum: Float64Array;
  /** Place of the row's factors and gains in the table. */
  readonly place: Int32Array;
};

function createWork(nodes: number): Work {
  return {
    isTaken: new Uint8Array(nodes),
    failed: new Uint8Array(nodes),
    product: new Float64Array(nodes * points.length).fill(1),
    sum: new Float64Array(nodes * points.length),
    place: new Int32Array(nodes),
  };
}

function tableEdges(trees: TreeEnsemble): Edges {
  const nodes = trees.left.length;
  const parent = new Int32Array(nodes);
  const table = new Float64Array(nodes * stride);
  // Share of the training rows that meet all of a feature's splits from the root down to the node, per node and feature.
  const zero = new Float64Array(nodes * featureCount).fill(1);
  for (let node = 0; node < nodes; node++) {
    if (trees.left[node] === -1) continue;
    const feature = trees.feature[node] as number;
    for (const child of [trees.left[node] as number, trees.right[node] as number]) {
      parent[child] = node;
      zero.copyWithin(child * featureCount, node * featureCount, (node + 1) * featureCount);
      const share = (trees.cover[child] as number) / (trees.cover[node] as number);
      const above = zero[node * featureCount + feature] as number;
      zero[child * featureCount + feature] = above * share;
      tableEdge(table, child * stride, above, share);
    }
  }
  return { parent, table };
}

/** Factors and gains of one edge at the three points. A row that failed the feature before gains nothing: that edge settled it. */
function tableEdge(table: Float64Array, start: number, zeroAbove: number, share: number): void {
  const zeroBelow = zeroAbove * share;
  points.forEach((t, k) => {
    const weight = weights[k] as number;
    const above = zeroAbove + t * (1 - zeroAbove);
    const below = zeroBelow + t * (1 - zeroBelow);
    const gainAbove = (1 - zeroAbove) / above;
    table[start + taken + k] = below / above;
    table[start + taken + 3 + k] = weight * ((1 - zeroBelow) / below - gainAbove);
    table[start + leaving + k] = (zeroBelow * (1 - t)) / above;
    table[start + leaving + 3 + k] = weight * (-1 / (1 - t) - gainAbove);
    table[start + failedBefore + k] = share;
  });
}

/** Down one tree: which edges the row takes, and the product of the factors at every node. The three points are written out for speed. */
function descend(trees: TreeEnsemble, edges: Edges, work: Work, row: Float32Array, root: number, end: number): void {
  const { left, right, feature, threshold, isMissingLeft, leafLogOdds } = trees;
  const { parent, table } = edges;
  const { isTaken, failed, product, sum, place } = work;
  for (let node = root; node < end; node++) {
    const at = node * 3;
    if (node !== root) {
      const upper = parent[node] as number;
      const bit = 1 << (feature[upper] as number);
      const failedAbove = failed[upper] as number;
      const way = (failedAbove & bit) !== 0 ? failedBefore : isTaken[node] === 1 ? taken : leaving;
      const entry = node * stride + way;
      product[at] = (product[upper * 3] as number) * (table[entry] as number);
      product[at + 1] = (product[upper * 3 + 1] as number) * (table[entry + 1] as number);
      product[at + 2] = (product[upper * 3 + 2] as number) * (table[entry + 2] as number);
      failed[node] = way === taken ? failedAbove : failedAbove | bit;
      place[node] = entry;
    }
    const value = leafLogOdds[node] as number;
    sum[at] = (product[at] as number) * value;
    sum[at + 1] = (product[at + 1] as number) * value;
    sum[at + 2] = (product[at + 2] as number) * value;
    const lower = left[node] as number;
    if (lower === -1) continue;
    const column = row[feature[node] as number] as number;
    const isLeft = Number.isNaN(column) ? (isMissingLeft[node] as number) : column < (threshold[node] as number) ? 1 : 0;
    isTaken[lower] = isLeft;
    isTaken[right[node] as number] = 1 - isLeft;
  }
}

/** Up one tree: sums the leaves below every edge and credits them to the edge's feature. */
function ascend(trees: TreeEnsemble, edges: Edges, work: Work, contributions: Float64Array, root: number, end: number): void {
  const { parent, table } = edges;
  const { sum, place } = work;
  for (let node = end - 1; node > root; node--) {
    const at = node * 3;
    const upper = parent[node] as number;
    const gains = (place[node] as number) + 3;
    const first = sum[at] as number;
    const second = sum[at + 1] as number;
    const third = sum[at + 2] as number;
    const gain = first * (table[gains] as number) + second * (table[gains + 1] as number) + third * (table[gains + 2] as number);
    const feature = trees.feature[upper] as number;
    contributions[feature] = (contributions[feature] as number) + gain;
    sum[upper * 3] = (sum[upper * 3] as number) + first;
    sum[upper * 3 + 1] = (sum[upper * 3 + 1] as number) + second;
    sum[upper * 3 + 2] = (sum[upper * 3 + 2] as number) + third;
  }
}

/** Expected log-odds over the training rows: every leaf weighed with the share of rows that reach it. */
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
