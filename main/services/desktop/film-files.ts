import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { AppError, because } from "../../../core/app-error.ts";

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

/** Writes an image of a film so that it is either whole on the disk or not there. Readable by the user alone. */
export async function saveFilmImage(
  dataDir: string,
  sha256: string,
  image: FilmImage,
  bytes: Uint8Array,
  frameIndex = 0,
): Promise<void> {
  const folder = filmsDir(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = path.join(folder, `unfinished-${randomUUID()}`);
  try {
    const file = await open(unfinished, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, fileOf(dataDir, sha256, image, frameIndex));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** @throws AppError NOT_FOUND when the image is not kept */
export async function readFilmImage(
  dataDir: string,
  sha256: string,
  image: FilmImage,
  frameIndex = 0,
): Promise<Buffer> {
  try {
    return await readFile(fileOf(dataDir, sha256, image, frameIndex));
  } catch (cause) {
    throw new AppError("NOT_FOUND", because("imageNotKept"), { cause });
  }
}

/** Deletes what is kept of a film; the file itself only where no other frame of it is on the worklist. */
export async function deleteFilmImages(
  dataDir: string,
  film: { readonly sha256: string; readonly frameIndex: number },
  { withOriginal }: { readonly withOriginal: boolean },
): Promise<void> {
  const images: readonly FilmImage[] = withOriginal
    ? ["original", "thumbnail", "rectified"]
    : ["thumbnail", "rectified"];
  for (const image of images) await rm(fileOf(dataDir, film.sha256, image, film.frameIndex), { force: true });
}

/** All frames share the file itself. */
function fileOf(dataDir: string, sha256: string, image: FilmImage, frameIndex: number): string {
  const frame = image === "original" || frameIndex === 0 ? "" : `.frame-${frameIndex}`;
  return path.join(filmsDir(dataDir), `${sha256}${frame}${suffixes[image]}`);
}
