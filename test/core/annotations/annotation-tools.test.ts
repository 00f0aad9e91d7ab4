import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { annotationTools, toolOf } from "../../../core/annotations/annotation-tools.ts";
import { annotationLabel, annotationValue } from "../../../core/annotations/annotation-value.ts";
import { filmScale, roundLength } from "../../../core/annotations/film-scale.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import { pointsAt } from "../../fixtures/points-at.ts";

// Users place points to a hundredth of a pixel.
const coordinate = fc.integer({ min: 0, max: 400_000 }).map((hundredths) => hundredths / 100);
const place = fc.record({ x: coordinate, y: coordinate });
const turnRad = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true });
const scale = (mm: number) => ({ columnMm: mm, rowMm: mm, kind: "pixel" as const });
const write = (value: number, digits: number) => value.toFixed(digits);

function viewed(points: readonly Point[], turn: number, isFlipped: boolean): Point[] {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return points.map(({ x, y }) => {
    const across = isFlipped ? -x : x;
    return { x: across * cos - y * sin + 31, y: across * sin + y * cos - 12 };
  });
}

const pointsOf = (tool: (typeof annotationTools)[number]) =>
  fc.array(place, { minLength: tool.points.least, maxLength: Math.min(tool.points.most, 6) });

describe.each(annotationTools.map((tool) => [tool.name, tool] as const))("the tool %s", (_, tool) => {
  it("computes the same value however the film is rotated and mirrored", () => {
    fc.assert(
      fc.property(pointsOf(tool), turnRad, fc.boolean(), (points, turn, isFlipped) => {
        const [before, after] = [tool.read(points), tool.read(viewed(points, turn, isFlipped))];
        // Rounding decides whether nearly collinear corners enclose an area.
        if (before === null || after === null) return (before ?? after ?? 0) < 1 || tool.name === "polygon";
        return Math.abs(before - after) <= 1e-6 * Math.max(1, before);
      }),
    );
  });

  it("has finite values, a label at one of its points and a finite outline", () => {
    fc.assert(
      fc.property(pointsOf(tool), (points) => {
        const value = tool.read(points);
        expect(value === null || (Number.isFinite(value) && value >= 0)).toBe(true);
        expect(points).toContain(tool.labelAt(points));
        for (const { x, y } of tool.outline(points)) expect(Number.isFinite(x + y)).toBe(true);
      }),
    );
  });

  it("returns no value for coinciding points, except a length of 0", () => {
    const spot = Array.from({ length: tool.points.least }, () => ({ x: 5, y: 7 }));
    expect(tool.read(spot)).toBe(tool.quantity === "length" ? 0 : null);
  });

  it("scales lengths linearly, areas quadratically, and not angles", () => {
    fc.assert(
      fc.property(pointsOf(tool), fc.double({ min: 0.01, max: 5, noNaN: true }), (points, mm) => {
        const annotation = { tool: tool.name, points };
        const [inPx, inMm] = [annotationValue(annotation, null), annotationValue(annotation, scale(mm))];
        if (!inPx || !inMm || inPx.value < 1) return;
        const power = tool.quantity === "length" ? 1 : tool.quantity === "area" ? 2 : 0;
        expect(inMm.value / inPx.value).toBeCloseTo(mm ** power, 5);
        expect([inPx.unit, inMm.unit]).toEqual(
          { length: ["px", "mm"], area: ["px²", "mm²"], angle: ["°", "°"] }[tool.quantity as "length"],
        );
      }),
    );
  });
});

