import { describe, expect, it } from "vitest";
import { nearestPoint, stepTo } from "../../../../renderer/ui/chart/chart-point.ts";

describe("points of a chart", () => {
  it("are reached by the arrow keys, which stop at both ends", () => {
    const keys = ["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown", "Home", "End", "Tab"];
    expect(keys.map((key) => stepTo(key, 1, 4))).toEqual([2, 2, 0, 0, 0, 3, null]);
    expect([stepTo("ArrowRight", 3, 4), stepTo("ArrowLeft", 0, 4)]).toEqual([3, 0]);
  });

  it("are found by the pointer only within reach", () => {
    const places = [
      { x: 0, y: 0 },
      { x: 30, y: 0 },
    ];
    expect(nearestPoint(places, { x: 20, y: 0 }, 24)).toBe(1);
    expect(nearestPoint(places, { x: 60, y: 0 }, 24)).toBeNull();
    expect(nearestPoint([], { x: 0, y: 0 }, 24)).toBeNull();
  });
});
