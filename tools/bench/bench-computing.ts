import path from "node:path";
import sharp from "sharp";
import type { Corners } from "../../core/cardiac/points.ts";
import { median } from "../../core/median.ts";
import { createDicomReader } from "../../main/dicom/dicom-reader.ts";
import { numbers, text, uid, words, writeFile } from "../../main/dicom/results/data-set.ts";
import { sopClasses, uidOf } from "../../main/dicom/results/uids.ts";
import type { ColourPixels } from "../../main/imaging/decode-image.ts";
import { warpPerspective } from "../../main/imaging/rectify.ts";
import { programDir, programVersion } from "../../main/program.ts";
import { filmPixels } from "../../main/services/worklist/film-pixels.ts";
import { timedMs } from "../quantiles.ts";

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

/** Median times of opening a DICOM film in the viewer, from the file's bytes to the pixels for the page [ms]. */
export type DicomFigures = {
  readonly openMs: number;
  /** Processor time of all threads. */
  readonly openProcessorMs: number;
};

/** Opens an uncompressed 16-bit film of 3000 x 2400. */
export async function benchDicom(): Promise<DicomFigures> {
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

/** Simulated 16-bit film; smoothing fills the lower bits. */
async function deepFilm(): Promise<Uint8Array> {
  const { widthPx, heightPx } = size;
  const smooth = await sharp(path.join(programDir, "test", "fixtures", "films", "dog-large-01.jpg"))
    .resize(widthPx, heightPx, { fit: "fill" })
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
