import { expect, it } from "vitest";
import { evenContrast, halved, reducedPicture } from "../../../../core/cardiac/capture/small-picture.ts";

const size = { widthPx: 40, heightPx: 30 };
const pattern = (at: number) => 90 + 40 * Math.sin(at % 7) + 30 * Math.cos(Math.floor(at / size.widthPx) / 3);
const picture = { ...size, levels: Float32Array.from({ length: 1200 }, (_, at) => pattern(at)) };

it("keeps an even surface even", () => {
  expect([...new Set(evenContrast({ ...size, levels: new Float32Array(1200).fill(80) }).levels)]).toEqual([0]);
});

it("keeps a picture of less than 96 px", () => {
  const small = Uint8Array.of(1, 2, 3, 4, 5, 6);
  expect(reducedPicture(small, { widthPx: 3, heightPx: 2 }).levels).toEqual(Float32Array.from(small));
});

it.each([
  [1, 4],
  [0.2, 2],
  [1.4, 6],
])("divides the difference from a window's mean by its deviation plus 6 grey levels, at scale %d", (scale, radius) => {
  const { widthPx } = size;
  const found = evenContrast(picture, scale).levels;
  for (const [x, y] of [
    [0, 0],
    [39, 29],
    [20, 15],
    [1, 28],
    [38, 2],
  ] as const) {
    const levels = [...picture.levels].filter(
      (_, at) => Math.abs((at % widthPx) - x) <= radius && Math.abs(Math.floor(at / widthPx) - y) <= radius,
    );
    const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length;
    const variance = levels.reduce((sum, level) => sum + (level - mean) ** 2, 0) / levels.length;
    expect(found[y * widthPx + x]).toBeCloseTo((pattern(y * widthPx + x) - mean) / (Math.sqrt(variance) + 6), 4);
  }
});

it("drops an odd last row and column when halving", () => {
  const levels = Float32Array.from({ length: 25 }, (_, at) => at);
  expect(halved({ widthPx: 5, heightPx: 5, levels })).toEqual({
    widthPx: 2,
    heightPx: 2,
    levels: Float32Array.of(3, 5, 13, 15),
  });
});

it("averages whole pixels for sides that are not multiples of 96 px, to at least one", () => {
  const large = { widthPx: 250, heightPx: 109 };
  const grey = Uint8Array.from({ length: 250 * 109 }, (_, at) => (at * 7919) % 251);
  const reduced = reducedPicture(grey, large);
  expect([reduced.widthPx, reduced.heightPx]).toEqual([96, 42]);
  for (const [x, y] of [
    [0, 0],
    [95, 41],
    [31, 17],
  ] as const) {
    const [left, right] = [x, x + 1].map((at) => Math.floor((at * 250) / 96)) as [number, number];
    const [top, bottom] = [y, y + 1].map((at) => Math.floor((at * 109) / 42)) as [number, number];
    const part = [...grey].filter((_, at) => {
      const [column, row] = [at % 250, Math.floor(at / 250)];
      return column >= left && column < right && row >= top && row < bottom;
    });
    expect(reduced.levels[y * 96 + x]).toBeCloseTo(part.reduce((sum, level) => sum + level, 0) / part.length, 4);
  }
  const flat = reducedPicture(new Uint8Array(2000).fill(7), { widthPx: 1000, heightPx: 2 });
  const narrow = reducedPicture(new Uint8Array(2000).fill(7), { widthPx: 2, heightPx: 1000 });
  expect([flat.widthPx, flat.heightPx, narrow.widthPx, narrow.heightPx]).toEqual([96, 1, 1, 96]);
});
