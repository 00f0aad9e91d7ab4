import { create } from "zustand";
import type { DesktopRequest } from "../../../core/contract/desktop.ts";
import type { RejectionReason } from "../../../core/cardiac/verdict/verdict-facts.ts";
import type { Verdict } from "../../../core/contract/desktop/readings.ts";
import { call, ProgramError } from "../../state/connection.ts";
import { showFault } from "../../state/faults.ts";
import { saveReadingKey, useFilms } from "../../state/films/films.ts";
import { isHiddenFrom, useReaderMode } from "../../state/films/reader-mode.ts";
import { queryClient } from "../../state/queries.ts";
import { settleToasts } from "../../ui/notes/toasts.ts";
import { useNavigation } from "../../state/navigation.ts";
import {
  draftOf,
  emptyDraft,
  geometryOf,
  nextToPlace,
  pointOf,
  withMeasure,
  withProposed,
  withPoint,
  withShiftedRuler,
  withSkipped,
  type Draft,
} from "../../film/draft/draft.ts";
import { nudged, pushed, redone, replaced, startStack, undone } from "../../state/drawing/undo-stack.ts";
import { isChanged, isSamePicture, noCorrection, type CorrectionState } from "./correction-state.ts";
import { useSigning, type Signature } from "./signing.ts";

export const useCorrection = create<CorrectionState>((set, get) => {
  const step = (draft: Draft, onto = pushed<Draft>) => {
    const { stack } = get();
    if (draft === stack.present) return;
    set({ stack: onto(stack, draft) });
    guardChanges();
  };
  const walk = (along: typeof undone<Draft>) => {
    if (get().dragFrom !== null) return;
    set({ stack: along(get().stack) });
    guardChanges();
  };
  const saveThen = (then: () => void) => async (signature: Signature) => {
    const isSaved = await get().save(signature);
    // Prompts again if points were moved during saving.
    if (isSaved) useNavigation.getState().leave(then);
    return isSaved;
  };
  const continueFrom = (saved: Draft) => {
    const { present } = get().stack;
    if (present === saved) return get().leave();
    set({ basedOn: latestReading(), start: saved, stack: pushed(startStack(saved), present) });
    guardChanges();
  };
  const guardChanges = () => {
    useNavigation.getState().setGuard(
      isChanged(get())
        ? {
            save: async (then) => void (await useSigning.getState().sign(saveThen(then))),
            discard: () => get().leave(),
          }
        : null,
    );
  };
  return {
    ...noCorrection,
    personId: "",
    picture: null,
    waiting: [],
    correct: (reading, model) => {
      // A fresh object: `save` compares it to detect that another correction has begun.
      const start = { ...draftOf(reading) };
      const proposal = model && draftOf(model);
      set({
        ...noCorrection,
        mode: "correct",
        basedOn: reading.id,
        stack: startStack(start),
        start,
        frame: reading.frame,
        corners: reading.corners,
        proposal,
        counts: model && proposal && { edges: proposal.edges, other: model.otherCount },
      });
    },
    // The reading id comes from the film, as its readings may still be loading.
    byHand: ({ picture: { frame, corners }, reading }) => {
      const start = { ...emptyDraft };
      const basedOn = reading?.readingId ?? latestReading();
      const isBlind = isHiddenFrom(useReaderMode.getState(), { reading });
      set({ ...noCorrection, mode: "by_hand", basedOn, isBlind, frame, corners, stack: startStack(start), start });
    },
    leave: () => {
      useNavigation.getState().setGuard(null);
      set(noCorrection);
    },
    turnTo: (personId, picture) => {
      const before = get();
      const isKept = isChanged(before) && before.picture !== null && isSamePicture(picture, before.picture);
      if (isKept && personId === before.personId) return;
      const own = before.waiting.find((one) => one.personId === personId && isSamePicture(one.picture, picture));
      const waiting = before.waiting.filter((one) => one !== own);
      if (isKept) waiting.push({ ...before, dragFrom: null, waiting: [], picture });
      set({ ...(own ?? noCorrection), personId, picture, waiting });
      guardChanges();
    },
    drop: (filmIds) => set({ waiting: get().waiting.filter(({ picture }) => !filmIds.includes(picture.filmId)) }),
    select: (selected) => set({ selected }),
    startDrag: (selected) => set({ selected, dragFrom: get().stack }),
    dragTo: (point) => {
      const { selected, stack, frame, dragFrom } = get();
      if (selected === null) return;
      const moved = withPoint(stack.present, selected, point, frame);
      if (moved === stack.present) return;
      const isFirst = stack === dragFrom;
      set({ stack: isFirst ? pushed(stack, moved) : replaced(stack, moved) });
      if (isFirst) guardChanges();
    },
    endDrag: () => {
      set({ dragFrom: null });
      guardChanges();
    },
    nudge: (handle, by, isHeld = false) => {
      const { stack, frame } = get();
      const at = pointOf(stack.present, handle);
      if (!at) return;
      const to = { x: at.x + by.x, y: at.y + by.y };
      step(withPoint(stack.present, handle, to, frame), (before, moved) => nudged(before, moved, isHeld));
      set({ selected: handle });
    },
    place: (point) => {
      const { stack, frame } = get();
      const handle = nextToPlace(stack.present);
      if (handle === null) return;
      const room =
        typeof handle === "number" ? { ...stack.present, edges: [...stack.present.edges, point] } : stack.present;
      step(withPoint(room, handle, point, frame));
      set({ selected: handle });
    },
    skip: () => step(withSkipped(get().stack.present)),
    toggleMeasure: (measure) => {
      const draft = withMeasure(get().stack.present, measure);
      step(draft);
      set({ selected: measure.line && pointOf(draft, measure.line.point) ? measure.line.point : null });
    },
    shift: (direction) => step(withShiftedRuler(get().stack.present, direction, get().counts)),
    restore: () => {
      const { selected, proposal, stack } = get();
      if (selected !== null && proposal) step(withProposed(stack.present, selected, proposal));
    },
    undo: () => walk(undone),
    redo: () => walk(redone),
    reset: () => isChanged(get()) && step(get().start),
    save: async (signature) => {
      const { mode, basedOn, isBlind, start, stack, frame, corners } = get();
      const placed = geometryOf(stack.present);
      if (!placed) return false;
      const geometry = { ...placed, frame, corners };
      const verdict = mode === "by_hand" ? mode : "corrected";
      if (!(await saveReading(verdict, signature, geometry, { basedOn, isBlind }))) return false;
      // During the save another correction may have started, or the screen may have been locked.
      if (get().start === start) continueFrom(stack.present);
      else set({ waiting: get().waiting.filter((one) => one.start !== start) });
      return true;
    },
  };
});

