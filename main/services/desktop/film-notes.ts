import { z } from "zod";
import type { WritableDb } from "../../store/database.ts";
import { getSetting, saveSetting, type Setting } from "../../store/settings.ts";

/**
 * What is noted of a film beside its row: the order it was taken for, where its results went; under its SOP Instance
 * UID, for it may come later, what others drew on it.
 */
const subjects = ["order", "sendings", "marks", "hl7"] as const;

/** A note about a film, kept among the settings: it is looked up by its film alone, and erased with it. */
export function filmNote<Value>(
  subject: (typeof subjects)[number],
  filmId: string,
  { schema, fallback }: Pick<Setting<Value>, "schema" | "fallback">,
): Setting<Value> {
  return { key: `${subject} of film ${filmId}`, schema, fallback };
}

/** Empties all that is noted of films. */
export async function forgetFilmNotes(db: WritableDb, filmIds: readonly string[]): Promise<void> {
  const whatever = { schema: z.unknown(), fallback: null };
  for (const filmId of filmIds)
    for (const note of subjects.map((subject) => filmNote(subject, filmId, whatever)))
      if ((await getSetting(db, note)) !== null) await saveSetting(db, note, null);
}
