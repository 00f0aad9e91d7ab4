import { createHash, randomUUID } from "node:crypto";
import path from "node:path";
import sharp from "sharp";
import type { Film } from "../../core/contract/desktop/films.ts";
import { decodeImage, type DecodedImage } from "../imaging/decode-image.ts";
import { addFilm, assignFilm, findFilm, findFilmBySha256, getFilm, removeFilm, setKeptImages, setTakenAt, type FilmRow, type NewFilm } from "../store/films.ts";
import { getPatient, markPatientSeen } from "../store/patients.ts";
import type { DesktopContext } from "./desktop-context.ts";
import { getDesktopSettings } from "./desktop-settings.ts";
import { deleteFilmImages, saveFilmImage } from "./film-files.ts";
import { getFilmView } from "./film-view.ts";

/** Longest side of the small pictures of the worklist [px]: sharp on a display of double density. */
export const thumbnailLongestSidePx = 320;

/** Largest file that is opened [bytes]. */
export const filmSizeLimitBytes = 256 * 1024 * 1024;

/** Endings of the files that can be films, without the dot. */
export const filmExtensions = ["jpg", "jpeg", "png"] as const;

/** A file that the user opens. */
export type OpenedFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly origin: NewFilm["origin"];
  readonly patientId?: string | null;
};

/**
 * Puts a film on the worklist: kept on the disk, then in the store, then queued for measuring. The same bytes are there once.
 *
 * @throws AppError UNSUPPORTED_IMAGE, INVALID_IMAGE, IMAGE_TOO_MANY_PIXELS
 */
export async function addFilmToWorklist(context: DesktopContext, file: OpenedFile): Promise<{ readonly film: Film; readonly isNew: boolean }> {
  const sha256 = createHash("sha256").update(file.bytes).digest("hex");
  const known = findFilmBySha256(context.db, sha256);
  if (known?.hasImage) return { film: getFilmView(context.db, known.id), isNew: false };
  const image = await decodeImage(file.bytes);
  await saveFilmImage(context.dataDir, sha256, "original", file.bytes);
  await saveFilmImage(context.dataDir, sha256, "thumbnail", await thumbnailOf(image));
  const row = known ? keepAgain(context, known) : insertOnce(context, newFilmOf(context, file, image));
  if (file.patientId) markPatientSeen(context.db, file.patientId, context.now().getTime());
  return { film: publishFilm(context, row.id), isNew: known === null };
}

/** Tells the page how a film stands. */
export function publishFilm(context: DesktopContext, filmId: string): Film {
  const film = getFilmView(context.db, filmId);
  context.publish({ name: "film.changed", payload: { film } });
  return film;
}

/** Gives films to a patient, or to nobody. @throws AppError NOT_FOUND */
export function assignPatient(context: DesktopContext, filmIds: readonly string[], patientId: string | null): Film[] {
  const assign = context.db.transaction(() => {
    if (patientId !== null) getPatient(context.db, patientId);
    for (const filmId of filmIds) assignFilm(context.db, getFilm(context.db, filmId).id, patientId);
    if (patientId !== null) markPatientSeen(context.db, patientId, context.now().getTime());
  });
  assign.immediate();
  return filmIds.map((filmId) => publishFilm(context, filmId));
}

/** Sets the day of the radiograph. @throws AppError NOT_FOUND */
export function editFilm(context: DesktopContext, filmId: string, takenAt: Date): Film {
  setTakenAt(context.db, getFilm(context.db, filmId).id, takenAt.getTime());
  return publishFilm(context, filmId);
}

/** Takes films off the worklist and deletes their images; a film that is gone already is no error. */
export async function removeFilms(context: DesktopContext, filmIds: readonly string[]): Promise<string[]> {
  const rows = filmIds.map((filmId) => findFilm(context.db, filmId)).filter((row) => row !== null);
  const remove = context.db.transaction(() => rows.forEach((row) => removeFilm(context.db, row.id, context.now().getTime())));
  remove.immediate();
  for (const row of rows) await deleteFilmImages(context.dataDir, row.sha256);
  const removed = rows.map((row) => row.id);
  context.publish({ name: "film.removed", payload: { filmIds: removed } });
  return removed;
}

function newFilmOf(context: DesktopContext, file: OpenedFile, image: DecodedImage): NewFilm {
  const nowMs = context.now().getTime();
  const isMeasured = file.origin !== "capture" && getDesktopSettings(context.db).measuresOnArrival;
  return {
    id: randomUUID(),
    fileName: cleanFileName(file.name),
    sha256: image.sha256,
    origin: file.origin,
    addedAtMs: nowMs,
    takenAtMs: nowMs,
    patientId: file.patientId ?? null,
    state: isMeasured ? "queued" : file.origin === "capture" ? "done" : "cancelled",
    widthPx: image.fullWidthPx,
    heightPx: image.fullHeightPx,
  };
}

/** The same file dropped twice at once: the second finds the first. */
function insertOnce(context: DesktopContext, film: NewFilm): FilmRow {
  const insert = context.db.transaction(() => findFilmBySha256(context.db, film.sha256) ?? addFilm(context.db, film));
  return insert.immediate();
}

function keepAgain(context: DesktopContext, film: FilmRow): FilmRow {
  setKeptImages(context.db, film.id, { hasImage: true, hasRectified: false });
  return film;
}

async function thumbnailOf(image: DecodedImage): Promise<Buffer> {
  const { grey, widthPx, heightPx } = image;
  const size = { width: thumbnailLongestSidePx, height: thumbnailLongestSidePx, fit: "inside", withoutEnlargement: true } as const;
  return sharp(grey, { raw: { width: widthPx, height: heightPx, channels: 1 } }).resize(size).jpeg({ quality: 80 }).toBuffer();
}

/** A name to show and to give to an exported file: no folders, no control characters. */
function cleanFileName(name: string): string {
  const cleaned = path.posix.basename(name.replaceAll("\\", "/")).replace(/[\u0000-\u001f\u007f]/g, "").trim().slice(0, 255);
  return cleaned === "" ? "film" : cleaned;
}
