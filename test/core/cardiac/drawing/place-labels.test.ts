import fc from "fast-check";
import { expect, test } from "vitest";
import type { AxisEnds } from "../../../../core/cardiac/landmarks.ts";
import {
  heartEllipse,
  placeLabels,
  touchesEllipse,
  type Box,
  type Ellipse,
  type LabelWish,
} from "../../../../core/cardiac/drawing/place-labels.ts";
import type { Point } from "../../../../core/cardiac/points.ts";

const picture = { widthPx: 1000, heightPx: 800 };
const within = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true });
const point = fc.record({ x: within(-50, 1050), y: within(-50, 850) });
const heart: fc.Arbitrary<AxisEnds> = fc.record({
  heart_top: point,
  heart_bottom: point,
  heart_right: point,
  heart_left: point,
});
const wish: fc.Arbitrary<LabelWish> = fc.record({
  at: point,
  away: fc.record({ x: within(-1, 1), y: within(-1, 1) }),
  widthPx: fc.integer({ min: 10, max: 160 }),
  heightPx: fc.integer({ min: 8, max: 30 }),
});

const isIn = (box: Box, { x, y }: Point) =>
  x > box.x && x < box.x + box.widthPx && y > box.y && y < box.y + box.heightPx;

/** Points throughout an ellipse, computed from its equation. */
function placesIn({ centre, halfLongPx, halfShortPx, angleRad }: Ellipse): Point[] {
  return Array.from({ length: 30 }, (_, ring) => (ring + 1) / 30.01).flatMap((share) =>
    Array.from({ length: 90 }, (_, step) => {
      const [along, across] = [
        share * halfLongPx * Math.cos((step * Math.PI) / 45),
        share * halfShortPx * Math.sin((step * Math.PI) / 45),
      ];
      return {
        x: centre.x + along * Math.cos(angleRad) - across * Math.sin(angleRad),
        y: centre.y + along * Math.sin(angleRad) + across * Math.cos(angleRad),
      };
    }),
  );
}

test("never covers the heart, a labelled point, another label or the border", () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 12 }), heart, (wishes, ends) => {
      const inHeart = placesIn(heartEllipse(ends));
      const placed = placeLabels(wishes, heartEllipse(ends), picture);
      for (const [index, box] of placed.entries()) {
        expect(inHeart.some((place) => isIn(box, place))).toBe(false);
        expect(wishes.some(({ at }) => isIn(box, at))).toBe(false);
        expect(box.x >= 0 && box.y >= 0 && box.x + box.widthPx <= 1000 && box.y + box.heightPx <= 800).toBe(true);
        for (const other of placed.slice(index + 1)) {
          const isApart =
            box.x >= other.x + other.widthPx ||
            other.x >= box.x + box.widthPx ||
            box.y >= other.y + other.heightPx ||
            other.y >= box.y + box.heightPx;
          expect(isApart).toBe(true);
        }
      }
    }),
  );
});

test("detects a tip of the heart between a box's corners", () => {
  const ellipse = { centre: { x: 0, y: 0 }, halfLongPx: 100, halfShortPx: 2, angleRad: 0 };
  const box = { x: 99, y: -50, widthPx: 40, heightPx: 93 };
  expect([touchesEllipse(box, ellipse), touchesEllipse({ ...box, x: 101 }, ellipse)]).toEqual([true, false]);
});

test("approximates the heart by an ellipse slightly larger than its axes", () => {
  const ends = { heart_top: { x: 0, y: 0 }, heart_bottom: { x: 0, y: 200 }, heart_right: { x: -50, y: 100 } };
  const ellipse = heartEllipse({ ...ends, heart_left: { x: 50, y: 100 } });
  expect(ellipse).toMatchObject({ centre: { x: 0, y: 100 }, angleRad: Math.PI / 2 });
  expect([ellipse.halfLongPx, ellipse.halfShortPx].map((px) => px.toFixed(3))).toEqual(["108.000", "54.000"]);
});

const at = (x: number, y: number): Point => ({ x, y });
const label = (point: Point, away: Point): LabelWish => ({ at: point, away, widthPx: 60, heightPx: 20 });
const [left, right, up, down] = [at(-1, 0), at(1, 0), at(0, -1), at(0, 1)];
const corner = (box: Box | undefined) => box && [box.x, box.y].map((px) => Math.round(px * 10) / 10);

