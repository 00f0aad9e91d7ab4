import type { Point } from "../points.ts";

/** Map of the heart's silhouette: logits by cell, positive inside. */
export type SilhouetteMap = {
  readonly cells: number;
  /** Float32Array [cells, cells], row-major. */
  readonly logits: Float32Array;
};

export const outlineRules = {
  rays: 120,
  /** Distance between samples of a ray [cells]; the border is interpolated linearly between two samples. */
  stepCells: 0.5,
  /** Maximum width of a gap in the silhouette that is bridged [cells]: a vessel or an airway seen through the heart. */
  gapCells: 2,
  /** Maximum difference of neighbouring radii, as a fraction of the smaller one. */
  mostRadiusStep: 0.25,
  leastRadiusCells: 2,
} as const;

/**
 * Traces the outline of a star-shaped silhouette by marching along rays from `centre` [cells]. null if the centre is
 * outside, the border is not reached within the map, or it jumps from one ray to the next.
 */
export function traceOutline(map: SilhouetteMap, centre: Point): readonly Point[] | null {
  const { rays, mostRadiusStep, leastRadiusCells } = outlineRules;
  const radii = new Float64Array(rays);
  for (let ray = 0; ray < rays; ray++) {
    const angle = (2 * Math.PI * ray) / rays;
    const radius = borderAlong(map, centre, Math.cos(angle), Math.sin(angle));
    if (radius === null || radius < leastRadiusCells) return null;
    radii[ray] = radius;
  }
  for (let ray = 0; ray < rays; ray++) {
    const one = radii[ray] as number;
    const next = radii[(ray + 1) % rays] as number;
    if (Math.abs(one - next) > mostRadiusStep * Math.min(one, next)) return null;
  }
  return Array.from(radii, (radius, ray) => {
    const angle = (2 * Math.PI * ray) / rays;
    return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) };
  });
}

/** Distance at which a ray finally leaves the silhouette [cells]; null if it starts outside or ends inside. */
function borderAlong(map: SilhouetteMap, { x, y }: Point, dx: number, dy: number): number | null {
  const { stepCells, gapCells } = outlineRules;
  let before = logitAt(map, x, y);
  if (!(before > 0)) return null;
  let border: number | null = null;
  for (let radius = stepCells; border === null || radius <= border + gapCells; radius += stepCells) {
    const logit = logitAt(map, x + radius * dx, y + radius * dy);
    // There is no data beyond the map's border, so the last border found is used.
    if (Number.isNaN(logit)) return border;
    if (before > 0 && logit <= 0) border = radius - (stepCells * logit) / (logit - before);
    if (logit > 0) border = null;
    before = logit;
  }
  return border;
}

/** Bilinear; NaN outside the map. */
function logitAt({ cells, logits }: SilhouetteMap, x: number, y: number): number {
  if (!(x >= 0 && y >= 0 && x <= cells - 1 && y <= cells - 1)) return Number.NaN;
  const left = Math.min(cells - 2, Math.floor(x));
  const top = Math.min(cells - 2, Math.floor(y));
  const u = x - left;
  const v = y - top;
  const at = top * cells + left;
  const upper = (logits[at] as number) * (1 - u) + (logits[at + 1] as number) * u;
  const lower = (logits[at + cells] as number) * (1 - u) + (logits[at + cells + 1] as number) * u;
  return upper * (1 - v) + lower * v;
}
