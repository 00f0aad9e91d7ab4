import { useEffect } from "react";
import { useFilms, useOpenFilm } from "../../state/films/films.ts";
import { useNavigation } from "../../state/navigation.ts";
import { useProgram } from "../../state/program.ts";
import { useTrends } from "../../trends/trends-slice.ts";
import { isTyping } from "../../ui/keys/shortcut-keys.ts";
import { useCommands } from "../../ui/keys/shortcuts.ts";
import { compareFilms } from "../compare-films.ts";

/**
 * Registers the command that opens the film of the previous visit next to the open film; absent on a first visit. If
 * the practice has chosen so, the comparison opens automatically, once per undecided film at which the user stops.
 */
export function useCompareBefore(): void {
  const film = useOpenFilm();
  const { screen, guard } = useNavigation();
  const settledId = useFilms((state) => state.settledId);
  const isAutomatic = useProgram(({ settings }) => settings?.opensVisitBefore ?? false);
  const { patient, vhsChange, id, reading } = film ?? {};
  const compare =
    screen === "films" && patient && vhsChange && id !== undefined
      ? () => compareFilms(patient, [vhsChange.filmId, id])
      : null;
  useCommands(compare ? { "compare.before": compare } : {});
  const isUndecided = reading?.verdict === null && settledId === id;
  const hangs = isAutomatic && isUndecided && guard === null && compare !== null;
  useEffect(() => {
    if (!hangs || id === undefined || useTrends.getState().hung.has(id) || isTyping(document.activeElement)) return;
    compare?.();
  });
}
