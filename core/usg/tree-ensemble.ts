/**
 * Gradient-boosted regression trees in flat arrays, one entry per node, tree after tree, parents before their children.
 * A row continues left if value < threshold, compared in single precision as in XGBoost; for a missing value (NaN)
 * `isMissingLeft` decides.
 */
export type TreeEnsemble = {
  readonly baseLogOdds: number;
  readonly roots: Int32Array;
  /** Index of the children; -1 at a leaf. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly feature: Uint8Array;
  readonly threshold: Float32Array;
  readonly isMissingLeft: Uint8Array;
  /** Log-odds added by a leaf; 0 for inner nodes. */
  readonly leafLogOdds: Float64Array;
  /** Weight of the training rows that reached the node, > 0 for inner nodes. */
  readonly cover: Float64Array;
};

/** Child of an inner node for a value, which must be rounded to single precision already. */
export function childOf(trees: TreeEnsemble, node: number, value: number): number {
  const isLeft = Number.isNaN(value) ? trees.isMissingLeft[node] === 1 : value < (trees.threshold[node] as number);
  return (isLeft ? trees.left[node] : trees.right[node]) as number;
}

/** Base plus one leaf of every tree; NaN in the row is missing. */
export function logOddsOf(trees: TreeEnsemble, row: Float64Array): number {
  const single = Float32Array.from(row);
  let sum = trees.baseLogOdds;
  for (const root of trees.roots) {
    let node = root;
    while (trees.left[node] !== -1) node = childOf(trees, node, single[trees.feature[node] as number] as number);
    sum += trees.leafLogOdds[node] as number;
  }
  return sum;
}

export function probabilityOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
