import { describe, expect, it } from "vitest";
import { spreadLevels } from "../../../main/imaging/level-range.ts";

const ramp = (from: number, to: number) =>
  Uint8Array.from({ length: 1000 }, (_, at) => Math.round(from + ((to - from) * at) / 999));

describe("spreadLevels", () => {
  it.each([
    ["dark", 4, 40],
    ["grey", 100, 140],
    ["bright", 200, 250],
  ])("maps the levels of a pale film to the usual range: %s", (_, from, to) => {
    const spread = spreadLevels(ramp(from, to));
    expect([spread?.[5], spread?.[994]]).toEqual([0, 220]);
    expect(spread?.[500]).toBeGreaterThan(105);
    expect(spread?.[500]).toBeLessThan(115);
  });

  it("returns null for a film that fills half of the range, and for a picture of one level", () => {
    expect([spreadLevels(ramp(10, 140)), spreadLevels(new Uint8Array(500).fill(7))]).toEqual([null, null]);
  });

  it("ignores a marker and a border of a few pixels", () => {
    const marked = ramp(100, 140);
    marked.fill(255, 0, 4);
    marked.fill(0, 996);
    const spread = spreadLevels(marked);
    expect([spread?.[0], spread?.[999]]).toEqual([255, 0]);
    expect(Math.abs((spread?.[990] ?? 0) - 220)).toBeLessThan(8);
  });
});
