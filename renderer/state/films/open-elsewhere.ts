import { useEffect } from "react";
import { create } from "zustand";
import type { OpenElsewhere } from "../../../core/contract/desktop/films.ts";
import { call } from "../connection.ts";
import { newestQuestion } from "../newest-question.ts";
import { usePeople } from "../people.ts";
import { useProgram } from "../program.ts";

type OpenElsewhereState = {
  readonly films: readonly OpenElsewhere[];
  readonly load: () => void;
};

/** A machine whose program was killed says nothing any more: asked again after this, it is not named [ms]. */
const askAgainMs = 65_000;
const beginAsking = newestQuestion();
let again = 0;

/** Films that are open at another machine, or in another window. What is not known of them is no fault to be shown. */
export const useOpenElsewhere = create<OpenElsewhereState>((set, get) => ({
  films: [],
  load: () => {
    const isNewest = beginAsking();
    call("films.openElsewhere", {}).then(
      ({ films }) => {
        if (!isNewest()) return;
        set({ films });
        window.clearTimeout(again);
        if (films.length > 0) again = window.setTimeout(get().load, askAgainMs);
      },
      () => undefined,
    );
  },
}));

/** Tells the program which film is shown here, anew whenever it was away or somebody else is at the screen. */
export function useSaidOpen(filmId: string | null): void {
  const isLive = useProgram(({ link }) => link === "live");
  const personId = usePeople(({ session }) => session?.me?.id ?? null);
  useEffect(() => {
    if (!isLive) return;
    useOpenElsewhere.getState().load();
    call("films.sayOpen", { filmId }).catch(() => undefined);
  }, [filmId, isLive, personId]);
  useEffect(() => () => void call("films.sayOpen", { filmId: null }).catch(() => undefined), []);
}
