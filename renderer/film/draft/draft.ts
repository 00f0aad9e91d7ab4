import type { Reading } from "../../../core/contract/desktop/readings.ts";
import type { HeartScore } from "../../../core/cardiac/heart-score.ts";
import { axisLandmarkNames, heartLandmarkNames, type HeartLandmarkName } from "../../../core/cardiac/landmarks.ts";
import {
  measures,
  type HandPointName,
  type HeartPointName,
  type KnownMeasure,
} from "../../../core/cardiac/measures/measures.ts";
import { heartPointNames, placedHeart, type PlacedHeart } from "../../../core/cardiac/measures/placed-heart.ts";
import { boundToLines, isUndrawn } from "../../../core/cardiac/measures/read-measures.ts";
import { distancePx, type Point } from "../../../core/cardiac/points.ts";
import { scoreByHand, shiftRuler, type BeforeCorrection } from "../../../core/cardiac/ruler/ruler-by-hand.ts";
import type { VertebralRuler } from "../../../core/cardiac/ruler/vertebral-ruler.ts";
import { axesOfOutline } from "../../../core/cardiac/silhouette/axes-of-outline.ts";
import { bentOutline, outlineHandles, outlineIndex, type OutlineHandle } from "./draft-outline.ts";
import type { Size } from "../view.ts";

/** A movable point: a landmark of the heart, a vertebral edge by its index, or a point of the outline. */
export type Handle = HeartPointName | number | OutlineHandle;

/** Points of a correction [px of the frame]; null for points not yet placed. */
export type Draft = {
  readonly heart: { readonly [Name in HeartLandmarkName]: Point | null } & {
    readonly [Name in HandPointName]?: Point | null | undefined;
  };
  readonly edges: readonly Point[];
  /** Closed polygon from which the axes are derived; absent if they are not derived from one. */
  readonly outline?: readonly Point[] | null;
  /** Landmarks skipped when measuring by hand. */
  readonly skipped?: readonly HeartLandmarkName[];
};

export const emptyDraft: Draft = {
  heart: { heart_top: null, heart_bottom: null, heart_right: null, heart_left: null, VLAS: null },
  edges: [],
};

/** Draft of a reading. A fallback ruler of six equal parts is corrected by its two ends. */
export function draftOf(reading: Reading): Draft {
  if (!reading.heart || !reading.ruler) return emptyDraft;
  const ends = [reading.ruler.edges[0], reading.ruler.edges.at(-1)].filter((edge) => edge !== undefined);
  const edges = reading.ruler.kind === "fallback" ? ends : reading.edges;
  return { heart: reading.heart, edges, ...(reading.outline && { outline: reading.outline }) };
}

export function pointOf(draft: Draft, handle: Handle): Point | null {
  const index = outlineIndex(handle);
  if (index !== null) return draft.outline?.[index] ?? null;
  return (typeof handle === "number" ? draft.edges[handle] : draft.heart[handle as HeartPointName]) ?? null;
}

export function withPoint(draft: Draft, handle: Handle, point: Point, frame: Size): Draft {
  const inside = { x: limited(point.x, frame.widthPx), y: limited(point.y, frame.heightPx) };
  const at = pointOf(draft, handle);
  if (at && isSamePlace(at, inside)) return draft;
  return moved(draft, handle, inside);
}

function moved(draft: Draft, handle: Handle, point: Point): Draft {
  if (typeof handle === "number")
    return { ...draft, edges: draft.edges.map((edge, index) => (index === handle ? point : edge)) };
  const index = outlineIndex(handle);
  return index === null ? withHeartPoint(draft, handle as HeartPointName, point) : withOutline(draft, index, point);
}

function withOutline(draft: Draft, index: number, point: Point): Draft {
  const heart = heartOf(draft);
  if (!heart || !draft.outline) return draft;
  const outline = bentOutline(draft.outline, index, point);
  const axes = axesOfOutline(outline, heart);
  return { ...draft, outline, heart: axes ? { ...draft.heart, ...axes, ...boundToLines(axes, heart) } : draft.heart };
}

/** Moving an axis removes the outline, since the axes are then no longer derived from it. */
function withHeartPoint({ outline, ...draft }: Draft, name: HeartPointName, point: Point): Draft {
  const isAxis = axisLandmarkNames.some((end) => end === name);
  const moved = { ...draft, ...(outline && !isAxis && { outline }), heart: { ...draft.heart, [name]: point } };
  const heart = heartOf(moved);
  return heart ? { ...moved, heart: { ...moved.heart, ...boundToLines(heart, heartOf(draft)) } } : moved;
}

