import { z } from "zod";
import type { ReadableDb, WritableDb } from "../../store/database.ts";
import { changeSetting, getSetting, parseSetting, saveSetting, type Setting } from "../../store/settings.ts";

/**
 * Subjects of notes about a film: its order, sent results, foreign marks, results reported by HL7. Marks are stored
 * under the SOP Instance UID, since the film may arrive later.
 */
const subjects = ["order", "sendings", "marks", "hl7"] as const;

/** Lists with entries about films: pending HL7 results, open storage commitments, films of one animal. */
const lists = ["hl7Waiting", "openCommitments", "sameAnimals"] as const;

export type FilmNote = { readonly film: string; readonly subject: string; readonly note: unknown };

/** Returns the setting that stores a note about a film; it is found by film id and erased with the film. */
export function filmNote<Value>(
  subject: (typeof subjects)[number],
  filmId: string,
  { schema, fallback }: Pick<Setting<Value>, "schema" | "fallback">,
): Setting<Value> {
  return { key: `${filmNoteKeys(subject)}${filmId}`, schema, fallback };
}

/** Lists the notes on one subject about some films, by default all, by film id. */
export async function listNotesOfFilms<Value>(
  db: ReadableDb,
  subject: (typeof subjects)[number],
  shape: Pick<Setting<Value>, "schema" | "fallback">,
  filmIds?: readonly string[],
): Promise<ReadonlyMap<string, Value>> {
  if (filmIds?.length === 0) return new Map();
  const prefix = filmNoteKeys(subject);
  const notes = db.selectFrom("settings").selectAll();
  const wanted = filmIds
    ? notes.where(
        "key",
        "in",
        filmIds.map((id) => `${prefix}${id}`),
      )
    : notes.where("key", "like", `${prefix}%`);
  return new Map(
    (await wanted.execute()).map(({ key, value }) => [key.slice(prefix.length), parseSetting(shape, value)]),
  );
}

/** Prefix of the keys of one subject, followed by the film id. */
function filmNoteKeys(subject: (typeof subjects)[number]): string {
  return `${subject} of film `;
}

/** Returns the setting of a list with entries per film, which are erased with their film. */
export function listOfFilms<Entry extends { readonly filmId: string }>(
  key: (typeof lists)[number],
  entry: z.ZodType<Entry>,
): Setting<readonly Entry[]> {
  return { key, schema: z.array(entry), fallback: [] };
}

export async function listFilmNotes(db: ReadableDb, filmIds: readonly string[]): Promise<readonly FilmNote[]> {
  const notes: FilmNote[] = [];
  for (const film of filmIds)
    for (const subject of subjects) {
      const note = await getSetting(db, filmNote(subject, film, whatever));
      if (note !== null) notes.push({ film, subject, note });
    }
  for (const subject of lists)
    for (const note of await getSetting(db, listOfFilms(subject, anyEntry)))
      if (filmIds.includes(note.filmId)) notes.push({ film: note.filmId, subject, note });
  return notes;
}

export async function deleteFilmNotes(db: WritableDb, filmIds: readonly string[]): Promise<void> {
  for (const filmId of filmIds)
    for (const note of subjects.map((subject) => filmNote(subject, filmId, whatever)))
      if ((await getSetting(db, note)) !== null) await saveSetting(db, note, null);
  for (const key of lists)
    await changeSetting(db, listOfFilms(key, anyEntry), (all) => all.filter(({ filmId }) => !filmIds.includes(filmId)));
}

const whatever = { schema: z.unknown(), fallback: null };
const anyEntry = z.looseObject({ filmId: z.string() });
