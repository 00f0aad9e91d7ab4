import { createHash, randomUUID } from "node:crypto";
import path from "node:path";
import sharp from "sharp";
import { reasonToLeaveAlone } from "../../../core/cardiac/left-alone.ts";
import type { DicomInstance } from "../../../core/contract/desktop/dicom-instance.ts";
import type { AddedFilm, Film } from "../../../core/contract/desktop/films.ts";
import { isDicom } from "../../dicom/dicom-file.ts";
import type { DecodedImage } from "../../imaging/decode-image.ts";
import { findFilmBySopInstance } from "../../store/films/dicom-instances.ts";
import {
  addFilm,
  assignFilm,
  countFilmsOfFile,
  findFilm,
  findFilmBySha256,
  getFilm,
  removeFilm,
  setFilmFile,
  setTakenAt,
  type FilmRow,
  type NewFilm,
} from "../../store/films/films.ts";
import { getPatient, markPatientSeen } from "../../store/films/patients.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";
import { deleteFilmImages, readFilmImage, saveFilmImage } from "../desktop/film-files.ts";
import { getFilmView } from "./film-view.ts";
import { describePicture, keepInstance, patientOfInstance } from "./import-dicom.ts";
import { restoreWaitingResults } from "./import-results.ts";
import { noteOrderOfAssigned, noteOrderOfFilm, orderedPatient } from "./orders/taken-orders.ts";
import { openRadiograph } from "../measuring/open-radiograph.ts";

/** Longest side of the worklist's thumbnails [px]: sharp on a display of density 2. */
const thumbnailLongestSidePx = 320;

/** A file with a film in it. */
export type OpenedFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly origin: NewFilm["origin"];
  readonly patientId?: string | null;
  /** Which frame of a file of several, from 0. */
  readonly frameIndex?: number;
  /** When the files lay together that it was dropped with, and its place among them, from 0. */
  readonly dropped?: { readonly atMs: number; readonly place: number } | undefined;
};

/**
 * Puts a film on the worklist: kept on the disk, then in the store, then queued for measuring. The same bytes are there
 * once, and so is the same DICOM instance in other bytes. A DICOM film comes with its patient and its date; one that is
 * no lateral chest film is not measured.
 *
 * @throws AppError UNSUPPORTED_IMAGE, INVALID_IMAGE, IMAGE_TOO_MANY_PIXELS, INVALID_DICOM, UNSUPPORTED_DICOM,
 * DICOM_WITHOUT_PIXELS
 */
