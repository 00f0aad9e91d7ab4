import type { PictureSize } from "../cardiac/points.ts";

/** A rectangle of a picture, as fractions 0–1 of its width and height from its top left corner. */
export type PictureArea = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** Side of the analysed cells [px of a picture whose longest side is about 1000]. */
const cellPx = 12;
/** Minimum step between neighbouring pixels that only characters have, relative to the picture's range. */
const sharpStep = 0.35;
/** Minimum number of sharp steps in a cell with characters; the edge of a marker or bone crosses each row once. */
const stepsOfSigns = 18;
const maxAreas = 20;

/**
 * Finds areas with possible burned-in text: cells with many sharp steps along their rows, with neighbours joined. An
 * estimate that includes lead markers and misses faint or blurred text, so a user has to review it.
 *
 * @param grey  row-major, 0–255, longest side about 1000 px
 */
export function suspectedText({ data, widthPx, heightPx }: PictureSize & { readonly data: Uint8Array }): PictureArea[] {
  const step = sharpStep * rangeOf(data);
  if (step < 16) return [];
  const [columns, rows] = [Math.ceil(widthPx / cellPx), Math.ceil(heightPx / cellPx)];
  const steps = new Uint16Array(columns * rows);
  for (let y = 0; y < heightPx; y += 1)
    for (let x = 1; x < widthPx; x += 1) {
      const at = y * widthPx + x;
      if (Math.abs((data[at] as number) - (data[at - 1] as number)) < step) continue;
      const cell = Math.floor(y / cellPx) * columns + Math.floor(x / cellPx);
      steps[cell] = (steps[cell] as number) + 1;
    }
  const areas = joined(
    [...steps.keys()].filter((cell) => (steps[cell] as number) >= stepsOfSigns),
    columns,
  );
  return areas
    .filter(({ cells }) => cells >= 2)
    .sort((a, b) => b.cells - a.cells)
    .slice(0, maxAreas)
    .map(({ left, top, right, bottom }) => shareOf({ left, top, right, bottom }, { widthPx, heightPx }));
}

type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/** Groups cells that touch or are separated by one cell, such as the space between words. */
function joined(found: readonly number[], columns: number): (Box & { readonly cells: number })[] {
  const left = new Set(found);
  const groups: (Box & { readonly cells: number })[] = [];
  for (const start of found) {
    if (!left.delete(start)) continue;
    const group = [start];
    for (const cell of group)
      for (const dy of [-1, 0, 1])
        for (const dx of [-2, -1, 0, 1, 2]) {
          const column = (cell % columns) + dx;
          const next = cell + dy * columns + dx;
          if (column >= 0 && column < columns && left.delete(next)) group.push(next);
        }
    const [x, y] = [group.map((cell) => cell % columns), group.map((cell) => Math.floor(cell / columns))];
    groups.push({
      left: Math.min(...x),
      right: Math.max(...x) + 1,
      top: Math.min(...y),
      bottom: Math.max(...y) + 1,
      cells: group.length,
    });
  }
  return groups;
}

function shareOf({ left, top, right, bottom }: Box, { widthPx, heightPx }: PictureSize): PictureArea {
  const x = Math.max(0, ((left - 0.5) * cellPx) / widthPx);
  const y = Math.max(0, ((top - 0.5) * cellPx) / heightPx);
  return {
    x,
    y,
    width: Math.min(1, ((right + 0.5) * cellPx) / widthPx) - x,
    height: Math.min(1, ((bottom + 0.5) * cellPx) / heightPx) - y,
  };
}

function rangeOf(data: Uint8Array): number {
  let [least, most] = [255, 0];
  for (const value of data) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most - least;
}
