import type { Point } from "../../../core/cardiac/points.ts";

/** A box [px], left top corner and size. */
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** An ellipse that no label may touch [px]; `angleRad` turns its first half axis from x. */
export type Ellipse = {
  readonly centre: Point;
  readonly halfLong: number;
  readonly halfShort: number;
  readonly angleRad: number;
};

/** A label to place beside `anchor`, towards `direction`. */
export type LabelWish = {
  readonly anchor: Point;
  readonly direction: Point;
  readonly width: number;
  readonly height: number;
};

const stepsOutward = 12;
const turnsDeg = [0, 25, -25, 50, -50, 80, -80] as const;

/**
 * Finds room for labels: as near to their anchors as they can be without covering the ellipse, each other, the boxes
 * already taken, or leaving the picture. A label that finds no room is null.
 */
export function placeLabels(
  wishes: readonly LabelWish[],
  keepClear: Ellipse,
  picture: { readonly width: number; readonly height: number },
  taken: readonly Box[] = [],
): (Box | null)[] {
  const occupied = [...taken];
  return wishes.map((wish) => {
    const box = candidates(wish).find(
      (candidate) =>
        isInside(candidate, picture) &&
        !touchesEllipse(candidate, keepClear) &&
        !occupied.some((other) => overlap(candidate, other)),
    );
    if (!box) return null;
    occupied.push(box);
    return box;
  });
}

function candidates({ anchor, direction, width, height }: LabelWish): Box[] {
  const length = Math.hypot(direction.x, direction.y) || 1;
  const boxes: Box[] = [];
  for (let step = 1; step <= stepsOutward; step += 1) {
    for (const turnDeg of turnsDeg) {
      const turn = (turnDeg * Math.PI) / 180;
      const x = (direction.x * Math.cos(turn) - direction.y * Math.sin(turn)) / length;
      const y = (direction.x * Math.sin(turn) + direction.y * Math.cos(turn)) / length;
      // The box touches the anchor's surroundings with the side facing the anchor.
      const reach = (Math.abs(x) * width + Math.abs(y) * height) / 2 + (step * height) / 2;
      boxes.push({ x: anchor.x + x * reach - width / 2, y: anchor.y + y * reach - height / 2, width, height });
    }
  }
  return boxes;
}

function isInside(box: Box, picture: { readonly width: number; readonly height: number }): boolean {
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= picture.width && box.y + box.height <= picture.height;
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether any place of a box lies in the ellipse, judged on a grid finer than any heart. */
function touchesEllipse(box: Box, { centre, halfLong, halfShort, angleRad }: Ellipse): boolean {
  const cells = 8;
  for (let row = 0; row <= cells; row += 1) {
    for (let column = 0; column <= cells; column += 1) {
      const dx = box.x + (column / cells) * box.width - centre.x;
      const dy = box.y + (row / cells) * box.height - centre.y;
      const along = (dx * Math.cos(angleRad) + dy * Math.sin(angleRad)) / halfLong;
      const across = (dy * Math.cos(angleRad) - dx * Math.sin(angleRad)) / halfShort;
      if (along * along + across * across <= 1) return true;
    }
  }
  return false;
}
