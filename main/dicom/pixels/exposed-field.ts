import type { PictureSize } from "../../../core/cardiac/points.ts";
import type { ElementValues } from "../elements/dicom-elements.ts";

/** Area not covered by shutter and collimator: for each row, the columns from `from` to `to` (exclusive). */
export type ExposedField = {
  readonly from: Int32Array;
  readonly to: Int32Array;
};

/** Minimum fraction of the picture; a smaller field indicates a damaged file. */
const minShare = 0.05;

const openings = [
  {
    shapes: "00181600",
    edges: ["00181602", "00181604", "00181606", "00181608"],
    centre: "00181610",
    radius: "00181612",
    corners: "00181620",
  },
  {
    shapes: "00181700",
    edges: ["00181702", "00181704", "00181706", "00181708"],
    centre: "00181710",
    radius: "00181712",
    corners: "00181720",
  },
] as const;

/**
 * Exposed field stated in the file; null if none is stated or it is implausible. Polygons are treated as convex, as
 * collimators are. @see DICOM PS3.3 C.7.6.11 (shutter), C.8.7.3 (collimator)
 */
export function exposedField(file: ElementValues, { widthPx, heightPx }: PictureSize): ExposedField | null {
  const shapes = openings.flatMap((opening) => shapesOf(file, opening));
  if (shapes.length === 0) return null;
  const from = new Int32Array(heightPx);
  const to = new Int32Array(heightPx);
  let open = 0;
  for (let row = 0; row < heightPx; row += 1) {
    const ends = shapes.map((shape) => shape(row));
    const first = Math.max(0, ...ends.map(([low]) => Math.ceil(low)));
    const last = Math.min(widthPx - 1, ...ends.map(([, high]) => Math.floor(high)));
    if (!(last >= first)) continue;
    from[row] = first;
    to[row] = last + 1;
    open += last + 1 - first;
  }
  return open >= minShare * widthPx * heightPx ? { from, to } : null;
}

/** First and last open column of a row, counted from 0; first > last for a covered row. */
type Shape = (row: number) => readonly [low: number, high: number];

const closed = [1, 0] as const;

function shapesOf(file: ElementValues, tags: (typeof openings)[number]): Shape[] {
  const names = file.texts(tags.shapes);
  return [
    ...(names.includes("RECTANGULAR") ? rectangle(tags.edges.map((tag) => file.number(tag))) : []),
    ...(names.includes("CIRCULAR") ? circle(file.numbers(tags.centre), file.number(tags.radius)) : []),
    ...(names.includes("POLYGONAL") ? polygon(file.numbers(tags.corners)) : []),
  ];
}

/** The rows and columns of the edges are covered. */
function rectangle(stated: readonly (number | null)[]): Shape[] {
  const edges = stated.filter((edge) => edge !== null);
  if (edges.length < stated.length) return [];
  const [left, right, upper, lower] = edges as [number, number, number, number];
  return [(row) => (row + 1 > upper && row + 1 < lower ? [left, right - 2] : closed)];
}

function circle([centreRow, centreColumn]: readonly number[], radius: number | null): Shape[] {
  if (centreRow === undefined || centreColumn === undefined || radius === null) return [];
  return [
    (row) => {
      const half = Math.sqrt(radius ** 2 - (row + 1 - centreRow) ** 2);
      return Number.isNaN(half) ? closed : [centreColumn - 1 - half, centreColumn - 1 + half];
    },
  ];
}

function polygon(numbers: readonly number[]): Shape[] {
  const corners = Array.from({ length: numbers.length >> 1 }, (_, index) => ({
    row: (numbers[2 * index] as number) - 1,
    column: (numbers[2 * index + 1] as number) - 1,
  }));
  if (corners.length < 3) return [];
  return [
    (row) => {
      const crossings = corners.flatMap((start, index) => {
        const end = corners[(index + 1) % corners.length] as typeof start;
        if (start.row === end.row) return start.row === row ? [start.column, end.column] : [];
        const share = (row - start.row) / (end.row - start.row);
        return share < 0 || share > 1 ? [] : [start.column + share * (end.column - start.column)];
      });
      return crossings.length < 2 ? closed : [Math.min(...crossings), Math.max(...crossings)];
    },
  ];
}
