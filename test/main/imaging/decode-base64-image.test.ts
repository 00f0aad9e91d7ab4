import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64Image, maximumImageBytes } from "../../../main/imaging/decode-base64-image.ts";

const refusal = (text: string) => {
  try {
    decodeBase64Image(text, "images[3]");
    return "accepted";
  } catch (error) {
    return `${(error as { code: string }).code} ${(error as Error).message}`;
  }
};

describe("decodeBase64Image", () => {
  it("gives back any bytes, with or without the data prefix", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.constantFrom(
          "",
          "data:image/png;base64,",
          "data:image/jpeg;charset=utf-8;base64,",
          "DATA:IMAGE/JPEG;BASE64,",
        ),
        (bytes, prefix) => {
          expect(Uint8Array.from(decodeBase64Image(prefix + Buffer.from(bytes).toString("base64"), "image"))).toEqual(
            bytes,
          );
        },
      ),
    );
  });

  it.each([
    "",
    "data:image/png;base64,",
    "A",
    "AA",
    "AAA",
    "A===",
    "AAAA=",
    "=AAA",
    "AA=A",
    "AA==AAAA",
    "AA A",
    "AAAA ",
    "AAAA\r",
    "AAA\n",
    "\n",
    "AA-A",
    "AA_A",
    "A*AA",
    "ÄAAA",
    "data:text/plain;base64,AAAA",
    "nul",
    "🐕🐕",
  ])("refuses %j and names the field", (text) => {
    expect(refusal(text)).toMatch(/^INVALID_BASE64 .*images\[3\]/);
  });

  it("takes lines as MIME encoders write them, at any size", () => {
    const bytes = Buffer.alloc(maximumImageBytes, 7);
    for (const end of ["\n", "\r\n"]) {
      const text = bytes.toString("base64").replaceAll(/.{76}/g, `$&${end}`) + end;
      expect(bytes.equals(decodeBase64Image(`data:image/png;base64,${text}`, "image"))).toBe(true);
    }
  });

  it("refuses every text that Buffer would not write itself, line breaks aside", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(..."ABab09+/=-_ \n*é") }), (text) => {
        const inOneLine = text.replaceAll("\n", "");
        const isCanonicalLength = inOneLine.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(inOneLine);
        expect(refusal(text) === "accepted").toBe(isCanonicalLength);
      }),
      { numRuns: 3000 },
    );
  });

  it("judges the size before decoding: 10 MiB pass, a byte more does not", () => {
    const largest = Buffer.alloc(maximumImageBytes).toString("base64");
    expect(decodeBase64Image(largest, "image").length).toBe(maximumImageBytes);
    expect(refusal(Buffer.alloc(maximumImageBytes + 1).toString("base64"))).toMatch(/^IMAGE_TOO_LARGE/);
    // Not base64 at all, and still refused for its size alone.
    expect(refusal("*".repeat(15_000_000))).toMatch(/^IMAGE_TOO_LARGE/);
  });
});
