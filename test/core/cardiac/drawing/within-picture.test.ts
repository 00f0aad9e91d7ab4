import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axesAngleDeg, distancePx, type Point } from "../../../../core/cardiac/points.ts";
import { sayIn } from "../../../../core/language/say.ts";
import {
  axesInPicture,
  edgesOutsideText,
  isInPicture,
  partsInPicture,
} from "../../../../core/cardiac/drawing/within-picture.ts";

const film = { widthPx: 100, heightPx: 80 };
const at = (x: number, y: number): Point => ({ x, y });

describe("a line on a film", () => {
  it("is returned unchanged if it is inside, including the outermost pixels", () => {
    const line = [at(-0.5, -0.5), at(40, 20), at(99.5, 79.5)];
    expect(partsInPicture(line, film)).toEqual([line]);
    expect(
      [at(-0.5, 0), at(99.5, 79.5), at(-0.6, 0), at(0, -0.6), at(99.6, 0), at(0, 79.6)].map((point) =>
        isInPicture(point, film),
      ),
    ).toEqual([true, true, false, false, false, false]);
  });

  it("is split where it leaves and re-enters the picture", () => {
    expect(partsInPicture([at(89.5, 10), at(109.5, 10), at(129.5, 10)], film)).toEqual([[at(89.5, 10), at(99.5, 10)]]);
    expect(partsInPicture([at(10, 9.5), at(20, -10.5), at(30, 9.5)], film)).toEqual([
      [at(10, 9.5), at(15, -0.5)],
      [at(25, -0.5), at(30, 9.5)],
    ]);
    expect(partsInPicture([at(-20.5, 40), at(119.5, 40)], film)).toEqual([[at(-0.5, 40), at(99.5, 40)]]);
  });

  it("has no parts if it is outside, even along a border", () => {
    expect(
      [
        [at(110, 0), at(110, 50)],
        [at(-10, 5), at(5, -10)],
        [at(0, -1), at(50, -1)],
      ].map((line) => partsInPicture(line, film)),
    ).toEqual([[], [], []]);
  });

  it("is clipped to exactly the points inside", () => {
    const place = fc.record({ x: fc.integer({ min: -60, max: 160 }), y: fc.integer({ min: -60, max: 140 }) });
    fc.assert(
      fc.property(fc.array(place, { minLength: 2, maxLength: 8 }), (line) => {
        const parts = partsInPicture(line, film);
        const within = { widthPx: film.widthPx + 1e-6, heightPx: film.heightPx + 1e-6 };
        expect(parts.flat().every(({ x, y }) => isInPicture({ x: x + 5e-7, y: y + 5e-7 }, within))).toBe(true);
        const lengthOf = (points: readonly Point[]) =>
          points.slice(1).reduce((sum, point, index) => sum + distancePx(points[index]!, point), 0);
        // Reference: length of all small steps whose middle is inside.
        const steps = 400;
        const walked = line.slice(1).reduce((sum, to, index) => {
          const from = line[index]!;
          const inside = Array.from({ length: steps }, (_, step) => (step + 0.5) / steps).filter((part) =>
            isInPicture(at(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part), film),
          );
          return sum + (inside.length / steps) * distancePx(from, to);
        }, 0);
        expect(Math.abs(parts.reduce((sum, part) => sum + lengthOf(part), 0) - walked)).toBeLessThanOrEqual(
          (lengthOf(line) * 2) / steps + 1e-6,
        );
      }),
    );
  });
});

describe("axes of a heart that extends beyond its film", () => {
  const ends = {
    heart_top: at(60, 20),
    heart_bottom: at(90, 60),
    heart_right: at(115, 25),
    heart_left: at(51, 73),
    VLAS: at(50, 30),
  };

  it("end at the border and stay perpendicular", () => {
    const { heart_top, heart_bottom, heart_right, heart_left, VLAS } = axesInPicture(ends, film);
    expect({ heart_top, heart_bottom, heart_left, VLAS }).toEqual({
      heart_top: ends.heart_top,
      heart_bottom: ends.heart_bottom,
      heart_left: ends.heart_left,
      VLAS: ends.VLAS,
    });
    expect(heart_right.x).toBe(99.5);
    expect(axesAngleDeg(heart_top, heart_bottom, heart_right, heart_left)).toBeCloseTo(90, 9);
  });

  it("are not changed if one is completely outside", () => {
    const outside = { ...ends, heart_right: at(115, 25), heart_left: at(120, 30) };
    expect(axesInPicture(outside, film)).toEqual(outside);
  });
});

it("lists the edges outside the film in each language, and returns null without any", () => {
  const edges = [at(40, 10), at(60, 10), at(80, 10), at(100, 10), at(120, 10)];
  expect([
    edgesOutsideText(edges, film, sayIn("en")),
    edgesOutsideText(edges, film, sayIn("de")),
    edgesOutsideText(edges.slice(0, 3), film, sayIn("de")),
  ]).toEqual([
    "Outside the film, estimated: cranial edge of T7, T8",
    "Außerhalb der Aufnahme, geschätzt: kranialer Rand von T7, T8",
    null,
  ]);
});
