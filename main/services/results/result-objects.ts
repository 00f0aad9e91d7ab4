import type { ReferencedFilm } from "../../dicom/results/result-subject.ts";
import { annotatedCapture, filmCapture } from "../../dicom/results/secondary-capture.ts";
import { measurementReport } from "../../dicom/results/measurement-report.ts";
import { presentationState } from "../../dicom/presentation/presentation-state.ts";
import type { ResultFile } from "../../dicom/results/result-file.ts";
import type { ResultsDesk } from "./results-desk.ts";
import type { DicomReader } from "../../dicom/dicom-reader.ts";
import { drawReading } from "./drawn-reading.ts";
import { filmPixels } from "../worklist/film-pixels.ts";
import { isJpeg } from "../../imaging/decoding/decoding-bytes.ts";
import { pixelAspect } from "../../dicom/pixel-grid.ts";
import { readFilmOfResults, type FilmOfResults } from "./film-of-results.ts";

/** A result with a name for its file. */
export type ResultObjectFile = Pick<ResultFile, "sopClassUid" | "sopInstanceUid" | "bytes"> & {
  readonly fileName: string;
};

/**
 * A film's results as DICOM files: the annotated picture, the structured report and the marks as graphics; before them the film itself, where
 * it was no DICOM object that they could refer to.
 *
 * @throws AppError NOT_FOUND when the film is gone or its image is not kept, CONFLICT when it has no reading
 */
export async function makeResultObjects(context: ResultsDesk, filmId: string): Promise<readonly ResultObjectFile[]> {
  return resultObjectsOf(context.dicom, await readFilmOfResults(context, filmId));
}

/** The same of a film that need not be on a worklist. */
export async function resultObjectsOf(dicom: DicomReader, of: FilmOfResults): Promise<readonly ResultObjectFile[]> {
  const { subject, rectified, original } = of;
  const source = rectified ? null : referenceToSource(of);
  const capture = source ? null : await captureFilm(dicom, of);
  const film = source ?? (capture as Capture).film;
  const drawn = await drawReading(dicom, rectified ?? original, subject.readings, {
    frameIndex: of.film.frameIndex,
    isWithStrip: true,
    drawings: of.subject.drawings,
  });
  const graphics = presentationState(subject, film);
  return [
    ...(capture ? [named("film.dcm", capture.file)] : []),
    named("annotated.dcm", annotatedCapture(subject, film, drawn)),
    named("report.dcm", measurementReport(subject, film)),
    ...(graphics ? [named("graphics.dcm", graphics)] : []),
  ];
}

function named(fileName: string, { sopClassUid, sopInstanceUid, bytes }: ResultFile): ResultObjectFile {
  return { fileName, sopClassUid, sopInstanceUid, bytes };
}

type Capture = { readonly file: ResultFile; readonly film: ReferencedFilm };

async function captureFilm(dicom: DicomReader, of: FilmOfResults): Promise<Capture> {
  const { subject, rectified, original } = of;
  const picture = rectified ?? original;
  const pixels = await filmPixels(dicom, picture, of.film.frameIndex);
  const file = filmCapture(subject, pixels, {
    compression: of.compression ?? (isJpeg(picture) ? { ratio: pixels.data.length / picture.length } : null),
    isRectified: rectified !== null,
  });
  return {
    file,
    film: { ...file, frameNumber: null, size: { widthPx: pixels.widthPx, heightPx: pixels.heightPx }, pixelAspect: 1 },
  };
}

/** The film's own object; null for a picture, and for a DICOM file that does not say which object it is. */
function referenceToSource({ subject: { source }, film }: FilmOfResults): ReferencedFilm | null {
  const [sopClassUid, sopInstanceUid, seriesInstanceUid] = ["00080016", "00080018", "0020000E"].map(
    (tag) => source?.text(tag) ?? null,
  );
  if (!sopClassUid || !sopInstanceUid || !seriesInstanceUid || !source?.has("0020000D")) return null;
  const size = { widthPx: source.number("00280011") ?? 0, heightPx: source.number("00280010") ?? 0 };
  const frameNumber = (source.number("00280008") ?? 1) > 1 ? film.frameIndex + 1 : null;
  return {
    sopClassUid,
    sopInstanceUid,
    seriesInstanceUid,
    frameNumber,
    size,
    pixelAspect: pixelAspect(source),
  };
}
