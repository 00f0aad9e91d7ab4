import { describe, expect, it } from "vitest";
import type { Point } from "../../../core/cardiac/points.ts";
import { decodeCorners, secondLookCrop, type CornerDecoding, type InputPlacement } from "../../../main/inference/corner-decoding.ts";

const side = 80;
const decoding: CornerDecoding = { stridePx: 4, refineCells: 3, minimumPeak: 0.3, minimumAreaFraction: 0.02, secondLookFill: 0.75 };
const imageSize = { width: 1280, height: 960 };
const placement: InputPlacement = { scale: 0.25, offsetXPx: 0, offsetYPx: 40 };
const film: readonly Point[] = [
  { x: 301.5, y: 203.25 },
  { x: 902, y: 240 },
  { x: 880.5, y: 700.75 },
  { x: 320, y: 640 },
];

/** Heat maps [1,4,80,80] with a Gaussian of 1.2 cells at each corner, as the network is trained to give. */
function heatMapsOf(corners: readonly Point[], { heights = [1, 1, 1, 1], at = placement } = {}): Float32Array {
  const maps = new Float32Array(4 * side * side);
  corners.forEach((corner, index) => {
    const u = ((corner.x + 0.5) * at.scale + at.offsetXPx) / decoding.stridePx - 0.5;
    const v = ((corner.y + 0.5) * at.scale + at.offsetYPx) / decoding.stridePx - 0.5;
    for (let row = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1) {
        const distanceSquared = (column - u) ** 2 + (row - v) ** 2;
        maps[(index * side + row) * side + column] = (heights[index] ?? 0) * Math.exp(-distanceSquared / 2 / 1.2 ** 2);
      }
    }
  });
  return maps;
}

function worstErrorPx(found: readonly Point[], truth: readonly Point[]): number {
  return Math.max(...found.map((point, index) => Math.hypot(point.x - (truth[index]?.x ?? 0), point.y - (truth[index]?.y ?? 0))));
}

describe("decodeCorners", () => {
  it("finds the corners to a tenth of a cell, in pixels of the picture", () => {
    const finding = decodeCorners(heatMapsOf(film), placement, imageSize, decoding);
    const cellPx = decoding.stridePx / placement.scale;
    expect(finding.isFound).toBe(true);
    expect(worstErrorPx(finding.corners, film)).toBeLessThan(0.1 * cellPx);
  });

  it("is as sure as its weakest corner", () => {
    const finding = decodeCorners(heatMapsOf(film, { heights: [0.9, 0.4, 0.8, 1] }), placement, imageSize, decoding);
    expect(finding.confidence).toBeGreaterThan(0.35);
    expect(finding.confidence).toBeLessThanOrEqual(0.4);
  });

  it("finds nothing when one corner hardly answers", () => {
    const finding = decodeCorners(heatMapsOf(film, { heights: [1, 1, 0.2, 1] }), placement, imageSize, decoding);
    expect(finding.isFound).toBe(false);
  });

  it("finds nothing in empty maps", () => {
    const finding = decodeCorners(new Float32Array(4 * side * side), placement, imageSize, decoding);
    expect(finding).toMatchObject({ isFound: false, confidence: 0 });
  });

  it.each([
    ["crossed corners", [0, 2, 1, 3]],
    ["corners in mirrored order", [1, 0, 3, 2]],
    ["one place for two corners", [0, 1, 2, 2]],
  ])("finds nothing in %s", (_what, order) => {
    const corners = order.map((index) => film[index] ?? { x: 0, y: 0 });
    expect(decodeCorners(heatMapsOf(corners), placement, imageSize, decoding).isFound).toBe(false);
  });

  it("finds nothing in a film smaller than the least area", () => {
    const tiny = film.map((corner) => ({ x: 600 + (corner.x - 600) / 5, y: 450 + (corner.y - 450) / 5 }));
    expect(decodeCorners(heatMapsOf(tiny), placement, imageSize, decoding).isFound).toBe(false);
  });

  it("refuses output that is not four square maps", () => {
    expect(() => decodeCorners(new Float32Array(4 * 80 * 81), placement, imageSize, decoding)).toThrow(RangeError);
  });
});

describe("secondLookCrop", () => {
  it("centres the film and lets it fill its share, so that the second reading is finer", () => {
    const first = decodeCorners(heatMapsOf(film), placement, imageSize, decoding);
    const crop = secondLookCrop(first.corners, imageSize, decoding);
    if (crop === null) throw new Error("a film that spans half of the picture deserves a second look");
    expect(crop.width).toBeCloseTo((902 - 301.5) / 0.75, -1);
    expect(crop.left + crop.width / 2).toBeCloseTo((902 + 301.5) / 2, -1);
    const scale = (side * decoding.stridePx) / crop.width;
    const at = { scale, offsetXPx: -crop.left * scale, offsetYPx: -crop.top * scale };
    const second = decodeCorners(heatMapsOf(film, { at }), at, imageSize, decoding);
    expect(worstErrorPx(second.corners, film)).toBeLessThan(worstErrorPx(first.corners, film));
  });

  it("is not worth it when the film already fills the picture", () => {
    const whole = [
      { x: 0, y: 0 },
      { x: 1200, y: 0 },
      { x: 1200, y: 900 },
      { x: 0, y: 900 },
    ] as const;
    expect(secondLookCrop(whole, imageSize, decoding)).toBeNull();
  });
});
