import sharp, { type Sharp } from "sharp";
import type { ZipFile } from "yazl";
import { isSampleFilm } from "../../../core/sample-study.ts";
import { comparedAnimal } from "../../../core/cardiac/reference/compared-animal.ts";
import { toAnnotatedImage, type AnnotatedImage } from "../../../core/cardiac/annotated-image.ts";
import { isOnRectified } from "../../../core/cardiac/picture-of-points.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { localDay } from "../../../core/local-day.ts";
import { isDicom } from "../../dicom/dicom-file.ts";
import { openUprightPicture } from "../../imaging/open-upright-picture.ts";
import { findFilm, type FilmRow } from "../../store/films/films.ts";
import { listFilms } from "../../store/films/listed-films.ts";
import { getLatestReading } from "../../store/films/readings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { writeZip } from "../desktop/exports.ts";
import { readFilmImage } from "../desktop/film-images.ts";
import { nullIfUnreadable } from "../desktop/null-if-unreadable.ts";
import { exportFilms } from "./exported-films.ts";
import { getFilmView, toReading } from "../worklist/film-view.ts";
import { openRadiograph } from "../measuring/open-radiograph.ts";

type AnnotatedFilm = { readonly film: FilmRow; readonly annotated: AnnotatedImage; readonly bytes: Buffer };

/**
 * Exports films with users' readings as a ZIP of upright pictures and `index.json` for training and evaluation.
 * Excludes patients, owners and remarks.
 *
 * @throws AbortError
 */
export async function exportAnnotatedFilms(
  context: DesktopContext,
  signal: AbortSignal,
): Promise<DesktopResponse<"films.exportAnnotated">> {
  const wanted = await readByPersons(context);
  const fileName = `corvet-annotated-${localDay(context.now())}.zip`;
  const { films, url } = await exportFilms(context, { kind: "zip", way: "pictures" }, signal, (file) =>
    writeZip(file, (zip) => addFilms(zip, context, wanted, signal)),
  );
  return { download: { fileName, url }, exported: films.length, skipped: wanted.length - films.length };
}

async function addFilms(zip: ZipFile, context: DesktopContext, filmIds: readonly string[], signal: AbortSignal) {
  const annotated: AnnotatedImage[] = [];
  const films: FilmRow[] = [];
  for (const filmId of filmIds) {
    signal.throwIfAborted();
    const exported = await exportFilm(context, filmId);
    if (exported === null) continue;
    annotated.push(exported.annotated);
    films.push(exported.film);
    zip.addBuffer(exported.bytes, exported.annotated.file, { compress: false });
  }
  zip.addBuffer(Buffer.from(`${JSON.stringify({ version: 1, images: annotated }, null, 2)}\n`), "index.json");
  return { films };
}

async function readByPersons(context: DesktopContext): Promise<string[]> {
  const { rows } = await listFilms(context.db, { search: "", standing: "annotated", limit: 100_000, offset: 0 });
  return rows.filter((film) => !isSampleFilm(film)).map(({ id }) => id);
}

async function exportFilm(context: DesktopContext, filmId: string): Promise<AnnotatedFilm | null> {
  const film = await findFilm(context.db, filmId);
  const row = film && (await getLatestReading(context.db, filmId));
  // The film may have been removed, or its reading undone, since it was listed.
  if (!film?.hasImage || row?.source !== "person" || row.verdict === "rejected") return null;
  const picture = await nullIfUnreadable(context, () => uprightPicture(context, film, toReading(row)));
  if (picture === null) return null;
  const { patient, dicom } = await getFilmView(context.db, filmId);
  const compared = comparedAnimal(patient, dicom?.patient ?? null);
  const species = compared.isSpeciesKnown ? compared.species : null;
  const frame = film.frameIndex > 0 ? `-${film.frameIndex + 1}` : "";
  const file = `${species ?? "animal"}-${film.sha256.slice(0, 12)}${frame}.png`;
  const annotated = toAnnotatedImage(toReading(row), {
    ...picture,
    file,
    species,
    note: `${row.verdict}, version ${row.version}`,
  });
  return annotated && { film, annotated, bytes: picture.bytes };
}

/** Renders the picture that the points refer to, without metadata, which may name patient and device. */
async function uprightPicture(context: DesktopContext, film: FilmRow, reading: Reading) {
  const kept = isOnRectified(reading, film) ? "rectified" : "original";
  const bytes = await readFilmImage(context, film.sha256, kept, film.frameIndex);
  const picture = isDicom(bytes)
    ? await shownPicture(context, bytes, film.frameIndex)
    : (await openUprightPicture(bytes)).image;
  const { data, info } = await picture.png().toBuffer({ resolveWithObject: true });
  return { bytes: data, widthPx: info.width, heightPx: info.height };
}

async function shownPicture({ dicom }: DesktopContext, bytes: Uint8Array, frameIndex: number): Promise<Sharp> {
  const { data, widthPx, heightPx, channels } = await (await openRadiograph(dicom, bytes, { frameIndex })).fullColour();
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels } });
}
