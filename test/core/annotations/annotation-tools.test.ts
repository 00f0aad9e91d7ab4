import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { annotationTools, toolOf } from "../../../core/annotations/annotation-tools.ts";
import { annotationLabel, annotationValue } from "../../../core/annotations/annotation-value.ts";
import { filmScale, roundLength } from "../../../core/annotations/film-scale.ts";
import type { Point } from "../../../core/cardiac/points.ts";

// Hundredths of a pixel: what a person can place.
const coordinate = fc.integer({ min: 0, max: 400_000 }).map((hundredths) => hundredths / 100);
const place = fc.record({ x: coordinate, y: coordinate });
const turnRad = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true });
const scale = (mm: number) => ({ columnMm: mm, rowMm: mm, kind: "pixel" as const });
const write = (value: number, digits: number) => value.toFixed(digits);

/** As a view does it: mirrored, turned and moved. */
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
  it("reads the same however the film is turned and mirrored", () => {
    fc.assert(
      fc.property(pointsOf(tool), turnRad, fc.boolean(), (points, turn, isFlipped) => {
        const [before, after] = [tool.read(points), tool.read(viewed(points, turn, isFlipped))];
        // A hair's breadth decides whether flat corners enclose anything.
        if (before === null || after === null) return (before ?? after ?? 0) < 1 || tool.name === "polygon";
        return Math.abs(before - after) <= 1e-6 * Math.max(1, before);
      }),
    );
  });

  it("has a label and an outline within the extent of its points, and finite values only", () => {
    fc.assert(
      fc.property(pointsOf(tool), (points) => {
        const value = tool.read(points);
        expect(value === null || (Number.isFinite(value) && value >= 0)).toBe(true);
        expect(points).toContain(tool.labelAt(points));
        for (const { x, y } of tool.outline(points)) expect(Number.isFinite(x + y)).toBe(true);
      }),
    );
  });

  it("reads only a length of 0 from coinciding points", () => {
    const spot = Array.from({ length: tool.points.least }, () => ({ x: 5, y: 7 }));
    expect(tool.read(spot)).toBe(tool.quantity === "length" ? 0 : null);
  });

  it("goes with the scale: a length once, an area twice, an angle not at all", () => {
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
  it("of a polygon is the rectangle's that it is, whichever corner is first and whichever way round", () => {
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

  it("of a polygon whose sides cross is not given", () => {
    const bowTie = [
      { x: 0, y: 0 },
      { x: 10, y: 8 },
      { x: 10, y: 0 },
      { x: 0, y: 9 },
    ];
    expect(annotationLabel({ tool: "polygon", points: bowTie, text: "" }, null, write)).toBe("—");
  });

  it("of an ellipse is half axis by half axis by pi, and that of its drawn line", () => {
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
    const circle = [
      { x: 0, y: 0 },
      { x: 20, y: 0 },
      { x: 3, y: 10 },
    ];
    expect(toolOf("ellipse").read(circle)).toBeCloseTo(Math.PI * 100, 9);
  });
});

describe("an angle", () => {
  it("is the one that two directions enclose, up to a straight line", () => {
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

  it("is the file's in the size of the picture that is drawn on, whatever was calibrated", () => {
    const half = { widthPx: 1000, heightPx: 500 };
    expect(filmScale(spacing, film, half, calibration)).toEqual({ columnMm: 0.28, rowMm: 0.28, kind: "pixel" });
  });

  it("is the calibrated one without pixel spacing, and none without a calibration", () => {
    expect(filmScale(null, film, film, calibration)).toEqual({ columnMm: 0.5, rowMm: 0.5, kind: "calibrated" });
    expect(filmScale(null, film, film, null)).toBeNull();
    expect(filmScale(null, film, film, { ...calibration, to: calibration.from })).toBeNull();
  });

  it("uses pixels without a scale, never millimetres", () => {
    const line = {
      tool: "length" as const,
      points: [
        { x: 0, y: 0 },
        { x: 30, y: 40 },
      ],
      text: "",
    };
    expect(annotationLabel(line, null, write)).toBe("50 px");
    expect(annotationLabel(line, scale(0.5), write)).toBe("25.0 mm");
  });

  it("draws a scale bar of 1, 2 or 5 times a power of ten that fits", () => {
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
