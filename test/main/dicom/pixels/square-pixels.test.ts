import { expect, test } from "vitest";
import { describeInstance } from "../../../../main/dicom/dicom-instance.ts";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { pixelAspect, squareSize } from "../../../../main/dicom/pixel-grid.ts";
import { readFrame } from "../../../../main/dicom/pixels/read-frame.ts";
import { us, text, type Written } from "../dicom-writer.ts";
import { nativeFile, type Phantom } from "./phantom-film.ts";

const noCodec = () => Promise.reject(new Error("no codec is needed for plain pictures"));

/** A disc with a diameter of 40 px, with every second row or column of square pixels omitted. */
function disc(halved: "rows" | "columns" | "none"): Phantom {
  const [stepX, stepY] = [halved === "columns" ? 2 : 1, halved === "rows" ? 2 : 1];
  const [widthPx, heightPx] = [64 / stepX, 64 / stepY];
  const values = Int32Array.from({ length: widthPx * heightPx }, (_, index) => {
    const x = ((index % widthPx) + 0.5) * stepX - 32;
    const y = (Math.floor(index / widthPx) + 0.5) * stepY - 32;
    return Math.hypot(x, y) < 20 ? 3000 : 100;
  });
  return { widthPx, heightPx, bitsStored: 12, isSigned: false, values };
}

async function extentOf(file: Buffer) {
  const { samples, measured, widthPx, heightPx } = await readFrame(file, 0, noCodec);
  const isIn = (index: number) => samples[index]! > 1400;
  const bright = [...samples.keys()].filter(isIn);
  expect([...measured.samples]).toEqual([...samples]);
  const across = (places: readonly number[]) => Math.max(...places) - Math.min(...places) + 1;
  return {
    widthPx,
    heightPx,
    across: across(bright.map((index) => index % widthPx)),
    down: across(bright.map((index) => Math.floor(index / widthPx))),
  };
}

const mm = (tag: string, value: string) => text(tag, "DS", value);

test.each<[string, "rows" | "columns", readonly Written[]]>([
  ["Pixel Spacing of tall pixels", "rows", [mm("00280030", "0.2\\0.1")]],
  ["Pixel Spacing of wide pixels", "columns", [mm("00280030", "0.1\\0.2")]],
  ["Imager Pixel Spacing", "columns", [mm("00181164", "0.1\\0.2")]],
  ["the scanner's spacing", "rows", [mm("00182010", "0.2\\0.1")]],
  ["Pixel Aspect Ratio of tall pixels", "rows", [text("00280034", "IS", "2\\1")]],
  ["Pixel Aspect Ratio of wide pixels", "columns", [text("00280034", "IS", "50\\100")]],
])("makes a disc round by %s", async (_name, halved, elements) => {
  const { across, down, ...size } = await extentOf(nativeFile(disc(halved), elements));
  expect(size).toEqual({ widthPx: 64, heightPx: 64 });
  expect([Math.abs(across - 40) <= 1, Math.abs(down - 40) <= 1]).toEqual([true, true]);
});

test("converts the spacing to the square pixels", () => {
  const file = readDicomFile(nativeFile(disc("rows"), [mm("00280030", "0.2\\0.1")]));
  expect(describeInstance(file).spacing).toEqual({ rowMm: 0.1, columnMm: 0.1, kind: "pixel" });
});

test("prefers the spacing to a different aspect ratio", () => {
  const elements = [mm("00280030", "0.1\\0.1"), text("00280034", "IS", "2\\1")];
  expect(pixelAspect(readDicomFile(nativeFile(disc("none"), elements)))).toBe(1);
});

test("keeps square pixels", async () => {
  const film = disc("none");
  const { samples } = await readFrame(nativeFile(film, [mm("00280030", "0.1\\0.10001")]), 0, noCodec);
  expect([...samples]).toEqual([...film.values].map((value) => value - 100));
});

test("rejects an impossible aspect with its value", async () => {
  const file = nativeFile(disc("none"), [text("00280034", "IS", "1000000\\1")]);
  await expect(readFrame(file, 0, noCodec)).rejects.toMatchObject({ code: "INVALID_DICOM", message: /1000000/ });
});

test("shrinks a picture that would exceed the maximum size", () => {
  expect(squareSize({ widthPx: 10_000, heightPx: 9_000 }, 2)).toEqual({ widthPx: 5000, heightPx: 9000 });
  expect(squareSize({ widthPx: 10_000, heightPx: 9_000 }, 0.5)).toEqual({ widthPx: 10_000, heightPx: 4500 });
});

test("resizes colours with the film", async () => {
  const file = nativeFile(
    { ...disc("rows"), bitsStored: 8, values: new Int32Array(0) },
    [us("00280002", 3), text("00280004", "CS", "RGB"), us("00280006", 0), text("00280034", "IS", "2\\1")],
    Buffer.from(Uint8Array.from({ length: 64 * 32 * 3 }, (_, index) => (index % 3 === 0 ? 200 : 10))),
  );
  const { colour, samples, heightPx } = await readFrame(file, 0, noCodec);
  expect([heightPx, samples.length, colour?.length, colour?.[0], colour?.[1]]).toEqual([64, 4096, 12_288, 200, 10]);
});
