import { z } from "zod";
import { keyFilms, type KeyFilms } from "../../../../core/contract/desktop/network/key-films.ts";
import type { KeyObjects } from "../../../dicom/presentation/read-key-objects.ts";
import { findFilmBySopInstance } from "../../../store/films/dicom/dicom-instances.ts";
import type { ReadableDb, WritableDb } from "../../../store/database.ts";
import { changeSetting, getSetting, type Setting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";

const kept = keyFilms.extend({ films: z.array(keyFilms.shape.films.element.omit({ filmId: true })) });
type KeptList = z.infer<typeof kept>;
const maxLists = 50;

/** Newest first. */
const keyFilmsSetting: Setting<readonly KeptList[]> = {
  key: "keyFilms",
  schema: z.array(kept),
  fallback: [],
};

/** Ignores Corvet's own lists, whose films contain readings. */
export async function saveKeyFilms(
  { db, raise }: Pick<DesktopContext, "db" | "raise">,
  { isOwn, ...list }: KeyObjects,
): Promise<void> {
  if (isOwn) return;
  await changeSetting(db, keyFilmsSetting, (lists) => withList(lists, { ...list, films: [...list.films] }));
  raise({ name: "dicom.changed", payload: {} });
}

function withList(lists: readonly KeptList[], newer: KeptList): readonly KeptList[] {
  return [newer, ...lists.filter(({ sopInstanceUid }) => sopInstanceUid !== newer.sopInstanceUid)].slice(0, maxLists);
}

/** Newest first. */
export async function listKeyFilms(db: ReadableDb): Promise<KeyFilms[]> {
  const filmOf = async (film: KeptList["films"][number]) => ({
    ...film,
    filmId: (await findFilmBySopInstance(db, film.sopInstanceUid, 0))?.id ?? null,
  });
  const lists = await getSetting(db, keyFilmsSetting);
  return await Promise.all(lists.map(async (list) => ({ ...list, films: await Promise.all(list.films.map(filmOf)) })));
}

export async function removeKeyFilms({ db }: Pick<DesktopContext, "db">, sopInstanceUid: string): Promise<void> {
  await changeSetting(db, keyFilmsSetting, (lists) => lists.filter((one) => one.sopInstanceUid !== sopInstanceUid));
}

/** For the erasure of a patient. */
export async function forgetKeyFilms(db: WritableDb, sopInstanceUids: readonly string[]): Promise<void> {
  const erased = new Set(sopInstanceUids);
  const isKept = ({ films }: KeptList) => !films.some((film) => erased.has(film.sopInstanceUid));
  await changeSetting(db, keyFilmsSetting, (lists) => lists.filter(isKept));
}
