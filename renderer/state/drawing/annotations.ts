import { create } from "zustand";
import {
  hasPointsFor,
  toolOf,
  type Annotation,
  type AnnotationToolName,
} from "../../../core/annotations/annotation-tools.ts";
import { isSameCrop } from "../../../core/cardiac/picture-of-points.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import { maxDrawings, type AnnotationSet } from "../../../core/contract/desktop/annotations.ts";
import { showToast } from "../../ui/notes/toasts.ts";
import { call } from "../connection.ts";
import { attempt } from "../faults.ts";
import { useRemovals } from "../films/removals.ts";
import { createSavers, type FilmAnnotations } from "./annotation-saver.ts";
import { setOn, type DrawnOn } from "./drawn-on.ts";
import { nudged, pushed, redone, replaced, startStack, undone } from "./undo-stack.ts";

export type DrawingTool = AnnotationToolName | "calibrate";

/** An annotation being drawn: its points so far, and the picture that they refer to. */
export type Drawing = { readonly filmId: string; readonly on: DrawnOn; readonly points: readonly Point[] };

export type Selected = { readonly filmId: string; readonly id: string; readonly point: number | null };

export type Typing =
  | { readonly kind: "text"; readonly filmId: string; readonly id: string }
  | { readonly kind: "length"; readonly drawing: Drawing };

type Films = Readonly<Record<string, FilmAnnotations>>;

type AnnotationsState = {
  /** Id of the current user, kept while the screen is locked; empty without sign-in. */
  readonly personId: string;
  readonly isLocked: boolean;
  /** Annotations of the current user. Unsaved ones of other users are set aside until their author signs in again. */
  readonly films: Films;
  readonly tool: DrawingTool | null;
  readonly drawing: Drawing | null;
  readonly selected: Selected | null;
  /** Film whose annotation is being dragged; `hasMoved`: whether the drag has already added an undo step. */
  readonly dragged: { readonly filmId: string; readonly hasMoved: boolean } | null;
  readonly typing: Typing | null;
  /** Film drawn on last, to which undo applies if several films are shown. */
  readonly touched: string | null;
  /** @param personId  null while the screen is locked, empty without sign-in */
  readonly changePerson: (personId: string | null) => void;
  readonly load: (filmId: string) => Promise<void>;
  readonly noteChange: (filmId: string, version: number) => void;
  readonly chooseTool: (tool: DrawingTool) => void;
  /** Cancels the current drawing, then deselects the tool. */
  readonly leave: () => void;
  /** Cancels the current drawing and the selection when other films are shown. */
  readonly cancelDrawing: () => void;
  readonly place: (filmId: string, on: DrawnOn, point: Point) => void;
  readonly finish: () => void;
  readonly select: (selected: Selected | null) => void;
  readonly type: (typing: Typing) => void;
  /** Ends typing and drops a note without text, including its undo step. */
  readonly cancelTyping: () => void;
  /** Saves typed text. Empty text removes a note, or the label of an arrow. */
  readonly write: (filmId: string, id: string, text: string) => void;
  readonly writeOn: (filmId: string, id: string, text: string) => void;
  readonly calibrate: (drawing: Drawing, lengthMm: number) => void;
  readonly startMove: (filmId: string) => void;
  readonly moveTo: (filmId: string, id: string, points: readonly Point[]) => void;
  readonly endMove: (filmId: string) => void;
  /** Moves points by a key. @param isHeld  whether the key repeats; repeats extend the undo step of the first press */
  readonly nudge: (filmId: string, id: string, points: readonly Point[], isHeld?: boolean) => void;
  readonly remove: (filmId: string, id: string) => void;
  readonly restore: (filmId: string, to: AnnotationSet) => void;
  readonly undo: (filmId: string) => void;
  readonly redo: (filmId: string) => void;
  readonly behind: () => readonly string[];
  readonly savePending: () => void;
};

/** Delay before a move by key is saved, so that a held key produces one version [ms]. */
const nudgesMs = 400;
/** A click closer than this to the last point adds no point [px]. */
const samePlacePx = 1;

const nothing: FilmAnnotations = { versions: [], stack: startStack<AnnotationSet | null>(null) };