/** Whether any user has unsaved points that are not currently shown. */
export function hasWaitingCorrection(): boolean {
  return useCorrection.getState().waiting.length > 0;
}

/** Saves a user's reading of the open film; a failure is shown and returned as false. */
export async function saveReading(
  verdict: Verdict,
  { who, remark }: Signature,
  geometry: DesktopRequest<"readings.save">["geometry"],
  {
    basedOn = latestReading(),
    isBlind = false,
    rejectionReason,
  }: { basedOn?: string | null; isBlind?: boolean; rejectionReason?: RejectionReason | undefined } = {},
): Promise<boolean> {
  const { openId, addReading, loadReadings } = useFilms.getState();
  if (!openId) return false;
  const superseded = `superseded ${openId}`;
  try {
    const { film, reading } = await queryClient
      .getMutationCache()
      .build(queryClient, {
        mutationKey: saveReadingKey(openId),
        mutationFn: (request: DesktopRequest<"readings.save">) => call("readings.save", request),
      })
      .execute({
        filmId: openId,
        basedOn,
        verdict,
        who,
        remark,
        isBlind,
        geometry,
        ...(rejectionReason && { rejectionReason }),
      });
    addReading(film, reading);
    settleToasts(superseded);
    return true;
  } catch (error) {
    const isSuperseded = error instanceof ProgramError && error.code === "CONFLICT";
    if (isSuperseded) {
      // Both readings are kept, so saving again is allowed once the newer one has been shown.
      await loadReadings().catch(showFault);
      useCorrection.setState({ basedOn: latestReading() });
    }
    showFault(error, isSuperseded ? superseded : undefined);
    return false;
  }
}

function latestReading(): string | null {
  return useFilms.getState().readings.at(-1)?.id ?? null;
}
