import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";
import { keyOfStore, storeKeyOf } from "../../store/encryption/key-keeper.ts";
import { openBytes, sealBytes } from "../../store/encryption/sealed-file.ts";

/**
 * What is kept of a film: the file as opened, a small JPEG for the worklist, and the film taken out of a photograph.
 */
export type FilmImage = "original" | "thumbnail" | "rectified";

const suffixes = { original: "", thumbnail: ".thumbnail.jpg", rectified: ".rectified.jpg" } as const satisfies Record<
  FilmImage,
  string
>;

/** Folder of the films on the worklist. */
export function filmsDir(dataDir: string): string {
  return path.join(dataDir, "films");
}

/**
 * Writes an image of a film so that it is either whole on the disk or not there. Readable by the user alone, and sealed
 * where the store is encrypted.
 */
export async function saveFilmImage(
  dataDir: string,
  sha256: string,
  image: FilmImage,
  bytes: Uint8Array,
  frameIndex = 0,
): Promise<void> {
  const folder = filmsDir(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const place = fileOf(dataDir, sha256, image, frameIndex);
  const unfinished = path.join(folder, `unfinished-${randomUUID()}`);
  try {
    const file = await open(unfinished, "wx", 0o600);
    try {
      await file.writeFile(sealBytes(bytes, path.basename(place), keyOfStore(dataDir)));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, place);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** @throws AppError NOT_FOUND when the image is not kept, STORE_LOCKED when it is sealed with another key */
export async function readFilmImage(
  dataDir: string,
  sha256: string,
  image: FilmImage,
  frameIndex = 0,
): Promise<Buffer> {
  const file = fileOf(dataDir, sha256, image, frameIndex);
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new AppError("NOT_FOUND", because("imageNotKept"), { cause });
  });
  return openBytes(bytes, path.basename(file), () => storeKeyOf(dataDir));
}

/** Deletes what is kept of a film; the file itself only where no other frame of it is on the worklist. */
export function deleteFilmImages(
  dataDir: string,
  film: { readonly sha256: string; readonly frameIndex: number },
  { withOriginal }: { readonly withOriginal: boolean },
): void {
  const images: readonly FilmImage[] = withOriginal
    ? ["original", "thumbnail", "rectified"]
    : ["thumbnail", "rectified"];
  // At once: a film that is being encrypted meanwhile must not come back.
  for (const image of images) rmSync(fileOf(dataDir, film.sha256, image, film.frameIndex), { force: true });
}

/** All frames share the file itself. */
function fileOf(dataDir: string, sha256: string, image: FilmImage, frameIndex: number): string {
  const frame = image === "original" || frameIndex === 0 ? "" : `.frame-${frameIndex}`;
  return path.join(filmsDir(dataDir), `${sha256}${frame}${suffixes[image]}`);
}