test("tries directions by their deviation from the preferred one, clockwise first", () => {
  const points = [at(578, 400), at(560, 420), at(560, 380)];
  const chosen = [0, 1, 2, 3].map((count) =>
    corner(
      placeLabels([label(at(500, 400), right), ...points.slice(0, count).map((each) => label(each, up))], null, {
        widthPx: 1000,
        heightPx: 800,
      })[0],
    ),
  );
  // Directions of 0, 22.5, -22.5 and 67.5 degrees.
  expect(chosen).toEqual([
    [514, 390],
    [510.7, 399.2],
    [510.7, 380.8],
    [486.8, 412.2],
  ]);
});

test.each([0.7, 1.3, 2.1, 3.3, 5, 7, 10, 13.5])(
  "moves a label out of a heart with a radius of nearly %d label heights",
  (heights) => {
    const radius = 20 * heights - 0.5;
    const round = { centre: at(500, 400), halfLongPx: radius, halfShortPx: radius, angleRad: 0 };
    expect(corner(placeLabels([label(at(500, 400), right)], round, picture)[0])).toEqual([500 + 20 * heights, 390]);
  },
);

test("moves an aligned label only along its direction, and omits it without room nearby", () => {
  const name = { at: at(500, 400), away: up, widthPx: 60, heightPx: 20, isAligned: true };
  const names = placeLabels(
    Array.from({ length: 6 }, () => name),
    null,
    picture,
  );
  expect(names.map(corner)).toEqual([
    [470, 366],
    [470, 414],
    [470, 338],
    [470, 442],
  ]);
});

test("omits a label without room within 13.5 heights", () => {
  const round = { centre: at(500, 400), halfLongPx: 271, halfShortPx: 271, angleRad: 0 };
  expect(placeLabels([label(at(500, 400), right)], round, picture)).toEqual([]);
});

test.each([
  ["left", at(76, 400), left, at(-0.5, 0), [2, 390]],
  ["right", at(924, 400), right, at(0.5, 0), [938, 390]],
  ["upper", at(500, 36), up, at(0, -0.5), [470, 2]],
  ["lower", at(500, 764), down, at(0, 0.5), [470, 778]],
])("keeps 2 px from the %s border", (_, point, away, further, place) => {
  expect(corner(placeLabels([label(point, away)], null, picture)[0])).toEqual(place);
  const beyond = placeLabels([label(at(point.x + further.x, point.y + further.y), away)], null, picture)[0];
  expect(corner(beyond)).not.toEqual(place.map((px, index) => px + [further.x, further.y][index]!));
});

test.each([
  ["right of", at(580, 400), at(-0.1, 0)],
  ["left of", at(508, 400), at(0.1, 0)],
  ["below", at(540, 416), at(0, -0.1)],
  ["above", at(540, 384), at(0, 0.1)],
])("keeps a distance of 0.3 heights from a point %s it", (_, point, nearer) => {
  const place = (other: Point) => corner(placeLabels([label(at(500, 400), right), label(other, up)], null, picture)[0]);
  expect(place(point)).toEqual([514, 390]);
  expect(place(at(point.x + nearer.x, point.y + nearer.y))).not.toEqual([514, 390]);
});

test.each([
  ["right of", at(560, 400), up, at(-0.5, 0), [530, 366]],
  ["left of", at(440, 400), up, at(0.5, 0), [410, 366]],
  ["above", at(500, 332), down, at(0, 0.5), [470, 346]],
])("allows a label to touch one %s it without overlap", (_, point, away, nearer, place) => {
  const second = (other: Point) => corner(placeLabels([label(at(500, 400), up), label(other, away)], null, picture)[1]);
  expect(second(point)).toEqual(place);
  expect(second(at(point.x + nearer.x, point.y + nearer.y))).not.toEqual(
    place.map((px, index) => px + [nearer.x, nearer.y][index]!),
  );
});

test("aligns the ellipse with the long axis", () => {
  const ellipse = heartEllipse({
    heart_top: { x: 400, y: 200 },
    heart_bottom: { x: 300, y: 373 },
    heart_right: { x: 300, y: 250 },
    heart_left: { x: 420, y: 320 },
  });
  expect((ellipse.angleRad * 180) / Math.PI).toBeCloseTo(120, 0);
  expect(ellipse.halfLongPx).toBeGreaterThan(100);
});
