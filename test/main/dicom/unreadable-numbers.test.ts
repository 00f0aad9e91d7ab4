import { describe, expect, test } from "vitest";
import { reasonInEnglish } from "../../../core/app-error.ts";
import { readDicomFile } from "../../../main/dicom/dicom-file.ts";
import { describeInstance } from "../../../main/dicom/dicom-instance.ts";
import { readFrame } from "../../../main/dicom/pixels/read-frame.ts";
import { shownSamples } from "../../../main/imaging/sample-window.ts";
import { bytes, sequence, text, us, type Written } from "./dicom-writer.ts";
import { nativeFile, phantomFilm } from "./pixels/phantom-film.ts";

const film = await phantomFilm(12);
const noCodec = () => Promise.reject(new Error("no codec is needed for plain pictures"));
const instanceOf = (...extra: Written[]) => describeInstance(readDicomFile(nativeFile(film, extra)));
const noticesOf = (...extra: Written[]) => instanceOf(...extra).notices.map(reasonInEnglish);
const frameOf = (...extra: Written[]) => readFrame(nativeFile(film, extra), 0, noCodec);

async function shown(...extra: Written[]): Promise<number[]> {
  const { samples, window } = await frameOf(...extra);
  return [...shownSamples(samples, window)];
}

describe("a number in another format", () => {
  test.each(["DS", "LO", "SH", "UT", "ST", "LT", "UC", "CS", "IS"])("is read under the VR %s", (vr) => {
    const { spacing, notices } = instanceOf(text("00181164", vr, "0,2\\0,25"));
    expect(spacing).toMatchObject({ kind: "imager", rowMm: expect.closeTo(0.2, 3) as number });
    expect(notices).toEqual([]);
  });
  test.each(["FD", "FL"])("is read under the VR %s", async (vr) => {
    const values = vr === "FD" ? Float64Array.of(0.2, 0.4) : Float32Array.of(0.2, 0.4);
    const frame = await frameOf(bytes("00280030", vr, new Uint8Array(values.buffer)));
    expect(frame).toMatchObject({ widthPx: 2 * film.widthPx, isShapeDoubtful: false });
  });
  test("is read in a window and a rescale", async () => {
    const plain = await shown(
      text("00281050", "DS", "400.5"),
      text("00281051", "DS", "300"),
      text("00281052", "DS", "-24"),
      text("00281053", "DS", "0.25"),
    );
    const odd = await shown(
      text("00281050", "SH", "400,5"),
      us("00281051", 300),
      text("00281052", "LO", "-24,0"),
      text("00281053", "UT", "0,25"),
    );
    expect(odd).toEqual(plain);
  });
  test("is read in the description of the picture", async () => {
    const odd = await shown(
      text("00280010", "IS", `${film.heightPx}`),
      text("00280101", "DS", "12"),
      text("00280102", "SH", "11"),
      text("00280008", "LO", "1"),
    );
    expect(odd).toEqual(await shown());
  });
});

describe("an unreadable number", () => {
  const decisive: readonly [tag: string, name: string][] = [
    ["00280030", "Pixel Spacing (0028,0030)"],
    ["00181164", "Imager Pixel Spacing (0018,1164)"],
    ["00182010", "Nominal Scanned Pixel Spacing (0018,2010)"],
    ["00280034", "Pixel Aspect Ratio (0028,0034)"],
    ["00181114", "Estimated Radiographic Magnification Factor (0018,1114)"],
    ["00181612", "Radius of Circular Shutter (0018,1612)"],
    ["00181720", "Vertices of the Polygonal Collimator (0018,1720)"],
    ["00280008", "Number of Frames (0028,0008)"],
    ["00280101", "Bits Stored (0028,0101)"],
    ["00280103", "Pixel Representation (0028,0103)"],
    ["00280120", "Pixel Padding Value (0028,0120)"],
    ["00281050", "Window Center (0028,1050)"],
    ["00281051", "Window Width (0028,1051)"],
    ["00281052", "Rescale Intercept (0028,1052)"],
    ["00281053", "Rescale Slope (0028,1053)"],
  ];
  const junk = ["abc", "1.234,5", "0.2 mm", "0.2;0.2", "0.2\\x", "NaN", "0x10"];
  test.each(decisive)("is reported in %s: %s", (tag, name) => {
    for (const value of junk)
      expect(noticesOf(text(tag, "LO", value)), value).toEqual([
        `${name} in the DICOM file cannot be read and is ignored`,
      ]);
  });
  test.each(["0.2", "0\\0", "-1\\-1", "0.2\\"])("is reported in a spacing of %s", (value) => {
    expect(noticesOf(text("00280030", "DS", value))).toHaveLength(1);
  });
  test("is not reported for an empty or missing element", () => {
    expect(noticesOf(text("00280030", "DS", ""), text("00281053", "DS", "  "))).toEqual([]);
  });
  test("in the corner of a polygon does not shift the others", async () => {
    const frame = await frameOf(
      text("00181600", "CS", "POLYGONAL"),
      text("00181620", "IS", "1\\1\\x\\100\\1\\100\\120\\100\\120\\1"),
    );
    expect(frame.window).toEqual((await frameOf()).window);
  });
  test("is reported for a look-up table without data", async () => {
    const tables = [sequence("00283010", [us("00283002", 4096, 0, 12)])];
    expect(noticesOf(...tables)).toEqual([
      "The table VOI LUT (0028,3010) in the DICOM file is incomplete; the film is shown without it",
    ]);
    expect(await shown(...tables)).toEqual(await shown());
  });
});

describe("the proportions of a film", () => {
  const junk = (tag: string) => text(tag, "DS", "a\\b");
  const pair = (tag: string) => text(tag, "DS", "0.2\\0.2");
  test.each([
    ["without a readable spacing", true, [junk("00280030")]],
    ["with only the detector's spacing", true, [junk("00280030"), pair("00181164")]],
    ["with a better readable spacing", false, [pair("00280030"), junk("00181164"), junk("00280034")]],
    ["with an unreadable magnification", false, [pair("00181164"), text("00181114", "DS", "x")]],
    ["without any spacing", false, []],
  ] as const)("%s: isShapeDoubtful is %s", async (_, isShapeDoubtful, extra) => {
    expect(await frameOf(...extra)).toMatchObject({ isShapeDoubtful });
  });
});

test("ignores the window with an unreadable rescale, to whose values it refers", async () => {
  const window = [text("00281050", "DS", "100"), text("00281051", "DS", "50")];
  expect(await shown(text("00281053", "DS", "?"), ...window)).toEqual(await shown());
});
