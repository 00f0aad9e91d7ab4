// Runs once: uses no store.
import { describe, expect, it } from "vitest";
import type { AnnotationSet } from "../../../../core/contract/desktop/annotations.ts";
import { drawAnnotations } from "../../../../main/services/measuring/annotation-drawing.ts";
import { drawOnFilm } from "../../../../main/services/measuring/render.ts";

const film = { grey: Buffer.alloc(1000 * 800, 40), widthPx: 1000, heightPx: 800 };
const frame = { widthPx: 2000, heightPx: 1600 };
const write = (value: number, digits: number) => value.toFixed(digits);

const length: AnnotationSet["annotations"][number] = {
  id: "a",
  tool: "length",
  points: [
    { x: 399.5, y: 799.5 },
    { x: 1199.5, y: 799.5 },
  ],
  text: "",
};
const setOf = (...annotations: AnnotationSet["annotations"]): AnnotationSet => ({
  frame,
  corners: null,
  calibration: null,
  annotations,
});

async function drawn(set: AnnotationSet, paper: { letterPx: number; linePx: number } | null = null) {
  const { data, widthPx, heightPx } = await drawOnFilm(film, {
    drawn: null,
    frame: film,
    strip: null,
    over: (canvas) => drawAnnotations({ set, scale: null }, canvas, write, paper),
  });
  const isOrange = (index: number) => data[index * 3]! > 180 && data[index * 3 + 2]! < 150;
  const found = Array.from({ length: widthPx * heightPx }, (_, index) => index).filter(isOrange);
  return {
    isAt: (x: number, y: number) => isOrange(y * widthPx + x),
    columns: found.map((index) => index % widthPx),
    rows: found.map((index) => Math.floor(index / widthPx)),
  };
}

describe("annotations on an exported picture", () => {
  it("keep their position in a picture of any size", async () => {
    const { isAt } = await drawn(setOf(length));
    expect([200, 300, 400, 500, 598].map((x) => isAt(x, 400))).toEqual([true, true, true, true, true]);
    expect([isAt(180, 400), isAt(400, 380), isAt(400, 420)]).toEqual([false, false, false]);
  });

  it("keep their label on the film near its border", async () => {
    const note = {
      ...length,
      tool: "note" as const,
      points: [{ x: 1990, y: 4 }],
      text: "Foreign body in the caudal lobe",
    };
    const { columns, rows } = await drawn(setOf(note));
    expect(columns.length).toBeGreaterThan(300);
    expect(Math.max(...columns)).toBeLessThan(999);
    expect(Math.min(...rows)).toBeGreaterThan(0);
  });

  it("have letters and lines of at least the minimum size for print", async () => {
    const rowsOf = async (paper: { letterPx: number; linePx: number } | null) => {
      const { rows } = await drawn(setOf({ ...length, tool: "note", points: [{ x: 500, y: 500 }], text: "H" }), paper);
      return Math.max(...rows) - Math.min(...rows) + 1;
    };
    // A capital letter is about 0.7 of the font size high.
    expect(await rowsOf({ letterPx: 60, linePx: 4 })).toBeGreaterThan(0.65 * 60);
    expect(await rowsOf(null)).toBeLessThan(0.8 * 22);
  });

  it("draw nothing for an empty set", async () => {
    expect((await drawn(setOf())).columns).toEqual([]);
  });
});
