import { describe, expect, it } from "vitest";
import { textOutline, textWidthPx } from "../../../main/imaging/text-outlines.ts";

describe("textOutline", () => {
  it("draws letters as paths, so no font of the machine is asked", () => {
    expect(textOutline("VHS 10.4", 10, 20, 16)).toMatch(/^M[\d.-]+ [\d.-]+/);
    expect(textOutline("VHS", 10, 20, 16)).not.toBe(textOutline("VHS", 10, 20, 16, 600));
  });

  it("knows how wide a line is", () => {
    expect(textWidthPx("VHS", 40)).toBeCloseTo(2 * textWidthPx("VHS", 20), 6);
    expect(textWidthPx("", 20)).toBe(0);
  });
});
