import { describe, expect, it } from "vitest";
import type { Point } from "../../../../core/cardiac/points.ts";
import {
  decodeCorners,
  secondLookCrop,
  type InputPlacement,
} from "../../../../main/inference/screens/corner-decoding.ts";
import type { CornerDecoding } from "../../../../main/inference/packs/pack-decodings.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";

const side = 80;
const decoding: CornerDecoding = {
  stridePx: 4,
  refineCells: 3,
  minimumEvidence: 0.5,
  minimumAreaFraction: 0.02,
  secondLookFill: 0.75,
};
const imageSize = { widthPx: 1280, heightPx: 960 };
const placement: InputPlacement = { scale: 0.25, offsetXPx: 0, offsetYPx: 40 };
const film: readonly Point[] = pointsAt([301.5, 203.25], [902, 240], [880.5, 700.75], [320, 640]);

type Drawn = { readonly heights?: readonly number[]; readonly at?: InputPlacement; readonly sides?: readonly Point[] };

/** Heat maps [1,8,80,80] with a Gaussian of 1.2 cells at each corner and along each side, as in training. */
function heatMapsOf(
  corners: readonly Point[],
  { heights = [1, 1, 1, 1], at = placement, sides = corners }: Drawn = {},
): Float32Array {
  const maps = new Float32Array(8 * side * side);
  const toCell = ({ x, y }: Point): Point => ({
    x: ((x + 0.5) * at.scale + at.offsetXPx) / decoding.stridePx - 0.5,
    y: ((y + 0.5) * at.scale + at.offsetYPx) / decoding.stridePx - 0.5,
  });
  const fill = (map: number, height: number, distance: (place: Point) => number): void => {
    for (let index = 0; index < side * side; index += 1) {
      const away = distance({ x: index % side, y: Math.floor(index / side) });
      maps[map * side * side + index] = height * Math.exp((-away * away) / 2 / 1.2 ** 2);
    }
  };
  corners
    .map(toCell)
    .forEach((cell, index) =>
      fill(index, heights[index] ?? 0, (place) => Math.hypot(place.x - cell.x, place.y - cell.y)),
    );
  sides
    .map(toCell)
    .forEach((start, index, all) =>
      fill(4 + index, 1, (place) => distanceToSide(place, start, all[(index + 1) % 4] ?? start)),
    );
  return maps;
}

function distanceToSide(place: Point, start: Point, end: Point): number {
  const [x, y] = [end.x - start.x, end.y - start.y];
  const share = Math.min(1, Math.max(0, ((place.x - start.x) * x + (place.y - start.y) * y) / (x * x + y * y)));
  return Math.hypot(place.x - start.x - share * x, place.y - start.y - share * y);
}

function worstErrorPx(found: readonly Point[] | null, truth: readonly Point[]): number {
  if (!found) return Infinity;
  return Math.max(
    ...found.map((point, index) => Math.hypot(point.x - (truth[index]?.x ?? 0), point.y - (truth[index]?.y ?? 0))),
  );
}

describe("decodeCorners", () => {
  it("finds the corners to a tenth of a cell, in pixels of the picture", () => {
    const cellPx = decoding.stridePx / placement.scale;
    expect(worstErrorPx(decodeCorners(heatMapsOf(film), placement, imageSize, decoding), film)).toBeLessThan(
      0.1 * cellPx,
    );
  });

  it("reconstructs a hidden corner from the others and the sides", () => {
    const maps = heatMapsOf(film, { heights: [1, 1, 0.3, 1] });
    const elsewhere = heatMapsOf(
      film.map(({ x, y }) => ({ x: x + 250, y: y - 200 })),
      { heights: [0, 0, 0.6, 0] },
    );
    for (let index = 2 * side * side; index < 3 * side * side; index += 1)
      maps[index] = Math.max(maps[index] ?? 0, elsewhere[index] ?? 0);
    expect(worstErrorPx(decodeCorners(maps, placement, imageSize, decoding), film)).toBeLessThan(
      0.1 * (decoding.stridePx / placement.scale),
    );
  });

  it("returns null if the evidence of corners and sides is too low", () => {
    const answering = (height: number): Float32Array => heatMapsOf(film).map((value) => value * height);
    expect(decodeCorners(answering(0.4), placement, imageSize, decoding)).toBeNull();
    expect(decodeCorners(answering(0.7), placement, imageSize, decoding)).not.toBeNull();
  });

  it("returns null for empty maps", () => {
    expect(decodeCorners(new Float32Array(8 * side * side), placement, imageSize, decoding)).toBeNull();
  });

  it.each([
    ["crossed corners", [0, 2, 1, 3]],
    ["corners in mirrored order", [1, 0, 3, 2]],
    ["two corners at one point", [0, 1, 2, 2]],
  ])("returns null for %s", (_what, order) => {
    const corners = order.map((index) => film[index] ?? { x: 0, y: 0 });
    expect(decodeCorners(heatMapsOf(corners, { sides: film }), placement, imageSize, decoding)).toBeNull();
  });

  it("returns null for a film below the minimum area", () => {
    const tiny = film.map((corner) => ({ x: 600 + (corner.x - 600) / 5, y: 450 + (corner.y - 450) / 5 }));
    expect(decodeCorners(heatMapsOf(tiny), placement, imageSize, decoding)).toBeNull();
  });
});

describe("secondLookCrop", () => {
  it("centres and magnifies the film, so that the second reading is more precise", () => {
    const first = decodeCorners(heatMapsOf(film), placement, imageSize, decoding);
    const crop = first && secondLookCrop(first, imageSize, decoding);
    if (crop === null) throw new Error("no second look at a film that spans half of the picture");
    expect(crop.width).toBeCloseTo((902 - 301.5) / 0.75, -1);
    expect(crop.left + crop.width / 2).toBeCloseTo((902 + 301.5) / 2, -1);
    const scale = (side * decoding.stridePx) / crop.width;
    const at = { scale, offsetXPx: -crop.left * scale, offsetYPx: -crop.top * scale };
    const second = decodeCorners(heatMapsOf(film, { at }), at, imageSize, decoding);
    expect(worstErrorPx(second, film)).toBeLessThan(worstErrorPx(first, film));
  });

  it("returns null if the film already fills the picture", () => {
    const whole = pointsAt([0, 0], [1200, 0], [1200, 900], [0, 900]);
    expect(secondLookCrop(whole, imageSize, decoding)).toBeNull();
  });
});