/** Each change is saved at once as a version. */
export const useAnnotations = create<AnnotationsState>((set, get) => {
  const ofOthers = new Map<string, Films>();
  const filmsOf = (personId: string) => (personId === get().personId ? get().films : (ofOthers.get(personId) ?? {}));
  const of = (filmId: string, personId = get().personId) => filmsOf(personId)[filmId] ?? nothing;
  const put = (filmId: string, change: Partial<FilmAnnotations>, personId = get().personId) => {
    const films = { ...filmsOf(personId), [filmId]: { ...of(filmId, personId), ...change } };
    if (personId === get().personId) set({ films });
    else ofOthers.set(personId, films);
  };
  const savers = createSavers((personId) => ({
    maySave: () => personId === "" || (personId === get().personId && !get().isLocked),
    of: (filmId) => of(filmId, personId),
    onKept: (filmId, version) => put(filmId, { versions: [...of(filmId, personId).versions, version] }, personId),
    onRefused: (filmId) => put(filmId, nothing, personId),
    onDone: (filmId) => attempt(() => get().load(filmId)),
    onTried: () => set({}),
  }));
  const saver = () => savers.of(get().personId);
  const touch = (filmId: string) => {
    set({ touched: filmId });
    useRemovals.getState().forget();
  };
  const step = (filmId: string, next: AnnotationSet | null) => {
    touch(filmId);
    put(filmId, { stack: pushed(of(filmId).stack, next) });
    saver().save(filmId, 0);
  };
  /** Restarts the undo history if the film's annotations belong to another picture. */
  const stepOn = (filmId: string, on: DrawnOn, change: (before: AnnotationSet) => Partial<AnnotationSet>) => {
    const { present } = of(filmId).stack;
    const before = setOn(on, present);
    if (present && before.annotations !== present.annotations) put(filmId, { stack: startStack(null) });
    step(filmId, { ...before, ...change(before) });
  };
  const withAnnotations = (filmId: string, change: (annotations: readonly Annotation[]) => readonly Annotation[]) => {
    const { present } = of(filmId).stack;
    return present && { ...present, annotations: [...change(present.annotations)].map(writable) };
  };
  const withPoints = (filmId: string, id: string, points: readonly Point[]) =>
    withAnnotations(filmId, (all) => all.map((each) => (each.id === id ? { ...each, points } : each)));
  const setText = (filmId: string, { id, text: before }: Annotation, text: string) => {
    if (text === before) return;
    step(
      filmId,
      withAnnotations(filmId, (all) => all.map((each) => (each.id === id ? { ...each, text } : each))),
    );
  };
  const add = ({ filmId, on, points }: Drawing, tool: AnnotationToolName) => {
    const id = crypto.randomUUID();
    const annotation = writable({ id, tool, points, text: "" });
    set({ drawing: null, tool: null, selected: { filmId, id, point: points.length - 1 } });
    stepOn(filmId, on, ({ annotations }) => ({ annotations: [...annotations, annotation] }));
    if (toolOf(tool).hasText) set({ typing: { kind: "text", filmId, id } });
  };
  const isFull = (filmId: string, on: DrawnOn) => setOn(on, of(filmId).stack.present).annotations.length >= maxDrawings;
  const refuse = () => {
    set({ tool: null, drawing: null });
    showToast("note", (say) => say("annotations.mostReached", { count: maxDrawings }));
  };
  const go = (filmId: string, stack: FilmAnnotations["stack"]) => {
    if (stack === of(filmId).stack || get().dragged?.filmId === filmId) return;
    put(filmId, { stack });
    const { selected } = get();
    // The next key must not act on an annotation that this step removed.
    if (selected?.filmId === filmId && !stack.present?.annotations.some(({ id }) => id === selected.id))
      set({ selected: null });
    saver().save(filmId, 0);
  };
  return {
    personId: "",
    isLocked: false,
    films: {},
    behind: savers.behind,
    savePending: savers.savePending,
    tool: null,
    drawing: null,
    selected: null,
    dragged: null,
    typing: null,
    touched: null,
    changePerson: (personId) => {
      const before = get().personId;
      if (personId === before && !get().isLocked) return;
      set({ isLocked: true });
      if (personId === null) return;
      if (personId !== before) {
        get().cancelDrawing();
        ofOthers.set(before, get().films);
        set({ personId, films: ofOthers.get(personId) ?? {}, tool: null, dragged: null, touched: null });
      }
      set({ isLocked: false });
      get().savePending();
    },
    load: async (filmId) => {
      if (saver().isBehind(filmId)) return saver().savePending(filmId);
      const { versions } = await call("annotations.list", { filmId });
      if (saver().isBehind(filmId)) return;
      const isKnown = of(filmId).versions.length === versions.length && get().films[filmId];
      if (isKnown) return;
      put(filmId, { versions, stack: startStack(versions.at(-1)?.set ?? null) });
      // A drag in progress continues from the other window's version.
      if (get().dragged?.filmId === filmId) set({ dragged: { filmId, hasMoved: false } });
    },
    noteChange: (filmId, version) => {
      const known = get().films[filmId];
      if (known && version > (known.versions.at(-1)?.version ?? 0)) attempt(() => get().load(filmId));
    },
    chooseTool: (tool) => set({ tool: get().tool === tool ? null : tool, drawing: null, selected: null, typing: null }),
    leave: () => (get().drawing ? set({ drawing: null }) : set({ tool: null, selected: null, typing: null })),
    cancelDrawing: () => {
      get().cancelTyping();
      const { drawing, selected } = get();
      if (drawing || selected) set({ drawing: null, selected: null });
    },
    place: (filmId, on, point) => {
      const { tool, drawing } = get();
      if (!tool) return;
      if (tool !== "calibrate" && isFull(filmId, on)) return refuse();
      // Points placed on another picture do not count on this one.
      const isSame = drawing?.filmId === filmId && isSameCrop(drawing.on.corners, on.corners);
      const before = isSame ? drawing.points : [];
      const isAgain = isSamePlace(before.at(-1), point);
      if (isAgain && tool === "polygon") return get().finish();
      if (isAgain) return;
      const next = { filmId, on, points: [...before, { x: point.x, y: point.y }] };
      set({ drawing: next, selected: null });
      if (tool === "calibrate" && next.points.length === 2)
        set({ tool: null, drawing: null, typing: { kind: "length", drawing: next } });
      else if (tool !== "calibrate" && next.points.length === toolOf(tool).points.most) add(next, tool);
    },
    finish: () => {
      const { tool, drawing } = get();
      if (!tool || tool === "calibrate" || !drawing || !hasPointsFor(tool, drawing.points.length)) return;
      add(drawing, tool);
    },
    select: (selected) => set({ selected }),
    type: (typing) => set({ typing }),
    cancelTyping: () => {
      const { typing } = get();
      if (typing) set({ typing: null });
      if (typing?.kind !== "text") return;
      const written = of(typing.filmId).stack.present?.annotations.find(({ id }) => id === typing.id);
      if (written?.tool !== "note" || written.text !== "") return;
      set({ selected: null });
      go(typing.filmId, { ...undone(of(typing.filmId).stack), future: [] });
    },
    write: (filmId, id, text) => {
      const written = text.trim();
      const known = of(filmId).stack.present?.annotations.find((each) => each.id === id);
      if (known?.tool === "note" && written === "")
        return known.text === "" ? get().cancelTyping() : get().remove(filmId, id);
      set({ typing: null, selected: known ? { filmId, id, point: null } : null });
      if (known) setText(filmId, known, written);
    },
    writeOn: (filmId, id, text) => {
      const known = of(filmId).stack.present?.annotations.find((each) => each.id === id);
      if (known && text.trim() !== "") setText(filmId, known, text.trim());
    },
    calibrate: ({ filmId, on, points }, lengthMm) => {
      const [from, to] = points as readonly [Point, Point];
      set({ typing: null });
      stepOn(filmId, on, () => ({ calibration: { from: { ...from }, to: { ...to }, lengthMm } }));
    },
    startMove: (filmId) => set({ touched: filmId, dragged: { filmId, hasMoved: false } }),
    moveTo: (filmId, id, points) => {
      const { stack } = of(filmId);
      const moved = withPoints(filmId, id, points);
      useRemovals.getState().forget();
      put(filmId, { stack: get().dragged?.hasMoved ? replaced(stack, moved) : pushed(stack, moved) });
      set({ dragged: { filmId, hasMoved: true } });
    },
    endMove: (filmId) => {
      const hasMoved = get().dragged?.hasMoved;
      set({ dragged: null });
      if (hasMoved) saver().save(filmId, 0);
    },
    nudge: (filmId, id, points, isHeld = false) => {
      touch(filmId);
      put(filmId, { stack: nudged(of(filmId).stack, withPoints(filmId, id, points), isHeld) });
      saver().save(filmId, nudgesMs);
    },
    remove: (filmId, id) => {
      set({ selected: null, typing: null, dragged: null });
      step(
        filmId,
        withAnnotations(filmId, (all) => all.filter((each) => each.id !== id)),
      );
    },
    restore: (filmId, to) => {
      set({ selected: null, typing: null, drawing: null });
      step(filmId, to);
    },
    undo: (filmId) => go(filmId, undone(of(filmId).stack)),
    redo: (filmId) => go(filmId, redone(of(filmId).stack)),
  };
});

function isSamePlace(one: Point | undefined, other: Point): boolean {
  return one !== undefined && Math.hypot(one.x - other.x, one.y - other.y) < samePlacePx;
}

function writable({ id, tool, points, text }: Annotation): AnnotationSet["annotations"][number] {
  return { id, tool, points: points.map(({ x, y }) => ({ x, y })), text };
}
