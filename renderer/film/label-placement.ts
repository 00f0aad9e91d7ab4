import type { ScreenPoint, Size } from "./view.ts";

/** A text that wants to stand near a point. */
export type Label = {
  readonly id: string;
  readonly text: string;
  readonly at: ScreenPoint;
  /** Direction in which it should rather stand, any length. */
  readonly away: ScreenPoint;
};

/** Where a text came to stand: its box on the stage [CSS px]. */
export type PlacedLabel = Label & {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly heightPx: number;
};

/** The heart's silhouette as the ellipse through its axes, on the stage [CSS px]. */
export type Silhouette = {
  readonly centre: ScreenPoint;
  readonly halfLongPx: number;
  readonly halfShortPx: number;
  readonly angleRad: number;
};

/** Labels are set in a monospaced face, so their width is known without measuring. */
const labelCharPx = 6.9;
const labelHeightPx = 17;
const labelPaddingPx = 10;
/** Half the size of a point's mark. */
const pointPx = 5;
const directions = 16;
const distancesPx = [12, 22, 36, 56, 84, 120, 170, 230] as const;
/** The silhouette bulges beyond its axes' ellipse. */
const silhouetteMargin = 1.08;

/** Ellipse of the heart from the ends of its axes. */
export function silhouetteOf(top: ScreenPoint, bottom: ScreenPoint, right: ScreenPoint, left: ScreenPoint): Silhouette {
  return {
    centre: { x: (top.x + bottom.x + right.x + left.x) / 4, y: (top.y + bottom.y + right.y + left.y) / 4 },
    halfLongPx: (Math.hypot(bottom.x - top.x, bottom.y - top.y) / 2) * silhouetteMargin,
    halfShortPx: (Math.hypot(left.x - right.x, left.y - right.y) / 2) * silhouetteMargin,
    angleRad: Math.atan2(bottom.y - top.y, bottom.x - top.x),
  };
}

/**
 * Places labels so that none covers the heart, a labelled point, another label, or leaves the stage. Earlier labels
 * have the first choice; one that finds no room is left out rather than put over the heart.
 *
 * @param scale  how much larger than usual the labels are written
 */
export function placeLabels(labels: readonly Label[], heart: Silhouette | null, stage: Size, scale = 1): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  for (const label of labels) {
    const isFree = (box: PlacedLabel) =>
      isInside(box, stage) &&
      !(heart && coversHeart(box, heart)) &&
      !placed.some((other) => overlap(box, other)) &&
      !labels.some(({ at }) => covers(box, at));
    const place = candidates(label, scale).find(isFree);
    if (place) placed.push(place);
  }
  return placed;
}

/**
 * Boxes around the point: near before far, and at each distance the wished direction first, then ever further from it.
 */
function candidates(label: Label, scale: number): PlacedLabel[] {
  const widthPx = (label.text.length * labelCharPx + labelPaddingPx) * scale;
  const heightPx = labelHeightPx * scale;
  const wished = Math.atan2(label.away.y, label.away.x);
  return distancesPx.flatMap((distance) =>
    Array.from({ length: directions }, (_, index) => {
      const sideways = Math.ceil(index / 2) * (index % 2 === 1 ? 1 : -1);
      const angle = wished + (sideways * 2 * Math.PI) / directions;
      const x = label.at.x + Math.cos(angle) * (distance + widthPx / 2) - widthPx / 2;
      const y = label.at.y + Math.sin(angle) * (distance + heightPx / 2) - heightPx / 2;
      return { ...label, x, y, widthPx, heightPx };
    }),
  );
}

/** Whether a box touches the heart, tried on a grid finer than the box is high. */
export function coversHeart(box: PlacedLabel, heart: Silhouette): boolean {
  const cos = Math.cos(heart.angleRad);
  const sin = Math.sin(heart.angleRad);
  const steps = 8;
  for (let column = 0; column <= steps; column++) {
    for (let row = 0; row <= 2; row++) {
      const x = box.x + (box.widthPx * column) / steps - heart.centre.x;
      const y = box.y + (box.heightPx * row) / 2 - heart.centre.y;
      const along = (x * cos + y * sin) / heart.halfLongPx;
      const across = (y * cos - x * sin) / heart.halfShortPx;
      if (along * along + across * across < 1) return true;
    }
  }
  return false;
}

function covers(box: PlacedLabel, point: ScreenPoint): boolean {
  return (
    Math.abs(point.x - box.x - box.widthPx / 2) < box.widthPx / 2 + pointPx &&
    Math.abs(point.y - box.y - box.heightPx / 2) < box.heightPx / 2 + pointPx
  );
}

function overlap(a: PlacedLabel, b: PlacedLabel): boolean {
  return a.x < b.x + b.widthPx && b.x < a.x + a.widthPx && a.y < b.y + b.heightPx && b.y < a.y + a.heightPx;
}

function isInside(box: PlacedLabel, stage: Size): boolean {
  return (
    box.x >= 2 && box.y >= 2 && box.x + box.widthPx <= stage.widthPx - 2 && box.y + box.heightPx <= stage.heightPx - 2
  );
}
