// Runs once: uses no store.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDicomReader } from "../../../../main/dicom/dicom-reader.ts";
import type { DataSet } from "../../../../main/dicom/results/data-set.ts";
import { numbers, sequence, words } from "../../../../main/dicom/results/data-set.ts";
import type { Engine } from "../../../../main/inference/engine.ts";
import { startNetworkPool } from "../../../../main/inference/threads/network-pool.ts";
import { openRadiograph } from "../../../../main/services/measuring/open-radiograph.ts";
import { filmPixels } from "../../../../main/services/worklist/film-pixels.ts";
import {
  deepFilm,
  deepFilmFile,
  rightWindow,
  wrongWindows,
  type DeepFilm,
} from "../../../fixtures/imaging/deep-film.ts";
import { programEngine } from "../../inference/program-engine.ts";

const dicom = createDicomReader();
const names = ["dog-01", "dog-04"];
let engine: Engine;
let films: DeepFilm[];

beforeAll(async () => {
  engine = await programEngine(startNetworkPool(1));
  films = await Promise.all(names.map((name) => deepFilm(`test/fixtures/films/${name}.jpg`)));
});
afterAll(async () => {
  await engine.close();
  await dicom.close();
});

async function vhsOf(bytes: Uint8Array): Promise<number | null> {
  const measurement = await engine.measure(await openRadiograph(dicom, bytes));
  return measurement.kind === "measured" ? measurement.score.vhs : null;
}

async function seenOf(film: DeepFilm, elements: DataSet): Promise<Buffer> {
  return Buffer.from((await openRadiograph(dicom, deepFilmFile(film, elements))).grey);
}

/** Mean of the networks' input between 20 % and 80 % of its rows and columns. */
async function middleOf(film: DeepFilm, elements: DataSet): Promise<number> {
  const { grey, widthPx, heightPx } = await openRadiograph(dicom, deepFilmFile(film, elements));
  let [sum, count] = [0, 0];
  for (let y = Math.round(heightPx * 0.2); y < heightPx * 0.8; y += 1)
    for (let x = Math.round(widthPx * 0.2); x < widthPx * 0.8; x += 1)
      [sum, count] = [sum + grey[y * widthPx + x]!, count + 1];
  return sum / count;
}

/** The film with margins of 10 % set to `value`, as detectors fill areas that were not exposed. */
function shuttered({ widthPx, heightPx, samples }: DeepFilm, value: number): DeepFilm {
  const [left, right, upper, lower] = [0.1 * widthPx, 0.9 * widthPx, 0.1 * heightPx, 0.9 * heightPx].map(Math.round);
  const isOpen = (index: number) => {
    const [x, y] = [index % widthPx, Math.floor(index / widthPx)];
    return x >= left! && x < right! && y >= upper! && y < lower!;
  };
  return { widthPx, heightPx, samples: samples.map((sample, index) => (isOpen(index) ? sample : value)) };
}

describe("the display window", () => {
  test("does not change the networks' input, with ten wrong windows", async () => {
    const film = films[0]!;
    const wanted = await seenOf(film, rightWindow);
    for (const [name, elements] of wrongWindows)
      expect([name, (await seenOf(film, elements)).equals(wanted)]).toEqual([name, true]);
  });
  test("changes the score by at most 0.1 v from that of the plain picture", async () => {
    const moved: number[] = [];
    for (const [index, film] of films.entries()) {
      const asPicture = await vhsOf(readFileSync(`test/fixtures/films/${names[index]!}.jpg`));
      const [, wrong] = wrongWindows[3 * index]!;
      moved.push(Math.abs((await vhsOf(deepFilmFile(film, wrong)))! - asPicture!));
    }
    expect(Math.max(...moved)).toBeLessThanOrEqual(0.1);
  });
  test("changes the display only, also as a VOI table", async () => {
    const entries = Uint16Array.from({ length: 4096 }, (_, index) => (index < 2000 ? 0 : 65_535));
    const table = sequence({
      "00283002": numbers("US", 4096, 0, 16),
      "00283006": { vr: "OW", Value: [entries.buffer] },
    });
    const elements = { "00283010": table };
    const film = films[0]!;
    expect((await seenOf(film, elements)).equals(await seenOf(film, rightWindow))).toBe(true);
    const { data } = await filmPixels(dicom, Buffer.from(deepFilmFile(film, elements)));
    expect(new Set(new Uint16Array(data.buffer, data.byteOffset, data.length / 2))).toEqual(new Set([0, 65_535]));
  });
  test("is applied to thumbnails and exported pictures", async () => {
    const image = await openRadiograph(dicom, deepFilmFile(films[0]!, wrongWindows[0]![1]));
    expect(Buffer.from(image.shown).equals(Buffer.from(image.grey))).toBe(false);
    const { data } = await image.fullColour(image.widthPx);
    expect(data.filter((value) => value === 255).length / data.length).toBeGreaterThan(0.3);
  });
});

