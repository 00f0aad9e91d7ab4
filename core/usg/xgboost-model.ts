import { z } from "zod";
import { AppError, because, type Reason } from "../app-error.ts";
import { featureCount, usgFeatures } from "./features.ts";
import type { TreeEnsemble } from "./tree-ensemble.ts";

/** Far more than a screening model needs; protects against files that would exhaust the memory. */
const maximumNodes = 500_000;
/**
 * Maximum relative difference between the covers of a node and its children, since XGBoost sums in single precision.
 */
const coverTolerance = 0.01;

/** XGBoost writes parameters as strings; from 3.1 on, the base score is a string with an array. */
const parameter = z.union([z.string(), z.number()]).transform(Number).pipe(z.number());
const baseScore = z
  .union([z.string(), z.number()])
  .transform((value) => Math.fround(Number(String(value).replace(/^\[(.*)\]$/, "$1"))))
  .pipe(z.number().gt(0).lt(1));

/**
 * Schema of an array with a single check, because validating a model's 26,250 values by individual schemas takes 30 ms
 * at every start.
 */
function arrayOf<Value>(what: string, isValue: (value: unknown) => boolean) {
  const isArray = (given: unknown) => Array.isArray(given) && given.every((value) => isValue(value));
  return z.custom<readonly Value[]>(isArray, `expected an array of ${what}`);
}
const numbers = arrayOf<number>("numbers", Number.isFinite);
const indexes = arrayOf<number>("whole numbers", Number.isSafeInteger);
const flags = arrayOf<boolean | 0 | 1>("flags", (value) => typeof value === "boolean" || value === 0 || value === 1);

const treeSchema = z.object({
  tree_param: z.object({ size_leaf_vector: parameter.optional() }),
  left_children: indexes,
  right_children: indexes,
  split_indices: indexes,
  split_conditions: numbers,
  split_type: numbers.optional(),
  default_left: flags,
  sum_hessian: numbers,
});

const modelSchema = z.object({
  learner: z.object({
    feature_names: z.array(z.string()).optional(),
    learner_model_param: z.object({
      base_score: baseScore,
      num_class: parameter.pipe(z.number().max(1)).optional(),
      num_feature: parameter.pipe(z.literal(featureCount)),
      num_target: parameter.pipe(z.number().max(1)).optional(),
    }),
    objective: z.object({ name: z.enum(["binary:logistic", "reg:logistic"]) }),
    gradient_booster: z.object({
      name: z.literal("gbtree"),
      model: z.object({ trees: z.array(treeSchema).min(1) }),
    }),
  }),
});

type XgboostTree = z.infer<typeof treeSchema>;

type Node = {
  left: number;
  right: number;
  readonly feature: number;
  readonly threshold: number;
  readonly isMissingLeft: number;
  readonly leafLogOdds: number;
  readonly cover: number;
};

/**
 * Parses a binary classifier in XGBoost's JSON format (versions 1.x to 3.x), as written by `save_model`. Trees are
 * renumbered parents first; nodes left over from pruning are dropped.
 *
 * @param document  the parsed JSON, of any shape
 * @throws AppError PACK_REFUSED naming the unsupported part: another objective or booster, other features, categorical
 * splits, indexes outside the tree, nodes reached twice, missing covers
 * @see https://xgboost.readthedocs.io/en/stable/tutorials/saving_model.html
 */
export function parseXgboostModel(document: unknown): TreeEnsemble {
  const parsed = modelSchema.safeParse(document);
  if (!parsed.success) throw new AppError("PACK_REFUSED", faultOf(parsed.error));
  const { learner } = parsed.data;
  const columns = columnsOf(learner.feature_names ?? []);
  const nodes: Node[] = [];
  const roots = learner.gradient_booster.model.trees.map((tree, number) => {
    const root = nodes.length;
    try {
      appendTree(nodes, tree, columns);
    } catch (error) {
      if (!(error instanceof TreeFault)) throw error;
      const reason = because("usgModelTree", { tree: String(number), fault: error.message });
      throw new AppError("PACK_REFUSED", reason, { cause: error });
    }
    return root;
  });
  const base = learner.learner_model_param.base_score;
  return { baseLogOdds: Math.log(base / (1 - base)), roots: Int32Array.from(roots), ...flatten(nodes) };
}

/** A fault of a tree; the caller adds the tree's number. In English, for the author of the model. */
class TreeFault extends Error {}

