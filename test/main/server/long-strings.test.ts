import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLifting, textOf } from "../../../main/server/requests/long-strings.ts";

/** Replaces the placeholders of a parsed body by their texts, for comparison with JSON.parse. */
function resolved(body: Buffer): unknown {
  const { value, texts } = parseLifting(body);
  const put = (part: unknown): unknown => {
    if (typeof part === "string") {
      const lifted = texts.get(part);
      return lifted ? textOf(lifted) : part;
    }
    if (Array.isArray(part)) return part.map(put);
    if (typeof part === "object" && part !== null)
      return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, put(member)]));
    return part;
  };
  return put(value);
}

const long = fc.stringMatching(/^[A-Za-z0-9+/]{8}$/).map((piece) => piece.repeat(9000));
const text = fc.oneof(
  { weight: 1, arbitrary: long },
  { weight: 3, arbitrary: fc.constantFrom("", "\\", '"', '\\"', "a\\\\", "/", "\n") },
);

describe("bodies with long strings", () => {
  it("equal the result of JSON.parse", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("image", "images", "uuid", "\\", '"'),
          fc.oneof(text, fc.array(text, { maxLength: 3 })),
        ),
        (value) => {
          expect(resolved(Buffer.from(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
      { numRuns: 60 },
    );
  });
  it.each([
    ["short", 10],
    ["long", 70_000],
  ])("may start with one byte order mark: %s", (_, length) => {
    const mark = "\uFEFF";
    const value = { image: "A".repeat(length), uuid: mark };
    expect(resolved(Buffer.from(mark + JSON.stringify(value)))).toEqual(value);
    expect(() => resolved(Buffer.from(mark + mark + JSON.stringify(value)))).toThrow(SyntaxError);
  });
  it("are valid if and only if JSON.parse accepts them", () => {
    const escapes = ["\\\\", '\\"', "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u00e9", "\\uD83D\\uDE00", "\\ud800"];
    const faults = [
      "\\q",
      "\\x41",
      "\\U0041",
      "\\u12",
      "\\u00g1",
      "\\u 041",
      "\\0",
      "\\'",
      "\t",
      "\n",
      "\r",
      "\0",
      "\u001f",
      "\\\t",
    ];
    const piece = fc.oneof(
      { weight: 6, arbitrary: fc.stringMatching(/^[ !#-[\]-~\x7f]{0,20}$/) },
      { weight: 6, arbitrary: fc.constantFrom(...escapes) },
      { weight: 1, arbitrary: fc.constantFrom(...faults) },
    );
    const parsed = (parse: () => unknown) => {
      try {
        return parse();
      } catch (error) {
        return (error as Error).name;
      }
    };
    fc.assert(
      fc.property(fc.nat(20), fc.array(piece, { maxLength: 8 }), fc.nat(20), (before, pieces, after) => {
        const text = [" ".repeat(before), "A".repeat(70_000), ...pieces, "A".repeat(after)].join("");
        const body = `{"image":"${text}"}`;
        expect(parsed(() => resolved(Buffer.from(body)))).toEqual(parsed(() => JSON.parse(body)));
      }),
      { numRuns: 300 },
    );
  });
  it("may contain escaped slashes", () => {
    const image = "/9j/".repeat(30_000);
    expect(resolved(Buffer.from(`{"image":"${image.replaceAll("/", "\\/")}"}`))).toEqual({ image });
  });
  it.each([
    '{"image":"',
    `{"image":"${"A".repeat(70_000)}`,
    `{"image":"${"A".repeat(70_000)}"`,
    `"${"A".repeat(70_000)}" x`,
    `{"image":"${"A".repeat(70_000)}\nAAAA"}`,
  ])("are rejected if they are not JSON: %#", (body) => {
    expect(() => resolved(Buffer.from(body))).toThrow(SyntaxError);
  });
});
