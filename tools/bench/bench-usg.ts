import { median } from "../../core/cardiac/ruler/vertebral-ruler.ts";
import { usgFeatures } from "../../core/usg/features.ts";
import { logOddsOf, type TreeEnsemble } from "../../core/usg/tree-ensemble.ts";
import { createExplainer } from "../../core/usg/tree-shap.ts";
import { loadUsgPacks } from "../../main/inference/packs/usg-pack.ts";

/** Median times of explaining one screening [ms]. */
export type UsgFigures = {
  /** 300 full trees of depth 4. */
  readonly explanationMs: number;
  /** The same at its best: what the machine can do when nothing else runs. */
  readonly explanationBestMs: number;
  /** The pack in use; null without one. */
  readonly packExplanationMs: number | null;
};

/** Times the explanation of a screening; the whole call over HTTPS is timed with the service. */
export function benchUsg(packsDir: string): UsgFigures {
  const full = timeExplanations(fullTrees(300, 4));
  const { active } = loadUsgPacks([packsDir]);
  return {
    explanationMs: median(full),
    explanationBestMs: Math.min(...full),
    packExplanationMs: active && median(timeExplanations(active.model.trees)),
  };
}

function timeExplanations(trees: TreeEnsemble): number[] {
  const { explain } = createExplainer(trees);
  const rows = Array.from({ length: 500 }, (_, number) => rowAt(number / 500)).map((row) => ({
    row,
    logOdds: logOddsOf(trees, row),
  }));
  const explainAll = () =>
    rows.map(({ row, logOdds }) => {
      const startMs = performance.now();
      explain(row, logOdds);
      return performance.now() - startMs;
    });
  explainAll();
  return [explainAll(), explainAll(), explainAll(), explainAll()].flat();
}

/** A row within the plausible ranges; `share` in [0, 1) tells where. */
function rowAt(share: number): Float64Array {
  return Float64Array.from(
    usgFeatures,
    ({ minimum, maximum }, column) => minimum + (maximum - minimum) * ((share * (column * 7 + 3)) % 1),
  );
}

/**
 * Full binary trees in which every split asks another feature at another place: the heaviest that 300 trees of a depth
 * can be.
 */
function fullTrees(count: number, depth: number): TreeEnsemble {
  const perTree = 2 ** (depth + 1) - 1;
  const nodes = Array.from({ length: count * perTree }, (_, node) => ({
    tree: Math.floor(node / perTree),
    place: node % perTree,
  }));
  const isLeaf = (place: number) => place >= 2 ** depth - 1;
  const featureOf = (tree: number, place: number) => (tree + place * 3) % usgFeatures.length;
  const rows = Array.from(nodes, ({ tree, place }) => rowAt(((tree * 31 + place * 17) % 97) / 97));
  return {
    baseLogOdds: 0,
    roots: Int32Array.from({ length: count }, (_, tree) => tree * perTree),
    left: Int32Array.from(nodes, ({ tree, place }) => (isLeaf(place) ? -1 : tree * perTree + 2 * place + 1)),
    right: Int32Array.from(nodes, ({ tree, place }) => (isLeaf(place) ? -1 : tree * perTree + 2 * place + 2)),
    feature: Uint8Array.from(nodes, ({ tree, place }) => featureOf(tree, place)),
    threshold: Float32Array.from(nodes, ({ tree, place }, node) => rows[node]?.[featureOf(tree, place)] ?? 0),
    isMissingLeft: new Uint8Array(nodes.length),
    leafLogOdds: Float64Array.from(nodes, ({ tree, place }) =>
      isLeaf(place) ? ((tree * 13 + place * 7) % 11) / 100 - 0.05 : 0,
    ),
    cover: Float64Array.from(nodes, ({ place }) => 2 ** (depth - Math.floor(Math.log2(place + 1)))),
  };
}