function faultOf({ issues: [issue] }: z.ZodError): Reason {
  return because("usgModelField", { field: issue?.path.join(".") ?? "", fault: issue?.message ?? "unreadable" });
}

/** Index in `usgFeatures` of each of the model's columns; a model without names has them in this order. */
function columnsOf(names: readonly string[]): readonly number[] {
  const keys: readonly string[] = usgFeatures.map(({ key }) => key);
  if (names.length === 0) return keys.map((_, column) => column);
  const columns = names.map((name) => keys.indexOf(name));
  if (new Set(columns).size !== featureCount || columns.length !== featureCount || columns.includes(-1)) {
    throw new AppError("PACK_REFUSED", because("usgModelFeatures", { names: keys.join(", ") }));
  }
  return columns;
}

function appendTree(nodes: Node[], tree: XgboostTree, columns: readonly number[]): void {
  assertPlainTree(tree);
  const seen = new Set<number>();
  const visit = (source: number): number => {
    if (seen.has(source)) throw new TreeFault(`node ${source} is reached twice`);
    seen.add(source);
    if (nodes.length >= maximumNodes) throw new TreeFault(`the model has more than ${maximumNodes} nodes`);
    nodes.push(readNode(tree, source, columns));
    return nodes.length - 1;
  };
  const waiting = [{ source: 0, place: visit(0) }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const left = tree.left_children[next.source] as number;
    if (left === -1) continue;
    const right = tree.right_children[next.source] as number;
    const node = nodes[next.place] as Node;
    node.left = visit(left);
    node.right = visit(right);
    assertCover(node, nodes);
    waiting.push({ source: right, place: node.right }, { source: left, place: node.left });
  }
}

function assertPlainTree(tree: XgboostTree): void {
  const length = tree.left_children.length;
  if (length === 0) throw new TreeFault("left_children is empty");
  for (const name of ["right_children", "split_indices", "split_conditions", "default_left", "sum_hessian"] as const) {
    if (tree[name].length !== length)
      throw new TreeFault(`${name} holds ${tree[name].length} values for ${length} nodes`);
  }
  if ((tree.tree_param.size_leaf_vector ?? 0) > 1) throw new TreeFault("leaves must hold one value");
  if (tree.split_type?.some((type) => type !== 0)) throw new TreeFault("categorical splits are not supported");
}

function readNode(tree: XgboostTree, source: number, columns: readonly number[]): Node {
  const left = tree.left_children[source];
  const right = tree.right_children[source];
  if (left === undefined || right === undefined) throw new TreeFault(`node ${source} does not exist`);
  const isLeaf = left === -1;
  if (isLeaf !== (right === -1)) throw new TreeFault(`node ${source} has one child`);
  const feature = isLeaf ? 0 : columns[tree.split_indices[source] as number];
  if (feature === undefined) throw new TreeFault(`node ${source} splits on an unknown feature`);
  const condition = Math.fround(tree.split_conditions[source] as number);
  const cover = tree.sum_hessian[source] as number;
  if (!Number.isFinite(condition)) throw new TreeFault(`node ${source} has no finite value`);
  if (cover < 0 || (!isLeaf && cover === 0))
    throw new TreeFault(`node ${source} has no cover, which the explanation needs`);
  return {
    left: -1,
    right: -1,
    feature,
    threshold: isLeaf ? 0 : condition,
    isMissingLeft: Number(tree.default_left[source]),
    leafLogOdds: isLeaf ? condition : 0,
    cover,
  };
}

function assertCover(node: Node, nodes: readonly Node[]): void {
  const below = (nodes[node.left] as Node).cover + (nodes[node.right] as Node).cover;
  if (Math.abs(below - node.cover) > coverTolerance * node.cover)
    throw new TreeFault("covers of two children do not add up to their parent’s");
}

function flatten(nodes: readonly Node[]): Omit<TreeEnsemble, "baseLogOdds" | "roots"> {
  return {
    left: Int32Array.from(nodes, (node) => node.left),
    right: Int32Array.from(nodes, (node) => node.right),
    feature: Uint8Array.from(nodes, (node) => node.feature),
    threshold: Float32Array.from(nodes, (node) => node.threshold),
    isMissingLeft: Uint8Array.from(nodes, (node) => node.isMissingLeft),
    leafLogOdds: Float64Array.from(nodes, (node) => node.leafLogOdds),
    cover: Float64Array.from(nodes, (node) => node.cover),
  };
}
