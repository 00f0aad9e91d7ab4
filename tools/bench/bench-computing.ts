import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import type { Corners } from "../../core/cardiac/points.ts";
import { median } from "../../core/cardiac/ruler/vertebral-ruler.ts";
import { usgFeatures } from "../../core/usg/features.ts";
import { logOddsOf, type TreeEnsemble } from "../../core/usg/tree-ensemble.ts";
import { createExplainer } from "../../core/usg/tree-shap.ts";
import { readDicomFile } from "../../main/dicom/dicom-file.ts";
import { createDicomReader } from "../../main/dicom/dicom-reader.ts";
import { numbers, text, uid, words, writeFile } from "../../main/dicom/results/data-set.ts";
import { sopClasses, uidOf } from "../../main/dicom/results/uids.ts";
import type { ColourPixels } from "../../main/imaging/decode-image.ts";
import { warpPerspective } from "../../main/imaging/rectify.ts";
import { loadUsgPacks } from "../../main/inference/packs/usg-pack.ts";
import { programDir, programVersion } from "../../main/program.ts";
import { filmPixels } from "../../main/services/worklist/film-pixels.ts";
import { timedMs } from "../quantiles.ts";

/** Median times of explaining one screening [ms]. */
export type UsgFigures = {
  /** 300 full trees of depth 4. */
  readonly explanationMs: number;
  /** Best time: performance of the machine without other load. */
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

/** A row within the plausible ranges; `share` in [0, 1) selects the position. */
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

/** Output megapixels of the perspective warp in a second of one core's time, on a 12-megapixel photograph. */
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
  // The first pass compiles the loop.
  await warpPerspective(photo, corners, size);
  const times: number[] = [];
  for (let run = 0; run < 5; run += 1) times.push(await processorMs(() => warpPerspective(photo, corners, size)));
  return (size.widthPx * size.heightPx) / 1000 / median(times);
}

/** Time that all threads of this process spend on a piece of work [ms]: other programs on the machine do not count. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Opening one film in the viewer: from the file on the disk to samples for the page. */
export type OpeningFigures = {
  /** Median of warm openings [ms]. */
  readonly openMs: number;
  /** The same in processor time of all threads: other programs on the machine do not count. */
  readonly openProcessorMs: number;
  /** An independent decoder on the same picture [ms]; null where it is not installed. */
  readonly judgeMs: number | null;
};

export type DicomFigures = {
  readonly plainFilm: OpeningFigures;
  /** null if no tool for compression is installed. */
  readonly jpeg2000Film: OpeningFigures | null;
  /** How densely the film was compressed; time of JPEG 2000 goes with it. */
  readonly jpeg2000BitsPerPixel: number | null;
};

const size = { widthPx: 3000, heightPx: 2400 } as const;
const runs = 5;
const dicom = createDicomReader();

/**
 * Opens a 16-bit film of 3000 x 2400, plain and as lossless JPEG 2000, compared with decoders of DCMTK and OpenJPEG.
 */
export async function benchDicom(): Promise<DicomFigures> {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-bench-dicom-"));
  try {
    const plain = path.join(folder, "plain.dcm");
    writeFileSync(plain, await noisyFilm());
    const [greymap, packed, codestream] = ["out.pgm", "packed.dcm", "packed.j2k"].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    const plainFilm = await openings(plain, ["dcmj2pnm", "+Wm", plain, greymap]);
    if (!runTool("gdcmconv", "--j2k", plain, packed))
      return { plainFilm, jpeg2000Film: null, jpeg2000BitsPerPixel: null };
    const { pixelData } = readDicomFile(readFileSync(packed));
    const compressed = pixelData?.kind === "encapsulated" ? pixelData.frame(0, 1) : Buffer.alloc(0);
    writeFileSync(codestream, compressed);
    // Debian's dcmj2pnm lacks JPEG 2000, so OpenJPEG's program is used.
    const jpeg2000Film = await openings(packed, ["opj_decompress", "-i", codestream, "-o", greymap]);
    return { plainFilm, jpeg2000Film, jpeg2000BitsPerPixel: (8 * compressed.length) / (size.widthPx * size.heightPx) };
  } finally {
    await dicom.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A simulated film with noise in its lower bits. */
async function noisyFilm(): Promise<Uint8Array> {
  const { widthPx, heightPx } = size;
  const grey = await sharp(path.join(programDir, "test", "fixtures", "films", "dog-large-01.jpg"))
    .resize(widthPx, heightPx, { fit: "fill" })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  let state = 1;
  const noise = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 24;
  const samples = new Uint16Array(widthPx * heightPx);
  for (let index = 0; index < samples.length; index += 1) samples[index] = (grey[index] as number) * 256 + noise();
  // The phantom's eight bits are smoothed into sixteen; the noise keeps the lower ones busy.
  const smooth = await sharp(samples, { raw: { width: widthPx, height: heightPx, channels: 1 } })
    .toColourspace("grey16")
    .blur(1.2)
    .raw({ depth: "ushort" })
    .toBuffer();
  return writeFile(
    {
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
    },
    programVersion,
  );
}

async function openings(file: string, [tool, ...args]: readonly [string, ...string[]]): Promise<OpeningFigures> {
  const open = async () => filmPixels(dicom, readFileSync(file));
  await open();
  const [times, processor, judged]: [number[], number[], number[]] = [[], [], []];
  const hasJudge = existsSync(path.join("/usr/bin", tool));
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    times.push(await timedMs(open));
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1000);
    if (hasJudge) judged.push(await timedMs(async () => runTool(tool, ...args)));
  }
  return { openMs: median(times), openProcessorMs: median(processor), judgeMs: hasJudge ? median(judged) : null };
}

function runTool(tool: string, ...args: readonly string[]): boolean {
  return spawnSync(tool, args, { stdio: "ignore" }).status === 0;
}
