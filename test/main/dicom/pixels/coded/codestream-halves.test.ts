import { beforeAll, describe, expect, test } from "vitest";
import { compileCodecs, startCodecs, type Codecs } from "../../../../../main/dicom/pixels/coded/codec-module.ts";
import { codestreamHalves } from "../../../../../main/dicom/pixels/coded/codestream-halves.ts";
import { createDicomReader } from "../../../../../main/dicom/dicom-reader.ts";
import { hasTool, madeBy } from "../dicom-tools.ts";
import { encapsulatedFile, greymapOf, phantomFilm, type Phantom } from "../phantom-film.ts";

let codecs: Codecs;
let film: Phantom;
const hasEncoder = hasTool("opj_compress");

beforeAll(async () => {
  codecs = await startCodecs(await compileCodecs());
  film = await phantomFilm(12, false, { widthPx: 423, heightPx: 517 });
});

const compressed = (phantom: Phantom, ...args: string[]) =>
  madeBy("opj_compress", ["-i", "IN", "-o", "OUT", ...args], greymapOf(phantom), { in: ".pgm", out: ".j2k" });
const decoded = (bytes: Uint8Array, { widthPx, heightPx, bitsStored }: Phantom) =>
  codecs.decode({
    coding: "DecodeJpeg2000",
    bytes,
    widthPx,
    heightPx,
    samplesPerPixel: 1,
    bitsAllocated: 16,
    bitsStored,
    isSigned: false,
  });

describe.skipIf(!hasEncoder)("each half of a codestream gives its rows as the whole does", () => {
  const ways: readonly (readonly string[])[] = [
    [],
    ["-n", "2"],
    ["-n", "8"],
    ["-b", "32,32"],
    ["-b", "16,64"],
    ["-b", "4,4"],
    ["-r", "40,10,1"],
    ["-I", "-r", "8"],
    ["-I", "-r", "60,20,6"],
    ["-r", "40,10,1", "-p", "RLCP"],
    ["-r", "30,1", "-p", "RPCL"],
    ["-r", "30,1", "-p", "PCRL"],
    ["-r", "30,1", "-p", "CPRL"],
  ];
  // The first row, lossless in one layer with 5 levels and blocks of 64 x 64, is what clinics have.
  test.each(ways.map((way) => [way]))("opj_compress %j", async (way) => {
    const bytes = compressed(film, ...way);
    const whole = await decoded(bytes, film);
    const halves = codestreamHalves(bytes) ?? [];
    expect(halves.map(({ top, bottom }) => [top, bottom])).toEqual([
      [0, 259],
      [259, 517],
    ]);
    for (const half of halves) {
      const rows = (samples: Uint8Array) =>
        Buffer.from(samples.subarray(half.top * 2 * film.widthPx, half.bottom * 2 * film.widthPx));
      expect(rows(await decoded(half.bytes, film)).equals(rows(whole))).toBe(true);
    }
  });
  test("and is shorter than the whole", () => {
    const bytes = compressed(film, "-b", "16,16");
    expect(codestreamHalves(bytes)?.map((half) => half.bytes.length / bytes.length < 0.7)).toEqual([true, true]);
  });
});

describe.skipIf(!hasEncoder)("a codestream that is built in another way is left whole", () => {
  test.each([
    ["without wavelets", ["-n", "1"]],
    ["tiles", ["-t", "200,200"]],
    ["precincts", ["-c", "[128,128]"]],
    ["marks of packets", ["-SOP"]],
    ["marks of headers", ["-EPH"]],
    ["code-blocks in pieces", ["-M", "4"]],
    ["raw passes", ["-M", "1"]],
    ["an offset", ["-d", "16,16"]],
    ["parts of a tile", ["-TP", "R"]],
  ] as const)("%s", (_name, way) => {
    expect(codestreamHalves(compressed(film, ...way))).toBeNull();
  });
  test("never throws on a codestream cut off or damaged anywhere", () => {
    const bytes = compressed(film);
    for (let at = 0; at < bytes.length; at += 997) {
      expect(codestreamHalves(bytes.subarray(0, at))).toBeNull();
      const damaged = Buffer.from(bytes);
      damaged[at] = 255 - (damaged[at] ?? 0);
      codestreamHalves(damaged);
    }
  });
});

describe.skipIf(!hasEncoder)("a large film in two threads", () => {
  const uid = "1.2.840.10008.1.2.4.90";
  test("gives every stored value back, and a damaged one its fault", async () => {
    const large = await phantomFilm(16, false, { widthPx: 1300, heightPx: 901 });
    const codestream = compressed(large);
    const reader = createDicomReader({ threads: 1 });
    const { samples } = await reader.frame(encapsulatedFile(large, uid, [], [codestream]), 0);
    expect(Buffer.from(samples.buffer).equals(Buffer.from(Uint16Array.from(large.values).buffer))).toBe(true);
    await expect(
      reader.frame(encapsulatedFile(large, uid, [], [codestream.subarray(0, 20_000)]), 0),
    ).rejects.toMatchObject({ code: "INVALID_DICOM" });
    expect((await reader.frame(encapsulatedFile(large, uid, [], [codestream]), 0)).samples.length).toBe(1300 * 901);
    await reader.close();
  });
});
