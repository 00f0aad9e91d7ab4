import { AppError, because } from "../../../core/app-error.ts";
import { filmScale } from "../../../core/annotations/film-scale.ts";
import type { AnimalInFile } from "../../../core/cardiac/reference/compared-animal.ts";
import { isOnRectified, isSameCrop, type Picture } from "../../../core/cardiac/picture-of-points.ts";
import type { DicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import { isDicom } from "../../dicom/dicom-file.ts";
import type { ElementValues } from "../../dicom/elements/dicom-elements.ts";
import type { Compression } from "../../dicom/results/secondary-capture.ts";
import type { FilmDrawings, ResultSubject } from "../../dicom/results/result-subject.ts";
import { processedSizePx } from "../../imaging/processed-size.ts";
import type { ReadableDb } from "../../store/connection.ts";
import { getFilm, type FilmRow } from "../../store/films/films.ts";
import { numberOfPatient } from "../../store/films/patients.ts";
import { getSetting, ownRangesSetting } from "../../store/settings.ts";
import type { ResultsContext } from "./results-context.ts";
import { readFilmImage } from "../desktop/film-images.ts";
import { latestAnnotations } from "../worklist/drawings/annotations.ts";
import { isNamedByFile } from "./film-identity.ts";
import { orderOfFilm } from "../worklist/orders/taken-orders.ts";
import { getFilmView } from "../worklist/film-view.ts";
import { shownPicture } from "../worklist/readings/shown-picture.ts";
import { resultTextOf } from "./result-text.ts";
import { getTrend } from "../worklist/trends/trends.ts";

export type FilmOfResults = {
  readonly film: Pick<FilmRow, "fileName" | "frameIndex">;
  readonly subject: ResultSubject;
  /** The file as opened. */
  readonly original: Uint8Array;
  /** If the points refer to it. */
  readonly rectified: Uint8Array | null;
  /** Pixel attributes of a file that identifies another animal, for which `subject.source` is null. */
  readonly pixelSource?: ElementValues | null;
  /** Compression of the film's file, if `original` is a decoded copy. */
  readonly compression?: Compression | null;
};

/** @throws AppError NOT_FOUND for a missing film or image, CONFLICT without a reading */
export async function readFilmOfResults(context: ResultsContext, filmId: string): Promise<FilmOfResults> {
  const of = await readFilm(context, filmId);
  if (of.subject.readings.length === 0) throw new AppError("CONFLICT", because("filmNotMeasured"));
  const { patient } = of.subject;
  const trend = patient === null ? [] : (await getTrend(context, patient.id)).points;
  return { ...of, subject: { ...of.subject, trend } };
}

/**
 * Readings may be empty; the trend is missing. A DICOM film assigned to a patient other than its file's is treated as a
 * picture, without patient, study and order of the file.
 *
 * @throws AppError NOT_FOUND
 */
export async function readFilm(context: ResultsContext, filmId: string): Promise<FilmOfResults> {
  const of = await readWithFile(context, filmId);
  const { source, patient } = of.subject;
  if (source === null || patient === null || (await isNamedByFile(context.db, filmId, patient))) return of;
  const numbered = { ...patient, uuid: await numberOfPatient(context.db, patient) };
  return { ...of, subject: { ...of.subject, source: null, patient: numbered }, pixelSource: source };
}

async function readWithFile(context: ResultsContext, filmId: string): Promise<FilmOfResults> {
  const { db, programVersion } = context;
  const film = await getFilm(db, filmId);
  const resultText = await resultTextOf(db, film);
  const { dicom } = await getFilmView(db, film.id);
  const original = await readFilmImage(context, film.sha256, "original", film.frameIndex);
  const isPhotograph = isOnRectified(resultText.readings.at(-1) ?? null, film);
  const subject = {
    ...resultText,
    animalInFile: dicom && animalOf(dicom),
    source: isDicom(original) ? await context.dicom.source(original) : null,
    imageSha256: film.sha256,
    order: await orderOfFilm(db, film),
    // The file's pixel attributes do not apply to a rectified photograph.
    drawings: isPhotograph
      ? await drawingsOf(db, film, await shownPicture(db, film), null)
      : await drawingsOf(db, film, { frame: processedSizePx(film), corners: null }, dicom?.spacing ?? null),
    ownRanges: await getSetting(db, ownRangesSetting),
    programVersion,
  };
  return {
    film,
    subject,
    original,
    rectified: isPhotograph ? await readFilmImage(context, film.sha256, "rectified", film.frameIndex) : null,
  };
}

export function animalOf({ patient: { species, breed } }: Pick<DicomInstance, "patient">): AnimalInFile {
  return { species, breed };
}

async function drawingsOf(
  db: ReadableDb,
  film: FilmRow,
  picture: Picture,
  spacing: Parameters<typeof filmScale>[0],
): Promise<FilmDrawings | null> {
  const version = await latestAnnotations(db, film.id);
  if (version === null || version.set.annotations.length === 0 || !isSameCrop(version.set.corners, picture.corners))
    return null;
  const { set } = version;
  return { ...version, scale: filmScale(spacing, film, set.frame, set.calibration) };
}
