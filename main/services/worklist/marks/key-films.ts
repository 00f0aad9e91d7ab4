import { z } from "zod";
import { keyFilms, type KeyFilms } from "../../../../core/contract/desktop/key-films.ts";
import type { KeyObjects } from "../../../dicom/presentation/read-key-objects.ts";
import { findFilmBySopInstance } from "../../../store/films/dicom-instances.ts";
import type { ReadableDb, WritableDb } from "../../../store/database.ts";
import { getSetting, saveSetting, type Setting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";

const kept = keyFilms.extend({ films: z.array(keyFilms.shape.films.element.omit({ filmId: true })) });
const mostLists = 50;

const keySetting: Setting<readonly z.infer<typeof kept>[]> = {
  key: "keyFilms",
  schema: z.array(kept),
  fallback: [],
};

/** Keeps a list of key films; the same one again replaces it. */
export function keepKeyFilms({ db, publish }: Pick<DesktopContext, "db" | "publish">, list: KeyObjects): void {
  const others = getSetting(db, keySetting).filter((one) => one.sopInstanceUid !== list.sopInstanceUid);
  saveSetting(db, keySetting, [{ ...list, films: [...list.films] }, ...others].slice(0, mostLists));
  publish({ name: "dicom.changed", payload: {} });
}

/** The lists, the last one first, each film with where it is on the worklist. */
export function listKeyFilms(db: ReadableDb): KeyFilms[] {
  return getSetting(db, keySetting).map((list) => ({
    ...list,
    films: list.films.map((film) => ({
      ...film,
      filmId: findFilmBySopInstance(db, film.sopInstanceUid, 0)?.id ?? null,
    })),
  }));
}

/** Forgets a list. */
export function removeKeyFilms({ db }: Pick<DesktopContext, "db">, sopInstanceUid: string): KeyFilms[] {
  const others = getSetting(db, keySetting).filter((one) => one.sopInstanceUid !== sopInstanceUid);
  saveSetting(db, keySetting, others);
  return listKeyFilms(db);
}

/** Forgets the lists that name one of these objects: those of a patient that is erased. */
export function forgetKeyFilms(db: WritableDb, sopInstanceUids: readonly string[]): void {
  const erased = new Set(sopInstanceUids);
  const isKept = ({ films }: z.infer<typeof kept>) => !films.some((film) => erased.has(film.sopInstanceUid));
  const before = getSetting(db, keySetting);
  if (!before.every(isKept)) saveSetting(db, keySetting, before.filter(isKept));
}
