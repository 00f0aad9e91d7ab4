import { describe, expect, it } from "vitest";
import type { Point } from "../../../../core/cardiac/points.ts";
import { columnLine } from "../../../../core/cardiac/ruler/column-line.ts";
import { sampleStrip, stripAlong, type StripRules } from "../../../../main/inference/views/column-strip.ts";
import { imageLevels } from "../../../../main/inference/views/sample-frame.ts";

const rules: StripRules = { width: 64, height: 16, vertebraPx: 8 };
const middleColumn = 31.5;
const middleRow = 7.5;

function filmOf(widthPx: number, heightPx: number, grey: (place: Point) => number) {
  const pixels = Uint8Array.from({ length: widthPx * heightPx }, (_, at) =>
    Math.round(grey({ x: at % widthPx, y: Math.floor(at / widthPx) })),
  );
  return imageLevels({ widthPx, heightPx, grey: pixels });
}

function sampled(
  levels: ReturnType<typeof filmOf>,
  middle: Point,
  step: Point,
  thorax: Point,
): (x: number, y: number) => number {
  const place = (label: number) => ({ x: middle.x + (label - 4) * step.x, y: middle.y + (label - 4) * step.y });
  const line = columnLine(
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map((label) => ({ label, place: place(label) })),
    9,
  );
  const input = new Float32Array(rules.width * rules.height).fill(9);
  sampleStrip(levels, stripAlong(line, middle, Math.hypot(step.x, step.y), thorax, rules), input);
  return (x, y) => 255 * (input[y * rules.width + x] as number);
}

describe("the strip along a column", () => {
  const middle = { x: 100, y: 80 };
  const alongX = filmOf(200, 160, ({ x }) => x);
  const alongY = filmOf(200, 160, ({ y }) => y);

  it.each([
    ["faces left", { x: 8, y: 0 }, { x: 100, y: 150 }, 1],
    ["faces right", { x: -8, y: 0 }, { x: 100, y: 150 }, -1],
    ["lies on its back", { x: -8, y: 0 }, { x: 100, y: 10 }, -1],
  ])("runs cranial to caudal from the left, the thorax below, when the animal %s", (_, step, thorax, towards) => {
    const x = sampled(alongX, middle, step, thorax);
    expect(x(50, 3)).toBeCloseTo(100 + towards * (50 - middleColumn), 0);
    expect(x(10, 12)).toBeCloseTo(100 + towards * (10 - middleColumn), 0);
    const y = sampled(alongY, middle, step, thorax);
    expect(y(40, 14)).toBeCloseTo(80 + Math.sign(thorax.y - 80) * (14 - middleRow), 0);
  });

  it("straightens an oblique column", () => {
    const step = { x: 8 * Math.cos(0.5), y: 8 * Math.sin(0.5) };
    const along = filmOf(200, 160, ({ x, y }) => 128 + (x - 100) * Math.cos(0.5) + (y - 80) * Math.sin(0.5));
    const grey = sampled(along, middle, step, { x: 60, y: 150 });
    for (const row of [0, 8, 15]) expect(grey(44, row)).toBeCloseTo(128 + 44 - middleColumn, 0);
  });

  it("has the same length for columns of any size, without the grain of a large film", () => {
    const grain = filmOf(800, 640, ({ x, y }) => ((x + y) % 2 === 0 ? 40 : 216));
    const grey = sampled(grain, { x: 400, y: 320 }, { x: 32, y: 0 }, { x: 400, y: 600 });
    for (const [x, y] of [
      [5, 5],
      [31, 8],
      [60, 12],
    ] as const)
      expect(grey(x, y)).toBeCloseTo(128, 0);
    const ramp = filmOf(800, 640, ({ x }) => x / 4);
    const wide = sampled(ramp, { x: 400, y: 320 }, { x: 32, y: 0 }, { x: 400, y: 600 });
    expect(Math.abs(wide(50, 8) - (100 + 50 - middleColumn))).toBeLessThan(1);
  });

  it("is black outside the film", () => {
    const grey = sampled(
      filmOf(200, 160, () => 200),
      { x: 10, y: 2 },
      { x: 8, y: 0 },
      { x: 10, y: 100 },
    );
    expect([grey(5, 8), grey(40, 2), grey(40, 12)]).toEqual([0, 0, expect.closeTo(200, 3)]);
  });

  it("is black for a column of invalid coordinates", () => {
    const grey = sampled(alongX, { x: NaN, y: NaN }, { x: 8, y: 0 }, { x: 10, y: 100 });
    expect(grey(31, 8)).toBe(0);
  });
});
