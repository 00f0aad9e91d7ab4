// Runs once: uses no store.
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { createDicomReader } from "../../../../main/dicom/dicom-reader.ts";
import { filmPixels } from "../../../../main/services/worklist/film-pixels.ts";
import { openRadiograph } from "../../../../main/services/measuring/open-radiograph.ts";
import { text, us } from "../../dicom/dicom-writer.ts";
import { nativeFile, type Phantom } from "../../dicom/pixels/phantom-film.ts";

const dicom = createDicomReader();
let png: Buffer;
let deep: Phantom;

beforeAll(async () => {
  const grey = sharp("test/fixtures/films/dog-large-01.jpg").resize(1350).toColourspace("b-w");
  png = await grey.png().toBuffer();
  const { data, info } = await sharp(png).toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  // 14-bit samples with an offset, as detectors produce them.
  deep = {
    widthPx: info.width,
    heightPx: info.height,
    bitsStored: 14,
    isSigned: false,
    values: Int32Array.from(data, (value) => 1000 + value * 48),
  };
});
function correlation(one: Uint8Array, other: Uint8Array): number {
  const mean = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanOne, meanOther] = [mean(one), mean(other)];
  let [both, ofOne, ofOther] = [0, 0, 0];
  one.forEach((value, index) => {
    const [a, b] = [value - meanOne, other[index]! - meanOther];
    both += a * b;
    ofOne += a * a;
    ofOther += b * b;
  });
  return both / Math.sqrt(ofOne * ofOther);
}

const window = [text("00281050", "DS", "7120"), text("00281051", "DS", "12241")];
const turned = (film: Phantom): Phantom => ({ ...film, values: film.values.map((value) => 16_383 - value) });

describe("a film as DICOM and as PNG", () => {
  test("yields nearly the same network input, also with inverted photometric interpretation", async () => {
    const wanted = await openRadiograph(dicom, png);
    const inverse = [
      text("00280004", "CS", "MONOCHROME1"),
      text("00281050", "DS", "9264"),
      text("00281051", "DS", "12241"),
    ];
    for (const file of [nativeFile(deep, window), nativeFile(turned(deep), inverse)]) {
      const image = await openRadiograph(dicom, file);
      expect([image.widthPx, image.heightPx, image.fullWidthPx, image.fullHeightPx, image.colour]).toEqual([
        wanted.widthPx,
        wanted.heightPx,
        wanted.fullWidthPx,
        wanted.fullHeightPx,
        null,
      ]);
      expect(
        image.shown.reduce((most, value, index) => Math.max(most, Math.abs(value - wanted.grey[index]!)), 0),
      ).toBeLessThanOrEqual(2);
      expect(correlation(image.grey, wanted.grey)).toBeGreaterThan(0.995);
    }
  });
});

test("a film in colours yields the same network input and colours as DICOM and as PNG", async () => {
  const [widthPx, heightPx] = [120, 90];
  const rgb = Buffer.from(Array.from({ length: 3 * widthPx * heightPx }, (_, index) => (index * 7) % 256));
  const raw = { width: widthPx, height: heightPx, channels: 3 } as const;
  const plain: Phantom = { widthPx, heightPx, bitsStored: 8, isSigned: false, values: new Int32Array() };
  const elements = [us("00280002", 3), text("00280004", "CS", "RGB"), us("00280006", 0)];
  const [one, other] = [
    await openRadiograph(dicom, nativeFile(plain, elements, rgb)),
    await openRadiograph(dicom, await sharp(rgb, { raw }).png().toBuffer()),
  ];
  expect([one.grey, one.shown, one.colour]).toEqual([other.grey, other.shown, new Uint8Array(rgb)]);
  expect(await one.fullColour()).toEqual(await other.fullColour());
});

describe("samples for the viewer", () => {
  test("contain depth, window and rescale values of a DICOM film", async () => {
    const small: Phantom = {
      widthPx: 40,
      heightPx: 40,
      bitsStored: 12,
      isSigned: false,
      values: Int32Array.from({ length: 1600 }, (_, index) => 500 + index),
    };
    const pixels = await filmPixels(
      dicom,
      nativeFile(small, [
        text("00281050", "DS", "1000"),
        text("00281051", "DS", "401"),
        text("00281052", "DS", "-100"),
        text("00281053", "DS", "1"),
      ]),
    );
    expect({ ...pixels, data: pixels.data.readUInt16LE(2 * 1599) }).toEqual({
      data: 1599,
      widthPx: 40,
      heightPx: 40,
      bits: 11,
      window: { centre: 599.5, width: 400 },
      value: { slope: 1, intercept: 400, unit: null },
    });
  });
  test("contain the full depth of a 16-bit PNG", async () => {
    const samples = Uint16Array.from({ length: 64 * 64 }, (_, index) => index * 16);
    const file = await sharp(samples, { raw: { width: 64, height: 64, channels: 1 } })
      .toColourspace("grey16")
      .png()
      .toBuffer();
    const { data, bits, window: own } = await filmPixels(dicom, file);
    expect([bits, own, [...new Uint16Array(data.buffer, data.byteOffset, data.length / 2)]]).toEqual([
      16,
      null,
      [...samples],
    ]);
  });
  test("are refused for a DICOM file without pixels and for a PDF", async () => {
    await expect(
      openRadiograph(dicom, nativeFile({ ...deep, values: new Int32Array(0) }, [us("00280010", 0)])),
    ).rejects.toMatchObject({ code: "INVALID_DICOM" });
    await expect(openRadiograph(dicom, Buffer.from("%PDF-1.7 a handout"))).rejects.toMatchObject({
      code: "UNSUPPORTED_IMAGE",
    });
  });
});
