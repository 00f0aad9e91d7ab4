import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeLabels, type Box, type Ellipse } from "../../../../main/imaging/text/place-labels.ts";

const picture = { width: 1000, height: 800 };
const coordinate = fc.double({ min: -50, max: 1050, noNaN: true });
const wish = fc.record({
  anchor: fc.record({ x: coordinate, y: coordinate }),
  direction: fc.record({
    x: fc.double({ min: -1, max: 1, noNaN: true }),
    y: fc.double({ min: -1, max: 1, noNaN: true }),
  }),
  width: fc.integer({ min: 10, max: 160 }),
  height: fc.integer({ min: 8, max: 30 }),
});
const ellipse: fc.Arbitrary<Ellipse> = fc.record({
  centre: fc.record({ x: coordinate, y: coordinate }),
  halfLong: fc.integer({ min: 60, max: 300 }),
  halfShort: fc.integer({ min: 60, max: 300 }),
  angleRad: fc.double({ min: -3, max: 3, noNaN: true }),
});

function covers({ x, y, width, height }: Box, { centre, halfLong, halfShort, angleRad }: Ellipse): boolean {
  // The middle and the corners; the heart is larger than any label here.
  return [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
    [0.5, 0.5],
  ].some(([u, v]) => {
    const [dx, dy] = [x + (u as number) * width - centre.x, y + (v as number) * height - centre.y];
    const along = (dx * Math.cos(angleRad) + dy * Math.sin(angleRad)) / halfLong;
    const across = (dy * Math.cos(angleRad) - dx * Math.sin(angleRad)) / halfShort;
    return along ** 2 + across ** 2 < 1;
  });
}

describe("placeLabels", () => {
  it("never covers the heart, another label, or the picture's border", () => {
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 12 }), ellipse, (wishes, heart) => {
        const boxes = placeLabels(wishes, heart, picture).filter((box) => box !== null);
        for (const [index, box] of boxes.entries()) {
          expect(covers(box, heart)).toBe(false);
          expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1000 && box.y + box.height <= 800).toBe(true);
          for (const other of boxes.slice(0, index)) {
            const apart =
              box.x >= other.x + other.width ||
              other.x >= box.x + box.width ||
              box.y >= other.y + other.height ||
              other.y >= box.y + box.height;
            expect(apart).toBe(true);
          }
        }
      }),
    );
  });

  it("puts a label beside its anchor where there is room", () => {
    const heart: Ellipse = { centre: { x: 500, y: 400 }, halfLong: 150, halfShort: 100, angleRad: 0 };
    const [box] = placeLabels(
      [{ anchor: { x: 660, y: 400 }, direction: { x: 1, y: 0 }, width: 100, height: 20 }],
      heart,
      picture,
    );
    expect(box).toEqual({ x: 670, y: 390, width: 100, height: 20 });
  });
});
