import type { Point } from "../../../core/cardiac/points.ts";

/** Displayed area of the stored picture: its first and last pixel, counted from 1, and its orientation. */
export type Displayed = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Clockwise, before the flip. */
  readonly rotationDeg: number;
  readonly isFlipped: boolean;
};

const roundPoints = 48;

/**
 * Area between the pixels at two opposite corners of the display, in any order. Their position in the stored picture
 * depends on its rotation, but some writers state its upper left corner first. @see DICOM PS3.3 C.10.4
 */
export function areaBetween(
  [left, top]: readonly [number, number],
  [right, bottom]: readonly [number, number],
): Omit<Displayed, "rotationDeg" | "isFlipped"> {
  return {
    left: Math.min(left, right),
    top: Math.min(top, bottom),
    right: Math.max(left, right),
    bottom: Math.max(top, bottom),
  };
}

/** Converts a point of the displayed area (0–1) to pixels of the stored picture. @see DICOM PS3.3 C.10.5, C.10.6 */
export function inImage({ x, y }: Point, { left, top, right, bottom, rotationDeg, isFlipped }: Displayed): Point {
  const shown = { x: isFlipped ? 1 - x : x, y };
  const stored = unturned(shown, rotationDeg);
  return { x: left - 1 + stored.x * (right - left + 1), y: top - 1 + stored.y * (bottom - top + 1) };
}

function unturned({ x, y }: Point, rotationDeg: number): Point {
  switch (((rotationDeg % 360) + 360) % 360) {
    case 90:
      return { x: y, y: 1 - x };
    case 180:
      return { x: 1 - x, y: 1 - y };
    case 270:
      return { x: 1 - y, y: x };
    default:
      return { x, y };
  }
}

/** Closed polyline of an ellipse, by its two half axes. */
export function ellipseOf(centre: Point, one: Point, other: Point): Point[] {
  return Array.from({ length: roundPoints + 1 }, (_, index) => {
    const angle = (2 * Math.PI * (index % roundPoints)) / roundPoints;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return { x: centre.x + cos * one.x + sin * other.x, y: centre.y + cos * one.y + sin * other.y };
  });
}
