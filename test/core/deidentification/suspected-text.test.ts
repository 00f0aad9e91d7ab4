import { expect, test } from "vitest";
import { suspectedText } from "../../../core/deidentification/suspected-text.ts";

const [widthPx, heightPx] = [400, 300];

/** A smooth film with sharp strokes, as of text, at points for which `isText` returns true. */
function film(isText: (x: number, y: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: widthPx * heightPx }, (_, at) => {
    const [x, y] = [at % widthPx, Math.floor(at / widthPx)];
    if (isText(x, y) && x % 4 < 2) return 255;
    return Math.round(60 + 50 * Math.sin(x / 60) + 40 * Math.cos(y / 50));
  });
}

test("finds no text on a smooth film", () => {
  expect(suspectedText({ data: film(() => false), widthPx, heightPx })).toEqual([]);
});

test("finds a line of sharp strokes and encloses all of them", () => {
  const data = film((x, y) => x >= 40 && x < 180 && y >= 20 && y < 34);
  const areas = suspectedText({ data, widthPx, heightPx });
  expect(areas).toHaveLength(1);
  const [area] = areas as [(typeof areas)[number]];
  expect(area.x * widthPx).toBeLessThanOrEqual(40);
  expect(area.y * heightPx).toBeLessThanOrEqual(20);
  expect((area.x + area.width) * widthPx).toBeGreaterThanOrEqual(180);
  expect((area.y + area.height) * heightPx).toBeGreaterThanOrEqual(34);
  expect(area.width * area.height).toBeLessThan(0.1);
});

test("finds no text at a straight bright edge", () => {
  const data = Uint8Array.from({ length: widthPx * heightPx }, (_, at) => (at % widthPx < 200 ? 0 : 255));
  expect(suspectedText({ data, widthPx, heightPx })).toEqual([]);
});

test("finds no text in a uniform picture", () => {
  expect(suspectedText({ data: new Uint8Array(widthPx * heightPx), widthPx, heightPx })).toEqual([]);
});
