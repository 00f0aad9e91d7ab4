import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLifting, textOf } from "../../../main/server/requests/long-strings.ts";

/** The body as JSON.parse would have given it: every mark replaced by the text that it stands for. */
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
  it("mean what JSON.parse says they mean", () => {
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
  it("may escape their slashes", () => {
    const image = "/9j/".repeat(30_000);
    expect(resolved(Buffer.from(`{"image":"${image.replaceAll("/", "\\/")}"}`))).toEqual({ image });
  });
  it("read ten images of 10 MB in less time than a copy takes", () => {
    const body = Buffer.from(JSON.stringify({ images: Array(10).fill("A".repeat(13_981_014)) }));
    // Time of the processor: a busy machine does not make the work longer.
    const processorMs = (work: () => void) => {
      const before = process.threadCpuUsage();
      work();
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    };
    expect(processorMs(() => expect(parseLifting(body).texts.size).toBe(10))).toBeLessThan(
      processorMs(() => expect(new Uint8Array(body)).toHaveLength(body.length)),
    );
  });
  it.each([
    '{"image":"',
    `{"image":"${"A".repeat(70_000)}`,
    `{"image":"${"A".repeat(70_000)}"`,
    `"${"A".repeat(70_000)}" x`,
    `{"image":"${"A".repeat(70_000)}\nAAAA"}`,
  ])("that are not JSON are refused", (body) => {
    expect(() => parseLifting(Buffer.from(body))).toThrow(SyntaxError);
  });
});
