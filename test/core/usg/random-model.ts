import { usgFeatures } from "../../../core/usg/features.ts";

export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function randomRow(random: () => number, missingShare = 0): Float64Array {
  return Float64Array.from(usgFeatures, ({ minimum, maximum }) =>
    random() < missingShare ? Number.NaN : minimum + random() * (maximum - minimum),
  );
}

/** A random tree in XGBoost's arrays, with a split at the root and leaves at the maximum depth or at random. */
export function randomTree(random: () => number, depth: number, stopShare = 0.1) {
  const tree = {
    tree_param: { size_leaf_vector: "0" },
    left_children: [] as number[],
    right_children: [] as number[],
    split_indices: [] as number[],
    split_conditions: [] as number[],
    default_left: [] as number[],
    sum_hessian: [] as number[],
  };
  const grow = (level: number, cover: number): number => {
    const node = tree.left_children.length;
    const isLeaf = level === depth || (level > 0 && random() < stopShare);
    const feature = Math.floor(random() * usgFeatures.length);
    const { minimum, maximum } = usgFeatures[feature]!;
    tree.left_children.push(-1);
    tree.right_children.push(-1);
    tree.split_indices.push(isLeaf ? 0 : feature);
    tree.split_conditions.push(isLeaf ? (random() - 0.5) / 5 : minimum + random() * (maximum - minimum));
    tree.default_left.push(random() < 0.5 ? 1 : 0);
    tree.sum_hessian.push(cover);
    if (!isLeaf) {
      const share = 0.05 + 0.9 * random();
      tree.left_children[node] = grow(level + 1, cover * share);
      tree.right_children[node] = grow(level + 1, cover * (1 - share));
    }
    return node;
  };
  grow(0, 1000);
  return tree;
}

export function modelDocument(trees: readonly object[], baseScore: unknown = "5E-1") {
  return {
    learner: {
      feature_names: usgFeatures.map(({ key }) => key as string),
      learner_model_param: { base_score: baseScore, num_class: "0", num_feature: "5", num_target: "1" },
      objective: { name: "binary:logistic", reg_loss_param: { scale_pos_weight: "1" } },
      gradient_booster: { name: "gbtree", model: { gbtree_model_param: { num_trees: String(trees.length) }, trees } },
    },
    version: [1, 7, 4],
  };
}

export function stump(logOdds: number) {
  return {
    tree_param: { size_leaf_vector: "0" },
    left_children: [-1],
    right_children: [-1],
    split_indices: [0],
    split_conditions: [logOdds],
    default_left: [0],
    sum_hessian: [1],
  };
}
