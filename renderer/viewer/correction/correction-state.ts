import type { KnownMeasure } from "../../../core/cardiac/measures/measures.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import type { Film } from "../../../core/contract/desktop/films.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { emptyDraft, type Draft, type Handle, type RulerCounts } from "../../film/draft/draft.ts";
import type { Size } from "../../film/view.ts";
import { startStack, type UndoStack } from "../../state/drawing/undo-stack.ts";
import type { Signature } from "./signing.ts";

/** A film with the picture shown; each picture has points of its own. */
type Picture = { readonly filmId: string; readonly url: string | null };

/** Unsaved points of a user on a picture that is not currently shown. */
type Waiting = CorrectionState & { readonly picture: Picture };

export type CorrectionState = {
  readonly mode: "none" | "correct" | "by_hand";
  readonly stack: UndoStack<Draft>;
  /** Size of the picture that the points refer to [px]; `corners`: where it was cut out of a photograph. */
  readonly frame: Size;
  readonly corners: Reading["corners"];
  readonly selected: Handle | null;
  /** The stack before the drag of the selected point; null while no point is dragged. */
  readonly dragFrom: UndoStack<Draft> | null;
  readonly proposal: Draft | null;
  readonly counts: RulerCounts | null;
  /** Current reading when the correction began, null without one; another user may have saved a newer one since. */
  readonly basedOn: string | null;
  readonly isBlind: boolean;
  /** Points at the start or at the last save, compared by identity: each correction has an object of its own. */
  readonly start: Draft;
  /** The user who corrects; empty without sign-in. */
  readonly personId: string;
  readonly picture: Picture | null;
  readonly waiting: readonly Waiting[];
  readonly correct: (reading: Reading, model: Reading | null) => void;
  readonly byHand: (film: Pick<Film, "picture" | "reading">) => void;
  readonly leave: () => void;
  /** Switches user and picture. Unsaved points are set aside for their user and picture, and restored on return. */
  readonly turnTo: (personId: string, picture: Picture) => void;
  readonly drop: (filmIds: readonly string[]) => void;
  readonly select: (handle: Handle | null) => void;
  readonly startDrag: (handle: Handle) => void;
  readonly dragTo: (point: Point) => void;
  readonly endDrag: () => void;
  /** @param isHeld  whether the key repeats; repeats extend the undo step of the first press */
  readonly nudge: (handle: Handle, by: Point, isHeld?: boolean) => void;
  readonly place: (point: Point) => void;
  readonly skip: () => void;
  readonly toggleMeasure: (measure: KnownMeasure) => void;
  readonly shift: (direction: "cranial" | "caudal") => void;
  readonly restore: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly reset: () => void;
  readonly save: (signature: Signature) => Promise<boolean>;
};

export const noCorrection = {
  mode: "none",
  stack: startStack(emptyDraft),
  frame: { widthPx: 1, heightPx: 1 },
  corners: null,
  selected: null,
  dragFrom: null,
  proposal: null,
  counts: null,
  basedOn: null,
  isBlind: false,
  start: emptyDraft,
} as const;

/** Whether points differ from those at the start, even if the undo steps in between have been dropped. */
export function isChanged({ stack, start }: Pick<CorrectionState, "stack" | "start">): boolean {
  return stack.present !== start;
}

export function isSamePicture(one: Picture, other: Picture): boolean {
  return one.filmId === other.filmId && one.url === other.url;
}
