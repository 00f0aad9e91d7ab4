import { describe, expect, it } from "vitest";
import { decodeGate, asRefused } from "../../../../main/inference/screens/gate-decoding.ts";
import type { GateDecoding } from "../../../../main/inference/packs/pack-decodings.ts";

const decoding: GateDecoding = { kinds: ["direct", "pop", "neither"], rejectAtOrAbove: 0.5 };

function kindOf(...probabilities: number[]): string {
  return decodeGate(new Float32Array(probabilities), decoding).kind;
}

describe("decodeGate", () => {
  it("returns the verdict, its confidence and every probability", () => {
    const verdict = decodeGate(new Float32Array([0.25, 0.625, 0.125]), decoding);
    expect(verdict).toEqual({
      kind: "pop",
      confidence: 0.875,
      probabilities: { direct: 0.25, pop: 0.625, neither: 0.125 },
    });
  });

  it("rejects with the probability of neither as its confidence", () => {
    const verdict = decodeGate(new Float32Array([0.125, 0.125, 0.75]), decoding);
    expect(verdict).toMatchObject({ kind: "neither", confidence: 0.75 });
  });

  it.each([
    ["a limit below one half", decodeGate(new Float32Array([0.6, 0, 0.4]), { ...decoding, rejectAtOrAbove: 0.25 })],
    ["another check", asRefused(decodeGate(new Float32Array([0.9, 0, 0.1]), decoding))],
  ])("returns a confidence of at least one half for a rejection by %s", (_check, verdict) => {
    expect(verdict).toMatchObject({ kind: "neither", confidence: 0.5 });
  });

  it("accepts a radiograph of uncertain kind although neither is the likeliest single kind", () => {
    expect(kindOf(0.3, 0.3, 0.4)).toBe("direct");
  });

  it("rejects at the threshold and accepts just below it", () => {
    expect([kindOf(0.5, 0, 0.5), kindOf(0.51, 0, 0.49)]).toEqual(["neither", "direct"]);
  });

  it("uses the pack's threshold for files if it has one", () => {
    const strict: GateDecoding = { ...decoding, rejectDirectAtOrAbove: 0.25 };
    const kinds = [
      [0.74, 0, 0.26],
      [0.76, 0, 0.24],
      [0, 0.55, 0.45],
    ].map((values) => decodeGate(new Float32Array(values), strict).kind);
    expect(kinds).toEqual(["neither", "direct", "pop"]);
  });

  it("reads the outputs in the order of the pack", () => {
    const turned: GateDecoding = { kinds: ["neither", "direct", "pop"], rejectAtOrAbove: 0.5 };
    expect(decodeGate(new Float32Array([0.9, 0.05, 0.05]), turned).kind).toBe("neither");
  });

  it("rejects by the sum over all other kinds and returns the likeliest of them", () => {
    const kinds = ["direct", "pop", "frontal_chest", "abdomen", "photograph"] as const;
    const verdict = decodeGate(new Float32Array([0.375, 0, 0.125, 0.5, 0]), {
      kinds: [...kinds],
      rejectAtOrAbove: 0.5,
    });
    expect(verdict).toEqual({
      kind: "neither",
      confidence: 0.625,
      probabilities: { direct: 0.375, pop: 0, neither: 0.625 },
      takenFor: "abdomen",
    });
  });

  it.each([
    ["a sum that is not one", [0.5, 0.5, 0.5]],
    ["a negative value", [1.2, -0.3, 0.1]],
    ["NaN", [Number.NaN, 0.5, 0.5]],
  ])("refuses %s", (_what, values) => {
    expect(() => decodeGate(new Float32Array(values), decoding)).toThrow(RangeError);
  });
});
