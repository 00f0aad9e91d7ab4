import { createHash } from "node:crypto";
import type { ReadableDb, WritableDb } from "../../store/connection.ts";
import { copyDiffers } from "../../store/copying/compare-rows.ts";
import { inPages } from "../../store/engines/in-pages.ts";
import { nameOfImage, type FilmImage, type ImageName } from "../../store/film-images/film-images.ts";
import { findImage, saveFilmImage, type FilmsPlace } from "./film-images.ts";

/** Number of copied images, and names of images that are faulty in the source. */
export type CopiedImages = {
  readonly images: number;
  /** Missing, although a film on the worklist references them. */
  readonly missing: readonly string[];
  /** Originals whose SHA-256 differs from their name; copied unchanged. */
  readonly damaged: readonly string[];
};

/**
 * Copies the images of all films on the worklist between files and a database, one at a time, and verifies each copy.
 * Images already present after an interrupted copy are only compared.
 *
 * @param onProgress  number of films whose images are copied
 * @throws AppError RECORD_BROKEN naming the first image whose copy differs; STORE_LOCKED
 */
export async function copyFilmImages(
  source: FilmsPlace,
  target: FilmsPlace<WritableDb>,
  onProgress: (films: number, ofFilms: number) => void,
): Promise<CopiedImages> {
  const ofFilms = await countFilms(source.db);
  const found = { images: 0, missing: [] as string[], damaged: [] as string[] };
  const originals = new Set<string>();
  let films = 0;
  for await (const film of filmsWithImage(source.db)) {
    for (const name of imagesOf(film)) {
      if (name.image === "original" && originals.has(name.sha256)) continue;
      const state = await copyImage(source, target, name);
      if (state === "missing") found.missing.push(shownName(name));
      else found.images += 1;
      if (state === "damaged") found.damaged.push(shownName(name));
    }
    originals.add(film.sha256);
    films += 1;
    onProgress(films, ofFilms);
  }
  return found;
}

async function copyImage(
  source: FilmsPlace,
  target: FilmsPlace<WritableDb>,
  name: ImageName,
): Promise<"good" | "missing" | "damaged"> {
  const bytes = await findImage(source, name);
  if (bytes === null) return "missing";
  if (!(await findImage(target, name))?.equals(bytes)) {
    await saveFilmImage(target, name.sha256, name.image, bytes, name.frameIndex);
    if (!(await findImage(target, name))?.equals(bytes)) throw copyDiffers(`${shownName(name)} differs`);
  }
  const isItself = name.image !== "original" || createHash("sha256").update(bytes).digest("hex") === name.sha256;
  return isItself ? "good" : "damaged";
}

/** Names an image in messages, in the form of a `film_images` row. */
function shownName({ sha256, frameIndex, image }: ImageName): string {
  return `film_images/${sha256}/${frameIndex}/${image}`;
}

type FilmWithImage = { readonly sha256: string; readonly frameIndex: number; readonly hasRectified: number };

function imagesOf({ sha256, frameIndex, hasRectified }: FilmWithImage): readonly ImageName[] {
  const images: readonly FilmImage[] = hasRectified
    ? ["original", "thumbnail", "rectified"]
    : ["original", "thumbnail"];
  return images.map((image) => nameOfImage(sha256, image, frameIndex));
}

function ofWorklist(db: ReadableDb) {
  return db.selectFrom("films").where("removedAtMs", "is", null).where("hasImage", "=", 1);
}

function filmsWithImage(db: ReadableDb): AsyncGenerator<FilmWithImage> {
  const films = ofWorklist(db).select(["rowid as seq", "sha256", "frameIndex", "hasRectified"]).orderBy("rowid");
  return inPages((seq) => (seq === null ? films : films.where("rowid", ">", seq)));
}

async function countFilms(db: ReadableDb): Promise<number> {
  const counted = ofWorklist(db).select(({ fn }) => fn.countAll<number>().as("films"));
  return (await counted.executeTakeFirstOrThrow()).films;
}
