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
  it("returns any bytes, with or without the data prefix", () => {
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
    "AA",
    "AAA",
    "AA A",
    " AA\t==\r\n",
    "AAAA\v\f",
    "AA-A",
    "AA_A",
    "-_",
    "-_==",
    "\ndata:image/png;base64,\nAAAA",
  ])("accepts %j", (text) => expect(refusal(text)).toBe("accepted"));

  it.each([
    "",
    " ",
    "data:image/png;base64,",
    "A",
    "AAAAA",
    "A===",
    "AA=",
    "AAA==",
    "AAAA=",
    "AAAA====",
    "=AAA",
    "AA=A",
    "AA==AAAA",
    "AA\u00a0A",
    "A*AA",
    "ÄAAA",
    "\u0141AAA",
    "data:text/plain;base64,AAAA",
    "🐕🐕",
  ])("rejects %j with the name of the field", (text) => {
    expect(refusal(text)).toMatch(/^INVALID_BASE64 .*images\[3\]/);
  });

  it("accepts the line breaks of MIME encoders at any size", () => {
    const bytes = Buffer.alloc(maximumImageBytes, 7);
    for (const end of ["\n", "\r\n"]) {
      const text = bytes.toString("base64").replaceAll(/.{76}/g, `$&${end}`) + end;
      expect(bytes.equals(decodeBase64Image(`data:image/png;base64,${text}`, "image"))).toBe(true);
    }
  });

  it("accepts exactly the texts of RFC 4648 with ASCII white space", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(..."ABab09+/=-_ \n*éŁ") }), (text) => {
        const digits = text.replaceAll(/[ \n]/g, "");
        const isRfc4648 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?|[\w+/-]{4})$/.test(digits);
        expect(refusal(text) === "accepted").toBe(isRfc4648);
      }),
      { numRuns: 3000 },
    );
  });

  it("checks the size before decoding: accepts 10 MiB and rejects a byte more", () => {
    const largest = Buffer.alloc(maximumImageBytes).toString("base64");
    expect(decodeBase64Image(largest, "image").length).toBe(maximumImageBytes);
    expect(refusal(Buffer.alloc(maximumImageBytes + 1).toString("base64"))).toMatch(/^IMAGE_TOO_LARGE/);
    // Not base64, but rejected for its size.
    expect(refusal("*".repeat(15_000_000))).toMatch(/^IMAGE_TOO_LARGE/);
  });
});
