import { childOf, type TreeEnsemble } from "../../../core/usg/tree-ensemble.ts";

/**
 * Computes Shapley values by their definition: the weighted mean over all 32 subsets of the contribution of each
 * feature. The value of a subset follows the row at splits on known features, and averages both children by cover at
 * others.
 */
export function bruteForceShapley(
  trees: TreeEnsemble,
  row: Float64Array,
): { readonly base: number; readonly contributions: readonly number[] } {
  const features = row.length;
  const worth = Array.from({ length: 2 ** features }, (_, subset) => worthOf(trees, Float32Array.from(row), subset));
  const contributions = Array.from(row, (_, feature) => {
    let sum = 0;
    for (let subset = 0; subset < worth.length; subset++) {
      if ((subset & (1 << feature)) !== 0) continue;
      const size = subset.toString(2).replaceAll("0", "").length;
      sum +=
        ((factorial(size) * factorial(features - size - 1)) / factorial(features)) *
        (worth[subset | (1 << feature)]! - worth[subset]!);
    }
    return sum;
  });
  return { base: worth[0]!, contributions };
}

function worthOf(trees: TreeEnsemble, row: Float32Array, subset: number): number {
  const expected = (node: number): number => {
    const [left, right] = [trees.left[node]!, trees.right[node]!];
    if (left === -1) return trees.leafLogOdds[node]!;
    const feature = trees.feature[node]!;
    if ((subset & (1 << feature)) !== 0) return expected(childOf(trees, node, row[feature]!));
    return (trees.cover[left]! * expected(left) + trees.cover[right]! * expected(right)) / trees.cover[node]!;
  };
  return trees.roots.reduce((sum, root) => sum + expected(root), trees.baseLogOdds);
}

function factorial(n: number): number {
  return n <= 1 ? 1 : n * factorial(n - 1);
}
