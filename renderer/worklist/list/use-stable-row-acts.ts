import { useLayoutEffect, useMemo, useRef } from "react";
import type { Film } from "../../../core/contract/desktop/films.ts";

export type RowPress = "open" | "toggle" | "extend" | "menu" | "pick";

export type RowActs = {
  press(filmId: string, how: RowPress): void;
  ask(about: "patient" | "removing" | "facts" | "frames", film: Film): void;
  /** Films to which an action on a row applies. */
  meant(filmId: string): readonly string[];
};

/** Actions with a stable identity, so that scrolling does not render unchanged rows. */
export function useStableRowActs(acts: RowActs): RowActs {
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