export async function addFilmToWorklist(context: DesktopContext, file: OpenedFile): Promise<AddedFilm> {
  const frameIndex = file.frameIndex ?? 0;
  const sha256 = createHash("sha256").update(file.bytes).digest("hex");
  const sameBytes = findFilmBySha256(context.db, sha256, frameIndex);
  if (sameBytes?.hasImage) return { film: getFilmView(context.db, sameBytes.id), isNew: false };
  const instance = isDicom(file.bytes) ? await describePicture(context.dicom, file.bytes) : null;
  const known =
    sameBytes ??
    (instance?.sopInstanceUid ? findFilmBySopInstance(context.db, instance.sopInstanceUid, frameIndex) : null);
  if (known?.hasImage) return { film: getFilmView(context.db, known.id), isNew: false };
  const image = await openRadiograph(context.dicom, file.bytes, { frameIndex });
  await saveFilmImage(context.dataDir, sha256, "original", file.bytes);
  await saveFilmImage(context.dataDir, sha256, "thumbnail", await thumbnailOf(image), frameIndex);
  const isOrderWaiting = orderedPatient(context) !== null;
  const row = known
    ? keepAgain(context, known, sha256)
    : insertOnce(context, instance, newFilmOf(context, file, instance, { ...image, sha256 }));
  if (isOrderWaiting) context.publish({ name: "orders.changed", payload: {} });
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
    for (const filmId of filmIds) {
      assignFilm(context.db, getFilm(context.db, filmId).id, patientId);
      noteOrderOfAssigned(context, getFilm(context.db, filmId));
    }
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

/** Takes films off the worklist and deletes their images; a film that is already gone is not an error. */
export async function removeFilms(context: DesktopContext, filmIds: readonly string[]): Promise<string[]> {
  const rows = filmIds.map((filmId) => findFilm(context.db, filmId)).filter((row) => row !== null);
  const remove = context.db.transaction(() =>
    rows.forEach((row) => removeFilm(context.db, row.id, context.now().getTime())),
  );
  remove.immediate();
  for (const row of rows) await deleteImagesOf(context, row);
  const removed = rows.map((row) => row.id);
  context.publish({ name: "film.removed", payload: { filmIds: removed } });
  return removed;
}

/**
 * Deletes the images of a film whose row no longer keeps any; the file stays while another frame of it is on the
 * worklist.
 */
export async function deleteImagesOf(context: DesktopContext, film: FilmRow): Promise<void> {
  await deleteFilmImages(context.dataDir, film, { withOriginal: countFilmsOfFile(context.db, film.sha256) === 0 });
}

function newFilmOf(
  context: DesktopContext,
  file: OpenedFile,
  instance: DicomInstance | null,
  image: DecodedImage,
): NewFilm {
  const nowMs = context.now().getTime();
  const isLeftAlone =
    instance !== null && reasonToLeaveAlone({ ...instance, species: instance.patient.species }) !== null;
  const isMeasured = file.origin !== "capture" && !isLeftAlone && getDesktopSettings(context.db).measuresOnArrival;
  return {
    id: randomUUID(),
    fileName: cleanFileName(file.name),
    sha256: image.sha256,
    origin: instance ? "dicom" : file.origin,
    addedAtMs: file.dropped?.atMs ?? nowMs,
    takenAtMs: instance?.takenAt ? Date.parse(instance.takenAt) : nowMs,
    patientId: file.patientId ?? null,
    state: isMeasured ? "queued" : file.origin === "capture" ? "done" : "cancelled",
    widthPx: image.fullWidthPx,
    heightPx: image.fullHeightPx,
    frameIndex: file.frameIndex ?? 0,
    place: file.dropped?.place ?? 0,
  };
}

/** When a film is dropped twice at once, the second finds the first. */
function insertOnce(context: DesktopContext, instance: DicomInstance | null, film: NewFilm): FilmRow {
  const insert = context.db.transaction(() => {
    const known =
      findFilmBySha256(context.db, film.sha256, film.frameIndex) ??
      (instance?.sopInstanceUid ? findFilmBySopInstance(context.db, instance.sopInstanceUid, film.frameIndex) : null);
    if (known !== null) return known;
    const patientId = film.patientId ?? (instance ? patientOfInstance(context, instance) : orderedPatient(context));
    const row = addFilm(context.db, { ...film, patientId });
    if (instance !== null) keepInstance(context, row.id, instance);
    if (instance?.sopInstanceUid) restoreWaitingResults(context, row, instance.sopInstanceUid);
    noteOrderOfFilm(context, row, instance);
    if (patientId !== null) markPatientSeen(context.db, patientId, context.now().getTime());
    return row;
  });
  const row = insert.immediate();
  if (row.patientId !== null && instance !== null)
    context.publish({ name: "patients.changed", payload: { patientIds: [row.patientId] } });
  return row;
}

function keepAgain(context: DesktopContext, film: FilmRow, sha256: string): FilmRow {
  setFilmFile(context.db, film.id, sha256);
  return film;
}

/**
 * Small picture of a frame, drawn anew. @throws AppError NOT_FOUND when the film's file is not kept, and what opening
 * it throws
 */
export async function frameThumbnail(context: DesktopContext, film: FilmRow, frameIndex: number): Promise<Buffer> {
  return thumbnailOf(
    await openRadiograph(context.dicom, await readFilmImage(context.dataDir, film.sha256, "original"), { frameIndex }),
  );
}

async function thumbnailOf(image: DecodedImage): Promise<Buffer> {
  const { shown, widthPx, heightPx } = image;
  const size = {
    width: thumbnailLongestSidePx,
    height: thumbnailLongestSidePx,
    fit: "inside",
    withoutEnlargement: true,
  } as const;
  return sharp(shown, { raw: { width: widthPx, height: heightPx, channels: 1 } })
    .resize(size)
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** A name to show and to give to an exported file: no folders, no control characters. */
function cleanFileName(name: string): string {
  const cleaned = path.posix
    .basename(name.replaceAll("\\", "/"))
    .replace(/[\u0000-\u001f\u007f]/g, "")
    .trim()
    .slice(0, 255);
  return cleaned === "" ? "film" : cleaned;
}