/** Adds a measure placed by hand, with its line not yet drawn; removes the measure if present. */
export function withMeasure(draft: Draft, { line }: KnownMeasure): Draft {
  const heart = heartOf(draft);
  if (!line || !heart) return draft;
  return { ...draft, heart: { ...draft.heart, [line.point]: draft.heart[line.point] ? null : line.from(heart) } };
}

export function undrawnMeasure(draft: Draft): KnownMeasure | null {
  const heart = heartOf(draft);
  return (heart && measures.find((measure) => isUndrawn(measure, heart))) ?? null;
}

/** Heart of a draft; null until both axes are placed. */
export function heartOf({ heart }: Draft): PlacedHeart | null {
  return placedHeart((name) => heart[name]);
}

/** Edges of the ruler, and of the networks' other count if they are unsure of T4. */
export type RulerCounts = { readonly edges: readonly Point[]; readonly other: Reading["otherCount"] };

/**
 * Moves the ruler by one vertebra: to the networks' other count if it matches, else by one vertebral length. Returns
 * the same draft if too few edges would remain.
 */
export function withShiftedRuler(draft: Draft, direction: "cranial" | "caudal", counts: RulerCounts | null): Draft {
  const edges = recounted(draft.edges, direction, counts) ?? shiftRuler(draft.edges, direction);
  return edges === draft.edges ? draft : { ...draft, edges };
}

function recounted(edges: readonly Point[], direction: "cranial" | "caudal", counts: RulerCounts | null) {
  if (!counts?.other) return null;
  const isTowardsOther = direction === counts.other.direction;
  const [from, to] = isTowardsOther ? [counts.edges, counts.other.edges] : [counts.other.edges, counts.edges];
  return edges.length === from.length && edges.every((edge, index) => isSamePlace(edge, from[index])) ? to : null;
}

function isSamePlace(one: Point, other: Point | undefined): boolean {
  return other !== undefined && distancePx(one, other) < 1e-6;
}

/** Moves an edge to the nearest proposed edge. Returns the same draft if the handle does not move. */
export function withProposed(draft: Draft, handle: Handle, proposal: Draft): Draft {
  const at = pointOf(draft, handle);
  const [nearest] = at ? proposal.edges.toSorted((a, b) => distancePx(a, at) - distancePx(b, at)) : [];
  const proposed = typeof handle === "number" ? nearest : pointOf(proposal, handle);
  if (!proposed || (at && isSamePlace(at, proposed))) return draft;
  return moved(draft, handle, proposed);
}

export function handlesOf(draft: Draft): readonly Handle[] {
  const points = heartPointNames.flatMap((name) => draft.heart[name] ?? []);
  return [
    ...heartPointNames.filter((name) => draft.heart[name]),
    ...draft.edges.keys(),
    ...outlineHandles(draft.outline, points),
  ];
}

/** Null until both axes and two edges are placed. @param before  the reading being corrected */
export function scoreOfDraft(
  draft: Draft,
  before: BeforeCorrection | null = null,
): { readonly ruler: VertebralRuler; readonly score: HeartScore } | null {
  const heart = heartOf(draft);
  if (!heart || draft.edges.length < 2) return null;
  try {
    return scoreByHand(heart, draft.edges, before);
  } catch {
    return null; // Two edges coincide, which happens while points are being moved.
  }
}

export function geometryOf(draft: Draft) {
  const heart = heartOf(draft);
  if (!heart || draft.edges.length < 2 || undrawnMeasure(draft)) return null;
  const edges = draft.edges.map(({ x, y }) => ({ x, y }));
  return { heart, edges, ...(draft.outline && { outline: draft.outline.map(({ x, y }) => ({ x, y })) }) };
}

/** Next point to place when measuring by hand; null when the ruler is full. */
export function nextToPlace(draft: Draft): HeartLandmarkName | number | null {
  const missing = heartLandmarkNames.find((name) => !draft.heart[name] && !draft.skipped?.includes(name));
  if (missing) return missing;
  return draft.edges.length < 12 ? draft.edges.length : null;
}

/** Skips the left atrium, which is optional; returns the same draft if another point is next. */
export function withSkipped(draft: Draft): Draft {
  return nextToPlace(draft) === "VLAS" ? { ...draft, skipped: ["VLAS"] } : draft;
}

function limited(value: number, sidePx: number): number {
  return Math.min(sidePx - 0.5, Math.max(-0.5, value));
}
