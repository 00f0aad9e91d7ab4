import { describe, expect, it } from "vitest";
import { distancePx, type Corners, type Point } from "../../../../core/cardiac/points.ts";
import type { GreyPixels } from "../../../../main/imaging/decode-image.ts";
import { refineCorners } from "../../../../main/inference/screens/corner-refinement.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";

const size = { widthPx: 640, heightPx: 480 };
const film: Corners = pointsAt([120.5, 90.2], [500.1, 120.7], [480.4, 400.9], [135.3, 370.6]);

function isInside(point: Point, corners: Corners): boolean {
  return corners.every((corner, index) => {
    const next = corners[(index + 1) % 4] ?? corner;
    return (next.x - corner.x) * (point.y - corner.y) - (next.y - corner.y) * (point.x - corner.x) > 0;
  });
}

/** Fraction of each pixel that the film covers, by four samples. */
const shares = Float32Array.from({ length: size.widthPx * size.heightPx }, (_, at) => {
  const [x, y] = [at % size.widthPx, Math.floor(at / size.widthPx)];
  const quarters = [-0.25, 0.25].flatMap((dx) => [-0.25, 0.25].map((dy) => ({ x: x + dx, y: y + dy })));
  return quarters.filter((point) => isInside(point, film)).length / 4;
});

/** A film on a viewer of another grey level, with a ripple. */
function picture(filmLevel: number, viewerLevel: number): GreyPixels {
  const grey = Uint8Array.from(shares, (share, at) => {
    const [x, y] = [at % size.widthPx, Math.floor(at / size.widthPx)];
    return viewerLevel + share * (filmLevel - viewerLevel) + 2 * Math.sin(x * 0.7 + y * 1.3);
  });
  return { grey, ...size };
}

const frame: Corners = pointsAt([97, 67], [524, 98], [503, 424], [112, 394]);

const rough: Corners = pointsAt([126, 84], [492, 125], [489, 396], [130, 381]);

function worstErrorPx(found: Corners, expected = film): number {
  return Math.max(...found.map((corner, index) => distancePx(corner, expected[index] ?? corner)));
}

const black = 10;

/** A picture of a film, black in the middle, with a strip of one level between `inner` and `outer`. */
function framed(filmLevel: number, frameLevel: number, roomLevel: number, inner = film, outer = frame): GreyPixels {
  const { grey } = picture(filmLevel, roomLevel);
  for (let y = 200; y < 260; y += 1) grey.fill(black, y * size.widthPx + 250, y * size.widthPx + 350);
  for (let y = 0; y < size.heightPx; y += 1)
    for (let x = 0; x < size.widthPx; x += 1)
      if (isInside({ x, y }, outer) && !isInside({ x, y }, inner)) grey[y * size.widthPx + x] = frameLevel;
  return { grey, ...size };
}

describe("refineCorners", () => {
  it.each([
    ["a bright film on a dark viewer", 140, 30],
    ["a dark film on a bright viewer", 30, 200],
    ["a faint border", 60, 48],
  ])("moves the corners to %s within half a pixel", (_what, filmLevel, viewerLevel) => {
    expect(worstErrorPx(refineCorners(picture(filmLevel, viewerLevel), rough))).toBeLessThan(0.5);
  });

  it.each([
    ["moves sides from the outer edge of a dark bezel to the film", 140, 30, 36, film],
    ["moves sides from the outer edge of a dark bezel in a bright room", 140, 30, 200, film],
    ["moves sides from a bezel whose edges are both faint", 60, 30, 90, film],
    ["keeps sides at the outer edge of a bright frame, which may be part of a viewer", 140, 200, 194, frame],
  ])("%s", (_title, filmLevel, frameLevel, roomLevel, expected) => {
    expect(worstErrorPx(refineCorners(framed(filmLevel, frameLevel, roomLevel), frame), expected)).toBeLessThan(1.5);
  });

  it.each([0, 1, 2, 3])(
    "moves corner %i from the edge of a bezel to the film, if the other three are on it",
    (corner) => {
      const mixed = film.map((place, index) => (index === corner ? frame[corner] : place)) as unknown as Corners;
      expect(worstErrorPx(refineCorners(framed(60, 30, 90), mixed), film)).toBeLessThan(1.5);
    },
  );

  it("keeps sides at the border of a film with collimation as black as its background", () => {
    expect(worstErrorPx(refineCorners(framed(140, black, 36), frame), frame)).toBeLessThan(1.5);
  });

  it("keeps sides at the border of a film with dark collimation of unequal widths", () => {
    const collimated: Corners = pointsAt([160, 113], [482, 139], [463, 360], [172, 335]);
    const filmOnViewer = framed(140, 4, 36, collimated, film);
    expect(worstErrorPx(refineCorners(filmOnViewer, rough), film)).toBeLessThan(1.5);
  });

  it("keeps the corners without a visible border", () => {
    expect(refineCorners(picture(50, 50), rough)).toEqual(
      rough.map(({ x, y }) => ({ x: expect.closeTo(x, 6) as number, y: expect.closeTo(y, 6) as number })),
    );
  });

  it("keeps corners outside the picture", () => {
    const outside = rough.map(({ x, y }) => ({ x: x + 2000, y })) as unknown as Corners;
    expect(refineCorners(picture(140, 30), outside).every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(
      true,
    );
  });
});
