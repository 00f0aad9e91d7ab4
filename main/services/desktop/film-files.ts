import { randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import { systemFaultOf } from "../../../core/system-fault.ts";
import { keyOfStore, storeKeyOf } from "../../store/encryption/key-keeper.ts";
import { openBytes, sealBytes } from "../../store/encryption/sealed-file.ts";
import { isReadFault } from "../../store/files/private-file.ts";
import { filmsDir } from "../../store/files/store-files.ts";
import type { FilmImage, ImageName } from "../../store/film-images/film-images.ts";

const suffixes = { original: "", thumbnail: ".thumbnail.jpg", rectified: ".rectified.jpg" } as const satisfies Record<
  FilmImage,
  string
>;

export type WrittenImage = {
  /** Renames it to its final name, replacing an existing image. */
  keep(): Promise<void>;
  drop(): Promise<void>;
};

export async function saveFilmFile(dataDir: string, name: ImageName, bytes: Uint8Array): Promise<void> {
  const written = await writeFilmFile(dataDir, name, bytes);
  try {
    await written.keep();
  } finally {
    await written.drop();
  }
}

/** Writes an image of a film to a temporary file, readable only by the user and encrypted if the store is. */
export async function writeFilmFile(dataDir: string, name: ImageName, bytes: Uint8Array): Promise<WrittenImage> {
  const folder = filmsDir(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const place = fileOf(dataDir, name);
  const unfinished = path.join(folder, `unfinished-${randomUUID()}`);
  const drop = () => rm(unfinished, { force: true });
  try {
    const content = sealBytes(bytes, path.basename(place), keyOfStore(dataDir));
    await writeFile(unfinished, content, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    await drop();
    throw error;
  }
  return { keep: () => rename(unfinished, place), drop };
}

/**
 * Reads an image of a film; null if not stored.
 *
 * @throws AppError STORE_LOCKED if sealed with another key; NOT_FOUND if unreadable; TOO_MANY_FILES, a fault of the
 *   system rather than of the film
 */
export async function readFilmFile(dataDir: string, name: ImageName): Promise<Buffer | null> {
  const file = fileOf(dataDir, name);
  const bytes = await readFile(file).catch((error: unknown) => {
    if (isReadFault(error))
      throw systemFaultOf(error) ?? new AppError("NOT_FOUND", because("fileUnreadable"), { cause: error });
    return null;
  });
  return bytes === null ? null : openBytes(bytes, path.basename(file), () => storeKeyOf(dataDir));
}

export function hasFilmFile(dataDir: string, name: ImageName): boolean {
  return existsSync(fileOf(dataDir, name));
}

/** Deletes images synchronously, so that a concurrent encryption cannot restore a film. */
export function deleteFilmFiles(dataDir: string, names: readonly ImageName[]): void {
  for (const name of names) rmSync(fileOf(dataDir, name), { force: true });
}

function fileOf(dataDir: string, { sha256, image, frameIndex }: ImageName): string {
  const frame = frameIndex === 0 ? "" : `.frame-${frameIndex}`;
  return path.join(filmsDir(dataDir), `${sha256}${frame}${suffixes[image]}`);
}
