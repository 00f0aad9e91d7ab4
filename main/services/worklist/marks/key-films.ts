import { z } from "zod";
import { keyFilms, type KeyFilms } from "../../../../core/contract/desktop/network/key-films.ts";
import type { KeyObjects } from "../../../dicom/presentation/read-key-objects.ts";
import { findFilmBySopInstance } from "../../../store/films/dicom/dicom-instances.ts";
import type { ReadableDb, WritableDb } from "../../../store/database.ts";
import { changeSetting, getSetting, type Setting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";

const kept = keyFilms.extend({ films: z.array(keyFilms.shape.films.element.omit({ filmId: true })) });
const mostLists = 50;

const keySetting: Setting<readonly z.infer<typeof kept>[]> = {
  key: "keyFilms",
  schema: z.array(kept),
  fallback: [],
};

/** Keeps a list of key films; the same one again replaces it. */
export async function keepKeyFilms(
  { db, publish }: Pick<DesktopContext, "db" | "publish">,
  list: KeyObjects,
): Promise<void> {
  await changeSetting(db, keySetting, (lists) => {
    const others = lists.filter((one) => one.sopInstanceUid !== list.sopInstanceUid);
    return [{ ...list, films: [...list.films] }, ...others].slice(0, mostLists);
  });
  publish({ name: "dicom.changed", payload: {} });
}

/** The lists, the last one first, each film with where it is on the worklist. */
export async function listKeyFilms(db: ReadableDb): Promise<KeyFilms[]> {
  const filmOf = async (film: z.infer<typeof kept>["films"][number]) => ({
    ...film,
    filmId: (await findFilmBySopInstance(db, film.sopInstanceUid, 0))?.id ?? null,
  });
  const lists = await getSetting(db, keySetting);
  return await Promise.all(lists.map(async (list) => ({ ...list, films: await Promise.all(list.films.map(filmOf)) })));
}

/** Forgets a list. */
export async function removeKeyFilms({ db }: Pick<DesktopContext, "db">, sopInstanceUid: string): Promise<KeyFilms[]> {
  await changeSetting(db, keySetting, (lists) => lists.filter((one) => one.sopInstanceUid !== sopInstanceUid));
  return listKeyFilms(db);
}

/** Forgets the lists that name one of these objects: those of a patient that is erased. */
export async function forgetKeyFilms(db: WritableDb, sopInstanceUids: readonly string[]): Promise<void> {
  const erased = new Set(sopInstanceUids);
  const isKept = ({ films }: z.infer<typeof kept>) => !films.some((film) => erased.has(film.sopInstanceUid));
  await changeSetting(db, keySetting, (lists) => lists.filter(isKept));
}
