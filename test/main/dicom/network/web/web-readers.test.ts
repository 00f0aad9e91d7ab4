import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchOfJson } from "../../../../../main/dicom/network/web/dicom-json.ts";
import { createMultipartReader } from "../../../../../main/dicom/network/web/multipart-reader.ts";
import { WebFault } from "../../../../../main/dicom/network/web/web-fault.ts";

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let [at, index] = [0, 0]; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

function partsOf(body: Buffer, pieceSizes: readonly number[]): Buffer[] {
  const parts: Buffer[][] = [];
  const reader = createMultipartReader("b1", {
    begin: () => void parts.push([]),
    data: (bytes) => void parts.at(-1)?.push(Buffer.from(bytes)),
    end: () => undefined,
  });
  for (const piece of cut(body, pieceSizes)) reader.push(piece);
  reader.finish();
  return parts.map((pieces) => Buffer.concat(pieces));
}

describe("a multipart body", () => {
  /** Bytes that look like delimiters but are not. */
  const content = fc
    .array(fc.constantFrom("\r", "\n", "-", "--b", "b1", "\r\n--", "x", "\0"), { maxLength: 30 })
    .map((words) => Buffer.from(words.join("").replaceAll("\r\n--b1", ""), "latin1"));

  test("returns each part byte for byte in any fragmentation", () => {
    fc.assert(
      fc.property(fc.array(content, { minLength: 1, maxLength: 4 }), sizes, (contents, pieceSizes) => {
        const whole = contents.filter((bytes) => !bytes.includes("\r\n--b1"));
        const body = Buffer.concat([
          ...whole.flatMap((bytes) => [Buffer.from("--b1\r\nContent-Type: x\r\n\r\n"), bytes, Buffer.from("\r\n")]),
          Buffer.from("--b1--\r\nepilogue"),
        ]);
        expect(partsOf(body, pieceSizes)).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  test("yields parts or a WebFault for garbage", () => {
    const garbage = fc.array(fc.constantFrom("--b1", "--b1--", "\r\n", "\r\n--b1\r\n", "\r\n\r\n", "a: b", "\0", "-"), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(garbage, sizes, (words, pieceSizes) => {
        try {
          partsOf(Buffer.from(words.join(""), "latin1"), pieceSizes);
        } catch (error) {
          expect(error).toBeInstanceOf(WebFault);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

test("joins the component groups of a name in JSON as in a file", () => {
  const named = (name: object) => matchOfJson({ "00100010": { vr: "PN", Value: [name] } });
  expect([
    named({ Alphabetic: "Yamada^Hana", Ideographic: "山田^花" }),
    named({ Ideographic: "山田^花" }),
    named({ Alphabetic: "Yamada^Hana", Phonetic: "やまだ^はな" }),
    named({ Alphabetic: 7 }),
  ]).toEqual([
    { PatientName: "Yamada^Hana=山田^花" },
    { PatientName: "=山田^花" },
    { PatientName: "Yamada^Hana==やまだ^はな" },
    {},
  ]);
});
