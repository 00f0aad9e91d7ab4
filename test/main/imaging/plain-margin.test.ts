import { describe, expect, it } from "vitest";
import { withoutPlainMargin } from "../../../main/imaging/plain-margin.ts";

/** A page of one level, with deviations as from JPEG, and a film of 40 x 30 px on it. */
function page(widthPx: number, heightPx: number, left: number, top: number, level: number) {
  const grey = new Uint8Array(widthPx * heightPx).fill(level);
  for (let at = 0; at < grey.length; at += 7) grey[at] = level > 127 ? level - 5 : level + 5;
  for (let row = 0; row < 30; row += 1)
    for (let column = 0; column < 40; column += 1)
      grey[(top + row) * widthPx + left + column] = (13 * row + 29 * column) % 200;
  return { grey, widthPx, heightPx };
}

describe("withoutPlainMargin", () => {
  it.each([
    ["white", 255],
    ["black", 0],
  ])("cuts the film out of a %s page", (_, level) => {
    const rest = withoutPlainMargin(page(100, 90, 33, 21, level), 0.6);
    expect([rest?.widthPx, rest?.heightPx, rest?.grey.slice(0, 4)]).toEqual([40, 30, Uint8Array.of(0, 29, 58, 87)]);
  });

  it("finds a film at the picture's edge", () => {
    expect(withoutPlainMargin(page(100, 30, 60, 0, 0), 0.6)).toMatchObject({ widthPx: 40, heightPx: 30 });
  });

  it("returns null if the film is larger, and without a film", () => {
    expect(withoutPlainMargin(page(60, 50, 10, 10, 255), 0.6)).toBe(null);
    expect(withoutPlainMargin({ grey: new Uint8Array(400), widthPx: 20, heightPx: 20 }, 0.6)).toBe(null);
  });
});
