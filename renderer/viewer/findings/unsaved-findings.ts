import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { useFilms } from "../../state/films/films.ts";
import { showToast } from "../../ui/notes/toasts.ts";
import { useWrittenFindings, writtenOn } from "../../state/films/written-findings.ts";

/** Maximum length of the findings of a reading [characters]. */
export const maxLetters = 2000;

export function keptFindings(reading: Reading | null): string {
  return reading?.source === "person" ? reading.remark : "";
}

/** Records the text of a film's findings field; text equal to the stored findings counts as saved. */
export function changeFindings(filmId: string, kept: string, text: string): void {
  const { forget, write } = useWrittenFindings.getState();
  if (text === kept) forget([filmId]);
  else write(filmId, text);
}

/** @param shown  reading that the block describes, used if another film has been opened in the meantime */
export function addFindings(filmId: string, shown: Reading | null, more: string): void {
  if (more === "") return;
  const { openId, readings } = useFilms.getState();
  const kept = keptFindings((openId === filmId ? readings.at(-1) : null) ?? shown);
  const now = writtenOn(useWrittenFindings.getState(), filmId) ?? kept;
  const next = [now.trim(), more].filter((part) => part !== "").join("\n");
  if (next.length <= maxLetters) changeFindings(filmId, kept, next);
  else showToast("note", (say) => say("findings.noRoom", { count: maxLetters }));
}

/** Drops findings that were saved with a reading; text typed during the save is kept. */
export function forgetSaved(filmId: string, saved: string): void {
  const { forget } = useWrittenFindings.getState();
  if (writtenOn(useWrittenFindings.getState(), filmId) === saved) forget([filmId]);
}