test("measures a film with half of its rows like the full film by its pixel aspect ratio", async () => {
  const { widthPx, heightPx, samples } = films[0]!;
  const rows = Math.floor(heightPx / 2);
  const halved = Uint16Array.from({ length: rows * widthPx }, (_, index) => {
    const above = 2 * Math.floor(index / widthPx) * widthPx + (index % widthPx);
    return Math.round((samples[above]! + samples[above + widthPx]!) / 2);
  });
  const film = { widthPx, heightPx: rows, samples: halved };
  const wanted = (await vhsOf(deepFilmFile(films[0]!, rightWindow)))!;
  const tall = { ...rightWindow, "00280034": numbers("IS", 2, 1) };
  expect(Math.abs((await vhsOf(deepFilmFile(film, tall)))! - wanted)).toBeLessThanOrEqual(0.1);
  expect(Math.abs(((await vhsOf(deepFilmFile(film, rightWindow))) ?? 0) - wanted)).toBeGreaterThan(0.1);
});

describe("the exposed field", () => {
  const edges = (group: string, { widthPx, heightPx }: DeepFilm): DataSet => ({
    [`${group}00`]: words("RECTANGULAR"),
    [`${group}02`]: numbers("IS", Math.round(0.1 * widthPx)),
    [`${group}04`]: numbers("IS", Math.round(0.9 * widthPx) + 1),
    [`${group}06`]: numbers("IS", Math.round(0.1 * heightPx)),
    [`${group}08`]: numbers("IS", Math.round(0.9 * heightPx) + 1),
  });
  const polygon = ({ widthPx, heightPx }: DeepFilm): DataSet => {
    const [left, right, upper, lower] = [0.1 * widthPx + 1, 0.9 * widthPx, 0.1 * heightPx + 1, 0.9 * heightPx].map(
      Math.round,
    ) as [number, number, number, number];
    return {
      "00181600": words("POLYGONAL"),
      "00181620": numbers("IS", upper, left, upper, right, lower, right, lower, left),
    };
  };
  const round = ({ widthPx, heightPx }: DeepFilm): DataSet => ({
    "00181600": words("CIRCULAR"),
    "00181610": numbers("IS", Math.round(heightPx / 2), Math.round(widthPx / 2)),
    "00181612": numbers("IS", Math.round(0.4 * Math.min(widthPx, heightPx))),
  });
  test.each([
    ["a shutter", (film: DeepFilm) => edges("001816", film)],
    ["a collimator", (film: DeepFilm) => edges("001817", film)],
    ["a polygonal shutter", polygon],
    ["a circular shutter", round],
    ["padding", () => ({ "00280120": numbers("US", 4095) })],
  ])("keeps its brightness with %s at the brightest value", async (_name, elements) => {
    const film = films[0]!;
    const bright = shuttered(film, 4095);
    const wanted = await middleOf(film, {});
    expect(Math.abs((await middleOf(bright, elements(film))) - wanted)).toBeLessThan(14);
    expect(wanted - (await middleOf(bright, {}))).toBeGreaterThan(14);
  });
  test("ignores a shutter that covers the whole film", async () => {
    const film = films[0]!;
    const nothing = { ...edges("001816", film), "00181604": numbers("IS", 3) };
    expect((await seenOf(film, nothing)).equals(await seenOf(film, {}))).toBe(true);
  });
});
