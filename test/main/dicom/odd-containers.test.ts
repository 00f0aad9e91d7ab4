import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isDicom, readDicomFile } from "../../../main/dicom/dicom-file.ts";
import { describeInstance } from "../../../main/dicom/dicom-instance.ts";
import { readFrame } from "../../../main/dicom/pixels/read-frame.ts";
import { bytes, dataSet, encapsulated, explicit, implicit, openSequence, partTen, text, us } from "./dicom-writer.ts";
import { hasTool, madeBy } from "./pixels/dicom-tools.ts";
import { encapsulatedFile, nativeFile, phantomFilm, pictureElements, wordsOf } from "./pixels/phantom-film.ts";
import { startedCodecs } from "../../fixtures/dicom/started-codecs.ts";

const syntax = {
  explicit: "1.2.840.10008.1.2.1",
  deflated: "1.2.840.10008.1.2.1.99",
  losslessJpeg: "1.2.840.10008.1.2.4.70",
  jpeg2000: "1.2.840.10008.1.2.4.90",
  rle: "1.2.840.10008.1.2.5",
} as const;

const codecs = await startedCodecs();
const film = await phantomFilm(12);
const padded = (words: Buffer) => (words.length % 2 === 0 ? words : Buffer.concat([words, Buffer.alloc(1)]));
const pixels = () => bytes("7FE00010", "OW", padded(wordsOf(film)));
const body = dataSet(...pictureElements(film), pixels());
const right = await shown(nativeFile(film));

async function shown(file: Buffer) {
  const { samples, window } = await readFrame(file, 0, async () => codecs);
  return { samples: Buffer.from(samples.buffer).toString("base64"), window };
}

const behindHeader = (header: Buffer, data = body) =>
  Buffer.concat([Buffer.alloc(128), Buffer.from("DICM"), header, data]);
const syntaxElement = (uid: string) => text("00020010", "UI", uid);

const brokenSequences = [
  ["that contains bytes", "53563130616161616262626200000000"],
  ["with an item longer than itself", "feff00e0ffff0f006161616162626262"],
  ["with a delimitation item within its defined length", "feff00e000000000feffdde000000000"],
] as const;

describe("an unusually written file", () => {
  const files: readonly [name: string, file: () => Buffer][] = [
    ["with header in implicit representation", () => behindHeader(implicit(syntaxElement(syntax.explicit)))],
    [
      "with a second header, which is ignored",
      () =>
        behindHeader(Buffer.concat([syntax.explicit, syntax.losslessJpeg].map((uid) => explicit(syntaxElement(uid))))),
    ],
    ["without the prefix after its preamble", () => Buffer.from(partTen(syntax.explicit, body)).fill(0, 128, 132)],
    [
      "with nothing between preamble and header",
      () => Buffer.concat([Buffer.alloc(128), partTen(syntax.explicit, body).subarray(132)]),
    ],
    ["with the prefix but no preamble", () => partTen(syntax.explicit, body).subarray(128)],
    ["that is deflated with a zlib header", () => partTen(syntax.deflated, deflateSync(body))],
    ["that is deflated with a gzip header", () => partTen(syntax.deflated, gzipSync(body))],
    ["with a trailing line end", () => Buffer.concat([partTen(syntax.explicit, body), Buffer.from("\r\n")])],
    ["with trailing zeros", () => Buffer.concat([partTen(syntax.explicit, body), Buffer.alloc(300)])],
    [
      "with trailing text",
      () => Buffer.concat([partTen(syntax.explicit, body), Buffer.from("sent by a gateway".repeat(9))]),
    ],
    [
      "with a private element of invalid representation",
      () => {
        const odd = explicit({ tag: "00211001", vr: "XX", value: Buffer.from("ABCD") });
        odd.set([6, 0], 4);
        const elements = pictureElements(film);
        const [before, behind] = [true, false].map((isBefore) =>
          elements.filter(({ tag }) => tag < "0021" === isBefore),
        );
        return partTen(
          syntax.explicit,
          Buffer.concat([dataSet(...(before ?? [])), odd, dataSet(...(behind ?? []), pixels())]),
        );
      },
    ],
    [
      "with delimitation items of undefined length",
      () => {
        const sequence = explicit(openSequence("00081115", [text("00080050", "SH", "A1")]), 0xffffffff);
        const ended = Buffer.concat([sequence, Buffer.from("feffdde0ffffffff", "hex")]);
        const itemEnd = ended.indexOf(Buffer.from("feff0de000000000", "hex"));
        ended.fill(0xff, itemEnd + 4, itemEnd + 8);
        return partTen(syntax.explicit, Buffer.concat([ended, dataSet(...pictureElements(film).slice(3), pixels())]));
      },
    ],
    ...brokenSequences.map(([name, value]): [string, () => Buffer] => [
      `with a private sequence ${name}`,
      () => {
        const broken = bytes("00091010", "SQ", Buffer.from(value, "hex"));
        return partTen(syntax.explicit, dataSet(broken, ...pictureElements(film), pixels()));
      },
    ]),
    [
      "whose pixel data is shorter than its length",
      () => {
        const elements = dataSet(...pictureElements(film));
        const { value } = pixels();
        const stated = explicit({ tag: "7FE00010", vr: "OW", value }, value.length + 5000);
        return partTen(syntax.explicit, Buffer.concat([elements, stated]));
      },
    ],
    ["with zero frames", () => nativeFile(film, [text("00280008", "IS", "0")])],
    [
      "with uncompressed pixels under a compressed syntax",
      () => partTen(syntax.losslessJpeg, dataSet(...pictureElements(film), pixels())),
    ],
  ];
  test.each(files)("%s is read", async (_, make) => {
    const file = make();
    expect(isDicom(file.subarray(0, 512))).toBe(true);
    expect(await shown(file)).toEqual(right);
    expect(describeInstance(readDicomFile(file))).toMatchObject({ frames: 1, notices: [] });
  });
});

