import path from "node:path";
import sharp from "sharp";
import type { Corners } from "../../core/cardiac/points.ts";
import { median } from "../../core/median.ts";
import { usgFeatures } from "../../core/usg/features.ts";
import { logOddsOf, type TreeEnsemble } from "../../core/usg/tree-ensemble.ts";
import { createExplainer } from "../../core/usg/tree-shap.ts";
import { createDicomReader } from "../../main/dicom/dicom-reader.ts";
import { numbers, text, uid, words, writeFile } from "../../main/dicom/results/data-set.ts";
import { sopClasses, uidOf } from "../../main/dicom/results/uids.ts";
import type { ColourPixels } from "../../main/imaging/decode-image.ts";
import { warpPerspective } from "../../main/imaging/rectify.ts";
import { loadUsgPacks } from "../../main/inference/packs/usg-pack.ts";
import { programDir } from "../../main/program.ts";
import { filmPixels } from "../../main/services/worklist/film-pixels.ts";
import { timedMs } from "../quantiles.ts";

/** Times of explaining one screening [ms]. `benchService` times the whole call over HTTPS. */
export function benchUsg(packsDir: string) {
  const full = timeExplanations(fullTrees(300, 4));
  const { active } = loadUsgPacks([packsDir]);
  return {
    explanationMs: median(full),
    /** Least affected by other load on the computer. */
    explanationBestMs: Math.min(...full),
    /** null without an active pack. */
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

function rowAt(share: number): Float64Array {
  return Float64Array.from(
    usgFeatures,
    ({ minimum, maximum }, column) => minimum + (maximum - minimum) * ((share * (column * 7 + 3)) % 1),
  );
}

/** Full binary trees with a different feature and threshold at each split, the worst case for trees of this depth. */
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

/** Throughput of the perspective warp of a 12-megapixel photograph [output megapixels per second of one core]. */
export async function benchRectification(): Promise<number> {
  const photo: ColourPixels = {
    widthPx: 4000,
    heightPx: 3000,
    channels: 3,
    data: Uint8Array.from({ length: 36_000_000 }, (_, index) => index * 7),
  };
  const corners: Corners = [
    { x: 310, y: 240 },
    { x: 3600, y: 420 },
    { x: 3450, y: 2800 },
    { x: 250, y: 2600 },
  ];
  const size = { widthPx: 3200, heightPx: 2400 };
  // Warm-up: the first pass compiles the loop.
  await warpPerspective(photo, corners, size);
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) times.push(await processorMs(() => warpPerspective(photo, corners, size)));
  return (size.widthPx * size.heightPx) / 1000 / median(times);
}

/** Processor time of all threads of this process [ms], independent of other programs on the computer. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const size = { widthPx: 3000, heightPx: 2400 } as const;
const runs = 5;

/** Median times of opening an uncompressed 16-bit film, from the file's bytes to the pixels for the page [ms]. */
export async function benchDicom() {
  const dicom = createDicomReader();
  try {
    const film = Buffer.from(await deepFilm());
    const open = async () => filmPixels(dicom, film);
    await open();
    const [times, processor]: [number[], number[]] = [[], []];
    for (let run = 0; run < runs; run += 1)
      processor.push(await processorMs(async () => times.push(await timedMs(open))));
    return { openMs: median(times), openProcessorMs: median(processor) };
  } finally {
    await dicom.close();
  }
}

async function deepFilm(): Promise<Uint8Array> {
  const { widthPx, heightPx } = size;
  const smooth = await sharp(path.join(programDir, "test", "fixtures", "films", "dog-large-01.jpg"))
    .resize(widthPx, heightPx, { fit: "fill" })
    .toColourspace("grey16")
    .blur(1.2)
    .raw({ depth: "ushort" })
    .toBuffer();
  return writeFile({
    "00080016": uid(sopClasses.secondaryCapture),
    "00080018": uid(uidOf("bench")),
    "00080060": words("DX"),
    "0020000D": uid(uidOf("bench", "study")),
    "0020000E": uid(uidOf("bench", "series")),
    "00280002": numbers("US", 1),
    "00280004": words("MONOCHROME2"),
    "00280010": numbers("US", heightPx),
    "00280011": numbers("US", widthPx),
    "00280100": numbers("US", 16),
    "00280101": numbers("US", 16),
    "00280102": numbers("US", 15),
    "00280103": numbers("US", 0),
    "00100010": text("PN", "Bench"),
    "7FE00010": { vr: "OW", Value: [smooth.buffer.slice(smooth.byteOffset, smooth.byteOffset + smooth.byteLength)] },
  });
}
