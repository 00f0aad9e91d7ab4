import type { Reading } from "../../../core/contract/desktop/films.ts";
import { useFilms } from "../../state/films/films.ts";
import { showToast } from "../../ui/notes/toasts.ts";
import { useWrittenFindings, writtenOn } from "../../state/films/written-findings.ts";

/** As much as a reading keeps. */
export const mostLetters = 2000;

/** The findings that were signed with a reading. */
export function keptFindings(reading: Reading | null): string {
  return reading?.source === "person" ? reading.remark : "";
}

/** Notes what now stands in a film's findings; what its reading keeps need not be saved. */
export function changeFindings(filmId: string, kept: string, text: string): void {
  const { forget, write } = useWrittenFindings.getState();
  if (text === kept) forget([filmId]);
  else write(filmId, text);
}

/**
 * Puts a building block below what stands in a film's findings by now; where there is no room for all of it, it is left
 * out and said. `shown`: the reading for which it was asked, which counts where another film is open meanwhile.
 */
export function addFindings(filmId: string, shown: Reading | null, more: string): void {
  if (more === "") return;
  const { openId, readings } = useFilms.getState();
  const kept = keptFindings((openId === filmId ? readings.at(-1) : null) ?? shown);
  const now = writtenOn(useWrittenFindings.getState(), filmId) ?? kept;
  const next = [now.trim(), more].filter((part) => part !== "").join("\n");
  if (next.length <= mostLetters) changeFindings(filmId, kept, next);
  else showToast("note", (say) => say("findings.noRoom", { count: mostLetters }));
}

/** A reading was saved with these findings; what was typed meanwhile is not in it, and stays. */
export function forgetSaved(filmId: string, saved: string): void {
  const { forget } = useWrittenFindings.getState();
  if (writtenOn(useWrittenFindings.getState(), filmId) === saved) forget([filmId]);
}