describe("areas", () => {
  it("computes a rectangle's area as a polygon from any first corner in either direction", () => {
    fc.assert(
      fc.property(
        place,
        fc.integer({ min: 1, max: 900 }),
        fc.integer({ min: 1, max: 900 }),
        fc.nat(3),
        fc.boolean(),
        ({ x, y }, width, height, first, isBackwards) => {
          const corners = [
            { x, y },
            { x: x + width, y },
            { x: x + width, y: y + height },
            { x, y: y + height },
          ];
          const turned = [...corners.slice(first), ...corners.slice(0, first)];
          expect(toolOf("polygon").read(isBackwards ? turned.reverse() : turned)).toBeCloseTo(width * height, 4);
        },
      ),
    );
  });

  it("shows a dash for a polygon with crossing sides", () => {
    const bowTie = pointsAt([0, 0], [10, 8], [10, 0], [0, 9]);
    expect(annotationLabel({ tool: "polygon", points: bowTie, text: "" }, null, write)).toBe("—");
  });

  it("computes an ellipse's area from its half axes, equal to that of the drawn line", () => {
    fc.assert(
      fc.property(place, place, place, (from, to, side) => {
        const area = toolOf("ellipse").read([from, to, side]);
        if (area === null || area < 1) return;
        const line = toolOf("ellipse").outline([from, to, side]).slice(0, -1);
        const drawn = Math.abs(
          line.reduce((sum, a, index) => {
            const b = line[(index + 1) % line.length] as Point;
            return sum + (a.x * b.y - b.x * a.y) / 2;
          }, 0),
        );
        expect(drawn / area).toBeGreaterThan(0.99);
        expect(drawn / area).toBeLessThan(1.0001);
      }),
    );
    const circle = pointsAt([0, 0], [20, 0], [3, 10]);
    expect(toolOf("ellipse").read(circle)).toBeCloseTo(Math.PI * 100, 9);
  });
});

describe("an angle", () => {
  it("is measured between two directions, up to 180 degrees", () => {
    fc.assert(
      fc.property(place, turnRad, fc.integer({ min: 0, max: 180 }), (corner, turn, deg) => {
        const leg = (rad: number) => ({ x: corner.x + 120 * Math.cos(rad), y: corner.y + 120 * Math.sin(rad) });
        const read = toolOf("angle").read([leg(turn), corner, leg(turn + (deg * Math.PI) / 180)]);
        expect(read).toBeCloseTo(deg, 6);
      }),
    );
  });
});

describe("the scale of a film", () => {
  const film = { widthPx: 2000, heightPx: 1000 };
  const spacing = { rowMm: 0.14, columnMm: 0.14, kind: "pixel" as const };
  const calibration = { from: { x: 10, y: 10 }, to: { x: 10, y: 110 }, lengthMm: 50 };

  it("comes from the file, in pixels of the annotated picture, regardless of a calibration", () => {
    const half = { widthPx: 1000, heightPx: 500 };
    expect(filmScale(spacing, film, half, calibration)).toEqual({ columnMm: 0.28, rowMm: 0.28, kind: "pixel" });
  });

  it("comes from the calibration without pixel spacing, and is null without either", () => {
    expect(filmScale(null, film, film, calibration)).toEqual({ columnMm: 0.5, rowMm: 0.5, kind: "calibrated" });
    expect(filmScale(null, film, film, null)).toBeNull();
    expect(filmScale(null, film, film, { ...calibration, to: calibration.from })).toBeNull();
  });

  it("labels lengths in pixels without a scale", () => {
    const line = {
      tool: "length" as const,
      points: pointsAt([0, 0], [30, 40]),
      text: "",
    };
    expect(annotationLabel(line, null, write)).toBe("50 px");
    expect(annotationLabel(line, scale(0.5), write)).toBe("25.0 mm");
  });

  it("rounds a scale bar down to 1, 2 or 5 times a power of ten", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (most) => {
        const bar = roundLength(most);
        expect(bar).toBeLessThanOrEqual(most);
        expect(bar).toBeGreaterThan(most / 2.5 - 1e-9);
        expect([1, 2, 5]).toContain(Math.round(bar / 10 ** Math.floor(Math.log10(bar) + 1e-9)));
      }),
    );
  });
});
