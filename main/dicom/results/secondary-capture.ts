import type { PictureSize } from "../../../core/cardiac/points.ts";
import type { SampleWindow } from "../../imaging/sample-window.ts";
import type { PixelSpacing } from "../pixel-grid.ts";
import { codes, codeSequence } from "./content/codes.ts";
import { imageReference } from "./content/content-items.ts";
import { localDateTime, numbers, sequence, text, uid, words, type DataSet } from "./data-set.ts";
import { copied, equipmentModule, patientModule, requestAttributes, studyModule } from "./modules.ts";
import { resultFile, type ResultFile } from "./result-file.ts";
import { isClinicallyValidated } from "../../../core/cardiac/agreement/reported-readings.ts";
import { countingReading, type ReferencedFilm, type ResultSubject } from "./result-subject.ts";
import { sopClasses, uidOf } from "./uids.ts";
import { packedReadings } from "./packed-readings.ts";

/** Row-major; two bytes each, little-endian, above 8 bits. `window`: null if unspecified. */
export type GreySamples = PictureSize & {
  readonly data: Uint8Array;
  readonly bits: number;
  readonly window: SampleWindow | null;
};
/** Red, green, blue, row-major, 0–255. */
export type ColourSamples = PictureSize & { readonly data: Uint8Array };
/** Lossy compression in the history of a picture. An absent method means JPEG; null: unknown. */
export type Compression = { readonly ratio: number | null; readonly method?: string | null };

type CaptureFacts = {
  readonly compression: Compression | null;
  readonly spacing: PixelSpacing | null;
  readonly isRectified: boolean;
};

/**
 * Converts a film opened as a picture into an object that other results can refer to.
 *
 * @param compression  compression of the original file, null if lossless
 */
export function filmCapture(
  subject: ResultSubject,
  film: GreySamples,
  { compression, spacing, isRectified }: CaptureFacts,
): ResultFile {
  const dataSet: DataSet = {
    ...captureModules(subject, subject.takenAt),
    ...greyPixels(film),
    "00080008": words(isRectified ? "DERIVED" : "ORIGINAL", "SECONDARY"),
    "00080060": words("DX"),
    "0008103E": text("LO", "Film"),
    "0020000E": uid(uidOf("series", "film", subject.imageSha256, subject.patient?.id ?? "")),
    "00200011": numbers("IS", 1),
    ...(spacing && {
      [spacing.kind === "imager" ? "00181164" : "00280030"]: numbers("DS", spacing.rowMm, spacing.columnMm),
    }),
    "00282110": words(compression ? "01" : "00"),
    ...(compression && {
      ...(compression.ratio !== null && { "00282112": numbers("DS", Math.round(compression.ratio * 100) / 100) }),
      ...(compression.method !== null && { "00282114": words(compression.method ?? "ISO_10918_1") }),
    }),
    ...(isRectified && { "00082111": text("ST", "Film rectified from a photograph of a screen") }),
  };
  return resultFile("film", dataSet);
}

/** Draws the measurement on a picture of the film. Private elements contain the readings, which opening restores. */
export function annotatedCapture(subject: ResultSubject, film: ReferencedFilm, drawn: ColourSamples): ResultFile {
  const source = { ...imageReference(film), "0040A170": codeSequence(codes.sourceImage) };
  const dataSet: DataSet = {
    ...captureModules(subject, new Date(countingReading(subject).at)),
    ...colourPixels(drawn),
    "00080008": words("DERIVED", "SECONDARY"),
    "00080060": words("OT"),
    "0008103E": text("LO", "Heart measurement, annotated"),
    "00082111": text(
      "ST",
      `Heart measurement drawn on the film by Corvet ${subject.programVersion}, ${validation(subject)}`.slice(
        0,
        maxShortTextLetters,
      ),
    ),
    "00082112": sequence(source),
    "0020000E": uid(uidOf("series", "picture", film.sopInstanceUid)),
    "00200011": numbers("IS", 9902),
    // The drawn values are burned in; those of a de-identified film identify no patient.
    "00280301": words(subject.deidentification ? "NO" : "YES"),
    ...(film.said && copied(film.said, { "00282110": "CS", "00282112": "DS", "00282114": "CS" })),
    ...packedReadings(film, subject),
  };
  return resultFile("picture", dataSet);
}

/** Maximum length of an ST value. @see DICOM PS3.5 6.2 */
const maxShortTextLetters = 1024;

function validation(subject: ResultSubject): string {
  if (!isClinicallyValidated(subject)) return "not clinically validated";
  const released = subject.readings.flatMap(({ provenance }) =>
    provenance?.release ? [`${provenance.release.releasedBy} (${provenance.release.publisher})`] : [],
  );
  return ["clinically validated", ...new Set(released.map((who) => `released by ${who}`))].join(", ");
}

function captureModules(subject: ResultSubject, at: Date | null): DataSet {
  const { date, time } = at ? localDateTime(at, subject.source) : { date: text("DA", null), time: text("TM", null) };
  return {
    ...patientModule(subject),
    ...studyModule(subject),
    ...equipmentModule(subject),
    ...requestAttributes(subject),
    "00080016": uid(sopClasses.secondaryCapture),
    "00080023": date,
    "00080033": time,
    "00080064": words("WSD"),
    "00180015": words("CHEST"),
    "00181016": text("LO", "Corvet"),
    "00181018": text("LO", "Corvet"),
    "00181019": text("LO", subject.programVersion),
    "00200013": numbers("IS", 1),
    "00200020": text("CS", null),
  };
}

function greyPixels({ data, widthPx, heightPx, bits, window }: GreySamples): DataSet {
  return {
    ...picture(widthPx, heightPx, bits),
    "00280002": numbers("US", 1),
    "00280004": words("MONOCHROME2"),
    ...(window && {
      "00281050": numbers("DS", window.centre),
      "00281051": numbers("DS", window.width),
      "00281056": words("LINEAR_EXACT"),
    }),
    "7FE00010": { vr: bits > 8 ? "OW" : "OB", Value: [bufferOf(data)] },
  };
}

function colourPixels({ data, widthPx, heightPx }: ColourSamples): DataSet {
  return {
    ...picture(widthPx, heightPx, 8),
    "00280002": numbers("US", 3),
    "00280004": words("RGB"),
    "00280006": numbers("US", 0),
    "7FE00010": { vr: "OB", Value: [bufferOf(data)] },
  };
}

function picture(widthPx: number, heightPx: number, bits: number): DataSet {
  const size = { "00280010": numbers("US", heightPx), "00280011": numbers("US", widthPx) };
  return {
    ...size,
    "00280100": numbers("US", bits > 8 ? 16 : 8),
    "00280101": numbers("US", bits),
    "00280102": numbers("US", bits - 1),
    "00280103": numbers("US", 0),
  };
}

function bufferOf(data: Uint8Array): ArrayBuffer {
  return new Uint8Array(data).buffer;
}
