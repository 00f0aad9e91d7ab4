import type { PictureSize } from "../../../core/cardiac/points.ts";
import type { ElementValues } from "../../dicom/elements/dicom-elements.ts";
import type { ReferencedFilm } from "../../dicom/results/result-subject.ts";
import { keyObjectSelection } from "../../dicom/results/key-object-selection.ts";
import { annotatedCapture, filmCapture, type Compression } from "../../dicom/results/secondary-capture.ts";
import { measurementReport } from "../../dicom/results/measurement-report.ts";
import { presentationState } from "../../dicom/presentation/presentation-state.ts";
import type { ResultFile } from "../../dicom/results/result-file.ts";
import type { ResultsContext } from "./results-context.ts";
import type { DicomReader } from "../../dicom/dicom-reader.ts";
import { drawReading } from "./drawn-reading.ts";
import { filmPixels } from "../worklist/film-pixels.ts";
import { isJpeg } from "../../imaging/decoding/decoding-bytes.ts";
import { pixelAspect, squareSpacing } from "../../dicom/pixel-grid.ts";
import { readFilmOfResults, type FilmOfResults } from "./film-of-results.ts";

export type ResultObjectFile = Pick<ResultFile, "sopClassUid" | "sopInstanceUid" | "bytes"> & {
  readonly fileName: string;
};

export const filmFileName = "film.dcm";

/**
 * Builds a film's results as DICOM files. The film itself precedes them unless it is a DICOM object that they can
 * reference.
 *
 * @throws AppError NOT_FOUND for a missing film or image, CONFLICT without a reading
 */
export async function makeResultObjects(context: ResultsContext, filmId: string): Promise<readonly ResultObjectFile[]> {
  return resultObjectsOf(context.dicom, await readFilmOfResults(context, filmId));
}

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
  const keyObjects = keyObjectSelection(subject, film);
  return [
    ...(capture ? [named(filmFileName, capture.file)] : []),
    named("annotated.dcm", annotatedCapture(subject, film, drawn)),
    named("report.dcm", measurementReport(subject, film)),
    ...(graphics ? [named("graphics.dcm", graphics)] : []),
    ...(keyObjects ? [named("key-objects.dcm", keyObjects)] : []),
  ];
}

/** Builds the DICOM object of a film, which the results of a picture reference. */
export async function filmObjectOf(dicom: DicomReader, of: FilmOfResults): Promise<ResultObjectFile> {
  return named(filmFileName, (await captureFilm(dicom, of)).file);
}

function named(fileName: string, { sopClassUid, sopInstanceUid, bytes }: ResultFile): ResultObjectFile {
  return { fileName, sopClassUid, sopInstanceUid, bytes };
}

type Capture = { readonly file: ResultFile; readonly film: ReferencedFilm };

async function captureFilm(dicom: DicomReader, of: FilmOfResults): Promise<Capture> {
  const { subject, rectified, original } = of;
  const picture = rectified ?? original;
  const pixels = await filmPixels(dicom, picture, of.film.frameIndex);
  const size = { widthPx: pixels.widthPx, heightPx: pixels.heightPx };
  const source = of.pixelSource ?? subject.source;
  const ofPicture = isJpeg(picture) ? { ratio: pixels.data.length / picture.length } : null;
  const file = filmCapture(subject, pixels, {
    compression: of.compression ?? ofPicture ?? (source && compressionIn(source)),
    // The file's pixel attributes do not apply to a rectified photograph.
    spacing: source && !rectified ? squareSpacing(source, storedSize(source)) : null,
    isRectified: rectified !== null,
  });
  const said = await dicom.source(file.bytes);
  return { file, film: { ...file, frameNumber: null, size, pixelAspect: 1, said } };
}

/** @see DICOM PS3.3 C.7.6.1.1.5 */
function compressionIn(source: ElementValues): Compression | null {
  if (source.text("00282110") !== "01") return null;
  return { ratio: source.number("00282112"), method: source.text("00282114") };
}

function storedSize(source: ElementValues): PictureSize {
  return { widthPx: source.number("00280011") ?? 0, heightPx: source.number("00280010") ?? 0 };
}

/** Returns null for a picture, and for a file without a SOP Instance UID. */
function referenceToSource({ subject: { source }, film }: FilmOfResults): ReferencedFilm | null {
  const [sopClassUid, sopInstanceUid, seriesInstanceUid] = ["00080016", "00080018", "0020000E"].map(
    (tag) => source?.text(tag) ?? null,
  );
  if (!sopClassUid || !sopInstanceUid || !seriesInstanceUid || !source?.has("0020000D")) return null;
  const frameNumber = (source.number("00280008") ?? 1) > 1 ? film.frameIndex + 1 : null;
  return {
    sopClassUid,
    sopInstanceUid,
    seriesInstanceUid,
    frameNumber,
    size: storedSize(source),
    pixelAspect: pixelAspect(source),
    said: source,
  };
}
