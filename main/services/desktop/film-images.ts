import { randomBytes } from "node:crypto";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import { engineOf, sqliteFileOf, transaction } from "../../store/engines/engine.ts";
import type { ReadableDb, WritableDb } from "../../store/connection.ts";
import {
  deleteImage,
  deleteUnkeptImages,
  hasImage,
  nameOfImage,
  readImage,
  renameImage,
  saveImage,
  type FilmImage,
  type ImageName,
} from "../../store/film-images/film-images.ts";
import { countFilmsOfFile, findFilmBySha256 } from "../../store/films/films.ts";
import {
  deleteFilmFiles,
  hasFilmFile,
  readFilmFile,
  saveFilmFile,
  writeFilmFile,
  type WrittenImage,
} from "./film-files.ts";

/** Where film images are stored: in the shared database, or in files next to a SQLite store. */
export type FilmsPlace<Db extends ReadableDb = ReadableDb> = { readonly db: Db };

/**
 * Stores an image of a film atomically. Never called within a transaction, since disk and network may be slow.
 *
 * @throws AppError STORE_UNAVAILABLE, STORE_BUSY, DISK_FULL of a database; SystemError of a disk
 */
export async function saveFilmImage(
  { db }: FilmsPlace<WritableDb>,
  sha256: string,
  image: FilmImage,
  bytes: Uint8Array,
  frameIndex = 0,
): Promise<void> {
  const name = nameOfImage(sha256, image, frameIndex);
  await (isInDatabase(db) ? saveImage(db, name, bytes) : saveFilmFile(dataDirOf(db), name, bytes));
}

/**
 * Writes an image under a temporary name, to be kept or dropped with a transaction.
 *
 * @throws as `saveFilmImage`
 */
export async function writeFilmImage(
  { db }: FilmsPlace<WritableDb>,
  sha256: string,
  image: FilmImage,
  bytes: Uint8Array,
  frameIndex = 0,
): Promise<WrittenImage> {
  const name = nameOfImage(sha256, image, frameIndex);
  if (!isInDatabase(db)) return await writeFilmFile(dataDirOf(db), name, bytes);
  // A random hash that no film has; cleanup of orphaned images removes it after a crash.
  const staged = { ...name, sha256: randomBytes(32).toString("hex") };
  await saveImage(db, staged, bytes);
  return { keep: () => renameImage(db, staged, name), drop: () => deleteImage(db, staged) };
}

/**
 * Reads an image of a film.
 *
 * @throws AppError NOT_FOUND for a missing image, STORE_LOCKED if sealed with another key
 */
export async function readFilmImage(
  place: FilmsPlace,
  sha256: string,
  image: FilmImage,
  frameIndex = 0,
): Promise<Buffer> {
  const bytes = await findImage(place, nameOfImage(sha256, image, frameIndex));
  if (bytes === null) throw new AppError("NOT_FOUND", because("imageNotKept"));
  return bytes;
}

export async function findImage({ db }: FilmsPlace, name: ImageName): Promise<Buffer | null> {
  return await (isInDatabase(db) ? readImage(db, name) : readFilmFile(dataDirOf(db), name));
}

export async function hasFilmImage(
  { db }: FilmsPlace,
  sha256: string,
  image: FilmImage,
  frameIndex = 0,
): Promise<boolean> {
  const name = nameOfImage(sha256, image, frameIndex);
  return isInDatabase(db) ? await hasImage(db, name) : hasFilmFile(dataDirOf(db), name);
}

/**
 * Deletes the images of a film that no row references; the original file stays while another frame of it is on the
 * worklist. Runs in one transaction, since a film added again at the same time needs its images.
 */
export async function deleteFilmImages(
  { db }: FilmsPlace<WritableDb>,
  { sha256, frameIndex }: { readonly sha256: string; readonly frameIndex: number },
): Promise<void> {
  if (isInDatabase(db)) return await deleteUnkeptImages(db, { sha256, frameIndex });
  await transaction(db, async () => {
    const [frame, frames] = [await findFilmBySha256(db, sha256, frameIndex), await countFilmsOfFile(db, sha256)];
    const ofFile = frames === 0 ? (["original"] as const) : [];
    const images = frame?.hasImage ? ofFile : [...ofFile, ...ofFrame];
    deleteFilmFiles(
      dataDirOf(db),
      images.map((image) => nameOfImage(sha256, image, frameIndex)),
    );
  });
}

const ofFrame = ["thumbnail", "rectified"] as const;

function dataDirOf(db: ReadableDb): string {
  return path.dirname(sqliteFileOf(db).name);
}

/** Whether film images are stored in the database, as for shared and in-memory stores. */
export function isInDatabase(db: ReadableDb): boolean {
  return engineOf(db).file?.memory ?? true;
}
