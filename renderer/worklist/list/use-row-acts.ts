import { useLayoutEffect, useMemo, useRef } from "react";
import type { Film } from "../../../core/contract/desktop/films.ts";

/** How a row was pressed. */
export type RowPress = "open" | "toggle" | "extend" | "menu" | "pick";

/** What a row of the worklist asks for. */
export type RowActs = {
  press(filmId: string, how: RowPress): void;
  ask(about: "patient" | "removing" | "facts" | "frames", film: Film): void;
  /** The films that an act on a row means. */
  meant(filmId: string): readonly string[];
};

/** Acts that stay the same object: a row whose film has not changed is not drawn anew while the list is scrolled. */
export function useRowActs(acts: RowActs): RowActs {
  const newest = useRef(acts);
  useLayoutEffect(() => {
    newest.current = acts;
  });
  return useMemo(
    () => ({
      press: (...pressed) => newest.current.press(...pressed),
      ask: (...asked) => newest.current.ask(...asked),
      meant: (filmId) => newest.current.meant(filmId),
    }),
    [],
  );
}
