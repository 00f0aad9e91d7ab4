import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import https from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { usgFeatures } from "../../core/usg/features.ts";
import { logOddsOf, type TreeEnsemble } from "../../core/usg/tree-ensemble.ts";
import { createExplainer } from "../../core/usg/tree-shap.ts";
import type { Corvet } from "../compose.ts";
import { loadUsgPacks } from "../inference/usg-pack.ts";
import { programPacksDir } from "../program.ts";
import { createKey } from "../services/keys.ts";

/** One measured step: how often, and how long it took [ms]; the best shows what the machine can do when nothing else runs. */
export type UsgBenchRow = { readonly step: string; readonly runs: number; readonly bestMs: number; readonly p50Ms: number; readonly p95Ms: number };

/**
 * Times the explanation of one row, for the pack in use and for 300 full trees of depth 4, and the whole HTTPS call on a warm
 * connection. Client and service share this process, so the call's figure includes the client's own work.
 *
 * @param open  puts the program together in a data directory of its own
 */
export async function benchUsg(open: (dataDir: string) => Promise<Corvet>): Promise<readonly UsgBenchRow[]> {
  const { active } = loadUsgPacks([programPacksDir]);
  const explanations = [
    timeExplanation("explain, 300 full trees of depth 4", fullTrees(300, 4)),
    ...(active === null ? [] : [timeExplanation(`explain, pack ${active.name}`, active.model.trees)]),
  ];
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-bench-"));
  try {
    const corvet = await open(dataDir);
    try {
      return [...explanations, await timeCalls(corvet, dataDir)];
    } finally {
      await corvet.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function timeExplanation(step: string, trees: TreeEnsemble): UsgBenchRow {
  const { explain } = createExplainer(trees);
  const rows = Array.from({ length: 500 }, (_, number) => rowAt(number / 500)).map((row) => ({ row, logOdds: logOddsOf(trees, row) }));
  const explainAll = () => rows.map(({ row, logOdds }) => timeMs(() => explain(row, logOdds)));
  explainAll();
  return summarise(step, [...explainAll(), ...explainAll(), ...explainAll(), ...explainAll()]);
}

async function timeCalls(corvet: Corvet, dataDir: string): Promise<UsgBenchRow> {
  const { key } = createKey(corvet.context.db, { accountName: "Bench", name: "bench", at: new Date() });
  const authority = (JSON.parse(readFileSync(path.join(dataDir, "server.json"), "utf8")) as { authority: string }).authority;
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ...(authority !== "" && { ca: readFileSync(authority) }) });
  const times: number[] = [];
  for (let call = 0; call < 1200; call++) {
    const body = JSON.stringify(Object.fromEntries(usgFeatures.map(({ key: name }, column) => [name, rowAt((call % 400) / 400)[column]])));
    const startMs = performance.now();
    await predict(`${corvet.url}/usg/v1/predict`, agent, key, body);
    times.push(performance.now() - startMs);
  }
  agent.destroy();
  return summarise("POST /usg/v1/predict over HTTPS, warm connection", times.slice(200));
}

function predict(url: string, agent: https.Agent, key: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body), "x-api-key": key };
    const request = https.request(url, { method: "POST", agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`HTTP ${answer.statusCode}`));
      answer.resume().once("end", resolve);
    });
    request.once("error", reject).end(body);
  });
}

/** A row within the plausible ranges; `share` in [0, 1) tells where. */
function rowAt(share: number): Float64Array {
  return Float64Array.from(usgFeatures, ({ minimum, maximum }, column) => minimum + (maximum - minimum) * ((share * (column * 7 + 3)) % 1));
}

/** Full binary trees in which every split asks another feature at another place: the heaviest that 300 trees of a depth can be. */
function fullTrees(count: number, depth: number): TreeEnsemble {
  const perTree = 2 ** (depth + 1) - 1;
  const nodes = Array.from({ length: count * perTree }, (_, node) => ({ tree: Math.floor(node / perTree), place: node % perTree }));
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
    leafLogOdds: Float64Array.from(nodes, ({ tree, place }) => (isLeaf(place) ? ((tree * 13 + place * 7) % 11) / 100 - 0.05 : 0)),
    cover: Float64Array.from(nodes, ({ place }) => 2 ** (depth - Math.floor(Math.log2(place + 1)))),
  };
}

function timeMs(work: () => unknown): number {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
}

function summarise(step: string, times: readonly number[]): UsgBenchRow {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return { step, runs: times.length, bestMs: at(0), p50Ms: at(0.5), p95Ms: at(0.95) };
}
