import fc from "fast-check";
import { expect, test } from "vitest";
import { coversHeart, placeLabels, silhouetteOf, type Label } from "../../../renderer/film/label-placement.ts";

const stage = { widthPx: 1000, heightPx: 800 };
const coordinate = (most: number) => fc.integer({ min: 0, max: most });
const point = fc.record({ x: coordinate(1000), y: coordinate(800) });
const label = fc.record({
  id: fc.uuid(),
  text: fc.string({ minLength: 2, maxLength: 12 }),
  at: point,
  away: fc.record({ x: fc.integer({ min: -9, max: 9 }), y: fc.integer({ min: -9, max: 9 }) }),
});

test("no label ever covers the heart, a labelled point, another label, or the edge of the stage", () => {
  fc.assert(
    fc.property(fc.array(label, { maxLength: 14 }), point, point, point, point, (labels, top, bottom, right, left) => {
      const heart = silhouetteOf(top, bottom, right, left);
      const placed = placeLabels(labels, heart, stage);
      for (const [index, box] of placed.entries()) {
        expect(coversHeart(box, heart)).toBe(false);
        expect(
          labels.some(
            ({ at }) => at.x > box.x && at.x < box.x + box.widthPx && at.y > box.y && at.y < box.y + box.heightPx,
          ),
        ).toBe(false);
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
    { numRuns: 300 },
  );
});

test("a label stands on the side that it wishes when there is room", () => {
  const wish: Label = { id: "a", text: "T4", at: { x: 500, y: 400 }, away: { x: 0, y: -1 } };
  const [placed] = placeLabels([wish], null, stage);
  expect(placed!.y + placed!.heightPx).toBeLessThan(400);
  expect(placed!.x + placed!.widthPx / 2).toBeCloseTo(500, 6);
});

test("a point inside the heart gets its label outside of it", () => {
  const heart = silhouetteOf({ x: 400, y: 250 }, { x: 600, y: 550 }, { x: 380, y: 450 }, { x: 620, y: 350 });
  const [placed] = placeLabels(
    [{ id: "vlas", text: "VLAS 2.10 v", at: { x: 500, y: 400 }, away: { x: 1, y: 0 } }],
    heart,
    stage,
  );
  expect(coversHeart(placed!, heart)).toBe(false);
});
