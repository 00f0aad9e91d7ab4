import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../core/app-error.ts";

/** What is kept of a film: the file as opened, a small JPEG for the worklist, and the film taken out of a photograph. */
export type FilmImage = "original" | "thumbnail" | "rectified";

const suffixes = { original: "", thumbnail: ".thumbnail.jpg", rectified: ".rectified.jpg" } as const satisfies Record<FilmImage, string>;

/** Folder of the films on the worklist. */
export function filmsDir(dataDir: string): string {
  return path.join(dataDir, "films");
}

/** Writes an image of a film so that it is either whole on the disk or not there. Readable by the user alone. */
export async function saveFilmImage(dataDir: string, sha256: string, image: FilmImage, bytes: Uint8Array): Promise<void> {
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
    await rename(unfinished, fileOf(dataDir, sha256, image));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** @throws AppError NOT_FOUND when the image is not kept */
export async function readFilmImage(dataDir: string, sha256: string, image: FilmImage): Promise<Buffer> {
  try {
    return await readFile(fileOf(dataDir, sha256, image));
  } catch (cause) {
    throw new AppError("NOT_FOUND", "The image of this film is not kept", { cause });
  }
}

/** Deletes everything that is kept of a film. */
export async function deleteFilmImages(dataDir: string, sha256: string): Promise<void> {
  for (const image of Object.keys(suffixes) as FilmImage[]) await rm(fileOf(dataDir, sha256, image), { force: true });
}

function fileOf(dataDir: string, sha256: string, image: FilmImage): string {
  return path.join(filmsDir(dataDir), `${sha256}${suffixes[image]}`);
}
