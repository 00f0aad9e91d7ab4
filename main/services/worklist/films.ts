import { createHash, randomUUID } from "node:crypto";
import path from "node:path";
import sharp from "sharp";
import { AppError, because, failureOf } from "../../../core/app-error.ts";
import { reasonToLeaveAlone } from "../../../core/cardiac/left-alone.ts";
import type { RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
import type { DicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import type { AddedFilm, Film } from "../../../core/contract/desktop/films.ts";
import type { DicomContents } from "../../dicom/dicom-contents.ts";
import { withNoticesOfPicture } from "../../dicom/dicom-notices.ts";
import { isDicom } from "../../dicom/dicom-file.ts";
import type { DecodedImage } from "../../imaging/decode-image.ts";
import { shapeOfPicture } from "../../imaging/same-picture.ts";
import { transaction } from "../../store/engines/engine.ts";
import {
  addFilm,
  assignFilm,
  findFilm,
  getFilm,
  setFilmFile,
  setKeptImages,
  setTakenAt,
  type FilmRow,
  type NewFilm,
} from "../../store/films/films.ts";
import { restoreFilm, removeFilm } from "../../store/films/removed-films.ts";
import { getPatient, markPatientSeen } from "../../store/films/patients.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { getDesktopSettings } from "../desktop/desktop-settings.ts";
import { deleteFilmImages, hasFilmImage, readFilmImage, saveFilmImage } from "../desktop/film-images.ts";
import { publishFilm, publishFilms, publishRemoval } from "./film-events.ts";
import { getFilmView } from "./film-view.ts";
import { saveReceivedInstance, patientOfInstance, pictureOf, type InstanceWithShape } from "./import-dicom.ts";
import { restoreWaitingResults } from "./import-results.ts";
import { findKnownFilms, findSameFilm } from "./known-films.ts";
import { noteOrderOfAssigned, noteOrderOfFilm, orderedPatient } from "./orders/taken-orders.ts";
import { learnSpecies, unlearnSpecies } from "./patients/learn-species.ts";
import { publishPatient } from "./patients/patients.ts";
import { appendModelReading } from "./readings/model-reading.ts";
import { rectifiedAgain } from "./rectified-image.ts";
import { openRadiograph } from "../measuring/open-radiograph.ts";

/** Sharp on displays of density 2. */
const thumbnailLongestSidePx = 320;

/** Images may be deleted before the row of their film is written. */
const savingAttempts = 3;

export type OpenedFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly origin: NewFilm["origin"];
  /** Read from `bytes` if missing. */
  readonly contents?: DicomContents;
  readonly patientId?: string | null;
  /** Whether a picture without a patient is linked to the pending order. Default true. */
  readonly takesOrder?: boolean;
  /** 0-based. */
  readonly frameIndex?: number;
  /** Time of the drop that added the file, and its position in it from 0. */
  readonly dropped?: { readonly atMs: number; readonly place: number } | undefined;
  /** Stored as the first reading of a new film. */
  readonly measurement?: RadiographMeasurement;
};

/**
 * Adds a film to the worklist: writes the file, inserts the row, queues the measurement. Duplicate bytes or a duplicate
 * SOP Instance UID return the existing film; a different image under a known UID is added with a notice. Views other
 * than lateral thorax are not measured.
 *
 * @throws AppError UNSUPPORTED_IMAGE, INVALID_IMAGE, IMAGE_TOO_MANY_PIXELS, INVALID_DICOM, UNSUPPORTED_DICOM,
 *   DICOM_WITHOUT_PIXELS
 */
export async function addFilmToWorklist(context: DesktopContext, file: OpenedFile): Promise<AddedFilm> {
  const frameIndex = file.frameIndex ?? 0;
  const sha256 = createHash("sha256").update(file.bytes).digest("hex");
  const instance = isDicom(file.bytes) ? pictureOf(file.contents ?? (await context.dicom.contents(file.bytes))) : null;
  const found = await findSameFilm(context, file.bytes, { sha256, frameIndex, instance });
  const known = found.listed;
  if (known && (await isImageKept(context, known)))
    return { film: await getFilmView(context.db, known.id), isNew: false };
  const image = await openRadiograph(context.dicom, file.bytes, { frameIndex });
  const former = known ?? found.removed;
  const rectified = former && (await rectifiedAgain(context, former, file.bytes));
  const images = { sha256, frameIndex, original: file.bytes, thumbnail: await thumbnailOf(image), rectified };
  const isOrderWaiting = (await orderedPatient(context)) !== null;
  const film = await newFilmOf(context, file, instance, { ...image, sha256 });
  const said = instance && { instance: withNoticesOfPicture(instance, image), shape: await shapeOfPicture(image) };
  let hasLearnedSpecies = false;
  const row = await withImages(context, images, async () => {
    if (known) await setFilmFile(context.db, known.id, film);
    const kept = known ?? (await insertOnce(context, { said, others: found.others }, film, file.takesOrder ?? true));
    if (rectified && kept.id === former?.id)
      await setKeptImages(context.db, kept.id, { hasImage: true, hasRectified: true });
    const { id: filmId, patientId } = kept;
    if (known === null && file.measurement) await appendModelReading(context, filmId, file.measurement);
    const species = known === null && instance ? instance.patient.species : null;
    hasLearnedSpecies = await learnSpecies(context.db, { patientId, species, filmId });
    return kept;
  });
  if (row.state === "queued") context.decodedFilm.keep(row.id, image);
  if (hasLearnedSpecies && row.patientId !== null) await publishPatient(context, row.patientId);
  else if (known === null && row.patientId !== null && instance !== null)
    context.raise({ name: "patients.changed", payload: {} });
  if (isOrderWaiting) context.publish({ name: "orders.changed", payload: {} });
  if (known === null && found.isUidTaken) warnAboutDuplicateUid(context, row.fileName);
  return { film: await publishFilm(context, row.id), isNew: known === null };
}

/** @throws AppError NOT_FOUND */
export async function assignPatient(
  context: DesktopContext,
  filmIds: readonly string[],
  patientId: string | null,
): Promise<void> {
  const { db } = context;
  const isOrderWaiting = (await orderedPatient(context)) !== null;
  const { taught, doubted } = await transaction(db, async () => {
    if (patientId !== null) await getPatient(db, patientId);
    const taught = new Set<string>();
    const doubted = new Set<string>();
    for (const filmId of filmIds) {
      const { dicom, patient: former, otherAnimal } = await getFilmView(db, filmId);
      if (otherAnimal) doubted.add(otherAnimal.filmId);
      await assignFilm(db, filmId, patientId);
      await noteOrderOfAssigned(context, await getFilm(db, filmId));
      // An unchanged assignment must not override a species entered by a user.
      if (former?.id === patientId) continue;
      if (former && (await unlearnSpecies(db, former.id, filmId))) taught.add(former.id);
      if (patientId === null || !dicom) continue;
      if (await learnSpecies(db, { patientId, species: dicom.patient.species, filmId })) taught.add(patientId);
    }
    if (patientId !== null) await markPatientSeen(db, patientId, context.now().getTime());
    return { taught, doubted };
  });
  for (const id of taught) await publishPatient(context, id);
  if (isOrderWaiting) context.publish({ name: "orders.changed", payload: {} });
  await publishFilms(context, [...filmIds, ...doubted]);
}

export async function editFilm(context: DesktopContext, filmId: string, takenAt: Date): Promise<Film> {
  await setTakenAt(context.db, (await getFilm(context.db, filmId)).id, takenAt.getTime());
  return publishFilm(context, filmId);
}

/** Missing films are not an error. */
export async function removeFilms(context: DesktopContext, filmIds: readonly string[]): Promise<void> {
  const rows = await transaction(context.db, async () => {
    const there: FilmRow[] = [];
    for (const filmId of filmIds) {
      const row = await findFilm(context.db, filmId);
      if (row === null) continue;
      await removeFilm(context.db, row.id, context.now().getTime());
      there.push(row);
    }
    return there;
  });
  for (const row of rows) await deleteFilmImages(context, row);
  await publishRemoval(
    context,
    rows.map((row) => row.id),
  );
}

async function newFilmOf(
  context: DesktopContext,
  file: OpenedFile,
  instance: DicomInstance | null,
  image: DecodedImage,
): Promise<NewFilm> {
  const nowMs = context.now().getTime();
  const isLeftAlone =
    instance !== null && reasonToLeaveAlone({ ...instance, species: instance.patient.species }) !== null;
  const isMeasured = !file.measurement && !isLeftAlone && (await getDesktopSettings(context.db)).measuresOnArrival;
  return {
    id: randomUUID(),
    fileName: cleanFileName(file.name),
    sha256: image.sha256,
    origin: instance ? "dicom" : file.origin,
    addedAtMs: file.dropped?.atMs ?? nowMs,
    takenAtMs: instance?.takenAt ? Date.parse(instance.takenAt) : nowMs,
    patientId: file.patientId ?? null,
    state: isMeasured ? "queued" : file.measurement ? "done" : "cancelled",
    widthPx: image.fullWidthPx,
    heightPx: image.fullHeightPx,
    frameIndex: file.frameIndex ?? 0,
    place: file.dropped?.place ?? 0,
  };
}

type ImagesOfFilm = Pick<NewFilm, "sha256" | "frameIndex"> &
  Record<"original" | "thumbnail", Uint8Array> & { readonly rectified: Uint8Array | null };

/**
 * Writes the row in a transaction that verifies the images, since another workstation may have removed the film with
 * them in the meantime.
 */
async function withImages(
  context: DesktopContext,
  { sha256, frameIndex, original, thumbnail, rectified }: ImagesOfFilm,
  keep: () => Promise<FilmRow>,
): Promise<FilmRow> {
  for (let attempt = 1; attempt <= savingAttempts; attempt += 1) {
    await saveFilmImage(context, sha256, "original", original);
    await saveFilmImage(context, sha256, "thumbnail", thumbnail, frameIndex);
    if (rectified) await saveFilmImage(context, sha256, "rectified", rectified, frameIndex);
    const row = await transaction(context.db, async () => {
      const areThere =
        (await hasFilmImage(context, sha256, "original")) &&
        (await hasFilmImage(context, sha256, "thumbnail", frameIndex));
      return areThere ? await keep() : null;
    });
    if (row !== null) return row;
  }
  throw new AppError("NOT_FOUND", because("imageNotKept"));
}

/** Returns the existing film if it was added twice at the same time. */
async function insertOnce(
  context: DesktopContext,
  { said, others }: { readonly said: InstanceWithShape | null; readonly others: ReadonlySet<string> },
  film: NewFilm,
  takesOrder: boolean,
): Promise<FilmRow> {
  const instance = said?.instance ?? null;
  const { listed: known, removed } = await findKnownFilms(context.db, { ...film, instance }, others);
  if (known !== null) return known;
  const ordered = () => (takesOrder ? orderedPatient(context) : null);
  const patientId = film.patientId ?? (await (instance ? patientOfInstance(context, instance) : ordered()));
  const row = await addOrRestoreFilm(context, { ...film, patientId }, removed);
  if (said !== null) await saveReceivedInstance(context, row.id, said);
  if (instance?.sopInstanceUid) await restoreWaitingResults(context, row, instance.sopInstanceUid);
  await noteOrderOfFilm(context, row, instance);
  if (patientId !== null) await markPatientSeen(context.db, patientId, context.now().getTime());
  return row;
}

/** A removed film that now belongs to another patient stays removed. */
async function addOrRestoreFilm({ db }: DesktopContext, film: NewFilm, former: FilmRow | null): Promise<FilmRow> {
  if (former === null) return await addFilm(db, film);
  const patientId = film.patientId ?? former.patientId;
  const isOther = former.patientId !== null && former.patientId !== patientId;
  return await (isOther ? addFilm(db, film) : restoreFilm(db, former.id, { ...film, patientId }));
}

/** A store restored from a backup may reference deleted files. */
async function isImageKept(context: DesktopContext, film: FilmRow): Promise<boolean> {
  return film.hasImage && (await hasFilmImage(context, film.sha256, "original"));
}

/** The log omits the file name, which may contain the patient's name. */
function warnAboutDuplicateUid(context: DesktopContext, name: string): void {
  const failure = failureOf(new AppError("INVALID_DICOM", because("uidTaken")));
  context.reportFault({ ...failure, name });
}

export async function frameThumbnail(context: DesktopContext, film: FilmRow, frameIndex: number): Promise<Buffer> {
  return thumbnailOf(
    await openRadiograph(context.dicom, await readFilmImage(context, film.sha256, "original"), { frameIndex }),
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

function cleanFileName(name: string): string {
  const cleaned = path.posix
    .basename(name.replaceAll("\\", "/"))
    .replace(/[\u0000-\u001f\u007f]/g, "")
    .trim()
    .slice(0, 255);
  return cleaned === "" ? "film" : cleaned;
}