describe.skipIf(!hasTool("dcmcjpeg", "dcmcrle"))("a compressed picture, which is read by its bytes", () => {
  const codedBy = (tool: string, ...args: string[]) => {
    const { pixelData } = readDicomFile(madeBy(tool, [...args, "IN", "OUT"], nativeFile(film)));
    if (pixelData?.kind !== "encapsulated") throw new Error("not compressed");
    return Buffer.from(pixelData.frame(0, 1));
  };
  test.each([syntax.explicit, syntax.jpeg2000, syntax.rle, "1.2.840.10008.1.2.4.80"])(
    "a JPEG under %s",
    async (uid) => {
      expect(await shown(encapsulatedFile(film, uid, [], [codedBy("dcmcjpeg", "+el")]))).toEqual(right);
    },
  );
  test("RLE under an uncompressed syntax", async () => {
    expect(await shown(encapsulatedFile(film, syntax.explicit, [], [codedBy("dcmcrle")]))).toEqual(right);
  });
  test("frames of RLE with an empty fragment after the last", async () => {
    const coded = codedBy("dcmcrle");
    const two = [text("00280008", "IS", "2")];
    const file = encapsulatedFile(film, syntax.rle, [], [coded, coded, Buffer.alloc(0)], two);
    const { samples } = await readFrame(file, 1, async () => codecs);
    expect(Buffer.from(samples.buffer).toString("base64")).toBe(right.samples);
  });
  test("with a delimitation item of undefined length", async () => {
    const data = encapsulated([], [codedBy("dcmcjpeg", "+el")]);
    data.fill(0xff, data.length - 4);
    expect(await shown(partTen(syntax.losslessJpeg, Buffer.concat([dataSet(...pictureElements(film)), data])))).toEqual(
      right,
    );
  });
});

describe("rejection of a damaged file", () => {
  test.each<[string, () => Buffer]>([
    ["a deflated file with a wrong checksum", () => partTen(syntax.deflated, withWrongEnd(deflateSync(body)))],
    [
      "an element with neither a representation nor a length",
      () => partTen(syntax.explicit, Buffer.concat([dataSet(us("00080001", 1)), Buffer.alloc(40, 1)])),
    ],
    ["zeros", () => Buffer.alloc(4000)],
  ])("%s", async (_, file) => {
    await expect(shown(file())).rejects.toMatchObject({ code: "INVALID_DICOM" });
  });
});

function withWrongEnd(deflated: Buffer): Buffer {
  const copy = Buffer.from(deflated);
  copy[copy.length - 1] = (copy.at(-1) as number) ^ 1;
  return copy;
}

describe("a file that contradicts itself", () => {
  const noticesOf = (file: Buffer) => describeInstance(readDicomFile(file)).notices.map(({ name }) => name);
  test.each([
    ["MONOCHROME1", "IDENTITY", 1],
    ["MONOCHROME2", "INVERSE", 1],
    ["MONOCHROME1", "INVERSE", 0],
    ["MONOCHROME2", "IDENTITY", 0],
  ])("with %s and shape %s has %i notices", (photometric, shape, count) => {
    const file = nativeFile(film, [text("00280004", "CS", photometric), text("20500020", "CS", shape)]);
    expect(noticesOf(file)).toEqual(Array.from({ length: count }, () => "dicomPolarityContradicts"));
  });
  test("has a notice for excess pixel data but not for padding", () => {
    const words = wordsOf(film);
    const longer = (more: number) => noticesOf(nativeFile(film, [], Buffer.concat([words, Buffer.alloc(more)])));
    expect(longer(words.length)).toEqual(["dicomExcessPixels"]);
    expect(longer(1024)).toEqual([]);
  });
});
