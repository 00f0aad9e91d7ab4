import { expect, it } from "vitest";
import type { TrendPoint } from "../../../core/contract/desktop/patients.ts";
import { ofLimits, published } from "../../../core/cardiac/reference/reference-range.ts";
import { drawnRange, drawnSeries } from "../../../renderer/trends/trend-series.ts";

it("draws a value on the same side of the limit as its displayed figure", () => {
  const range = ofLimits(published("Source", null), { low: null, high: 10.46 });
  const points = [10.44, 10.46, 10.54, 10.56].map((vhs) => ({ at: "2026-01-05T00:00:00Z", vhs }) as TrendPoint);
  const { high } = drawnRange(range);
  expect(drawnSeries(points, "vhs", range).map(({ value, isAbove }) => [value > high, isAbove])).toEqual([
    [false, false],
    [false, false],
    [false, false],
    [true, true],
  ]);
});
