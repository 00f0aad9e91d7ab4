import { create } from "zustand";
import type { Film } from "../../../core/contract/desktop/films.ts";
import { call } from "../connection.ts";
import { showFault } from "../faults.ts";

type WaitingState = {
  /** Ids of the films that wait to be measured, the next one first. */
  readonly order: readonly string[];
  /** Asks for them, once for all that changes within a moment. */
  readonly look: () => void;
  /** A film has changed: whichever it was, others may have moved up. */
  readonly noteFilm: (film: Film) => void;
};

/** How long changes are gathered [ms]. */
const lookEveryMs = 200;
let isLooking = false;

/** Who waits before whom: a film is told of when it changes itself, not when another before it is done. */
export const useWaiting = create<WaitingState>((set, get) => ({
  order: [],
  look: () => {
    if (isLooking) return;
    isLooking = true;
    setTimeout(() => {
      isLooking = false;
      call("films.queue", {}).then(({ filmIds }) => set({ order: filmIds }), showFault);
    }, lookEveryMs);
  },
  noteFilm: ({ state }) => {
    if (state === "queued" || get().order.length > 0) get().look();
  },
}));

/** How many films are measured before a waiting one. */
export function usePlaceInQueue({ id, queuePosition }: Film): number {
  const place = useWaiting(({ order }) => order.indexOf(id));
  return place >= 0 ? place : (queuePosition ?? 0);
}
