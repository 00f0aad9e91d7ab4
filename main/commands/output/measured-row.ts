import { csvLine, type CsvCell } from "../../../core/csv-text.ts";
import type { ReasonToLeaveAlone } from "../../../core/cardiac/left-alone.ts";
import { landmarkNames } from "../../../core/cardiac/landmarks.ts";
import { roundScore } from "../../../core/cardiac/heart-score.ts";
import type { Point } from "../../../core/cardiac/points.ts";
import type { ScoreInterval } from "../../../core/cardiac/score-intervals.ts";
import { networkMeasures, type NetworkMeasureName } from "../../../core/cardiac/measures/measures.ts";
import { isBillable } from "../../../core/cardiac/result-codes.ts";
import { packColumns, packFacts } from "../../../core/cardiac/verdict/provenance.ts";
import type { RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
import type { DecodedImage } from "../../imaging/decode-image.ts";
import { predictionValues } from "../../services/calls/predict.ts";

type NetworkValues = { readonly [Name in NetworkMeasureName]: number | null };

/** Result for one image: the fields of the API under the same names, and the ruler. */
export type MeasuredRow =
  | (ReturnType<typeof rowOf> & {
      /** For a DICOM file with several frames: this frame's number, from 1, and their count. */
      readonly frame?: number;
      readonly frames?: number;
      readonly notices?: readonly string[];
    })
  /** A film that was not measured because of its DICOM header. */
  | { readonly file: string; readonly left_alone: ReasonToLeaveAlone }
  | { readonly file: string; readonly error: string };

const valueColumns = [
  "file",
  "width",
  "height",
  ...networkMeasures.map(({ name }) => name),
  "spread",
  "model_confidence",
  "result_code",
  "pop_detected",
] as const;
const landmarkColumns = landmarkNames.flatMap((name) => [`${name} x`, `${name} y`]);

const columns = [
  ...valueColumns,
  ...landmarkColumns,
  ...["ruler", "frame", "frames", "left_alone", "error", "is_clinically_validated"],
  ...packColumns,
  "notices",
];

export const csvHeader = csvLine(columns);

export function rowOf(file: string, image: DecodedImage, measurement: RadiographMeasurement) {
  const predicted = measurement.kind === "rejected" ? nothing : predictionValues(measurement);
  const { prediction, model_confidence } = predicted;
  const isMeasured = measurement.kind === "measured";
  const hasScore = isMeasured && isBillable(measurement.resultCode);
  const disagreement = isMeasured ? measurement.disagreement : null;
  const { widthPx, heightPx, provenance } = measurement;
  const released = packFacts(provenance);
  const shares = (points: readonly Point[]) =>
    points.map(({ x, y }) => [share(x, widthPx), share(y, heightPx)] as const);
  const bounds = (interval: ScoreInterval | null | undefined) =>
    interval ? ([roundScore(interval.low), roundScore(interval.high)] as const) : null;
  return {
    file,
    // Of the upright picture [px].
    width: image.fullWidthPx,
    height: image.fullHeightPx,
    ...(Object.fromEntries(networkMeasures.map(({ name }) => [name, predicted[name]])) as NetworkValues),
    spread: isMeasured ? measurement.spread : null,
    // Mean heat-map sharpness, 0–1, which determines the tier of a photograph.
    sharpness: isMeasured && measurement.popDetected ? share(measurement.sharpness, 1) : null,
    model_confidence,
    result_code: measurement.resultCode,
    // As in the API: false for a photograph in which no film was found.
    pop_detected: isMeasured && measurement.popDetected,
    prediction,
    // Vertebral edges from Vertebra A to Vertebra B, as fractions of width and height (for a photograph, of its film).
    ruler: isMeasured && prediction.length > 0 ? shares(measurement.ruler.edges) : [],
    // Disagreement of the networks about the score [v]; null if unknown (core/cardiac/disagreement.ts).
    votes_apart: rounded(disagreement?.votesApart),
    looks_apart: rounded(disagreement?.looksApart),
    // Direction of the alternative T4, one vertebra away, if its label is uncertain.
    t4_otherwise: (isMeasured && measurement.otherCount?.direction) || null,
    // [low, high] that contain the score with the probability of the pack's calibration; null without one.
    vhs_interval: bounds(hasScore ? measurement.intervals?.vhs : null),
    vlas_interval: bounds(hasScore ? measurement.intervals?.vlas : null),
    // Not in the API; the page proposes it if the pack states its interval.
    rlad: hasScore ? roundScore(measurement.rlad?.value ?? null) : null,
    rlad_interval: bounds(hasScore ? measurement.intervals?.rlad : null),
    is_clinically_validated: provenance.isClinicallyValidated,
    pack: released.pack,
    pack_version: released.packVersion,
    pack_released_by: released.packReleasedBy,
    pack_publisher: released.packPublisher,
  };
}

export function failedRow(file: string, error: string): MeasuredRow {
  return { file, error };
}

export function unmeasuredRow(file: string, reason: ReasonToLeaveAlone): MeasuredRow {
  return { file, left_alone: reason };
}

export function csvRowOf(row: MeasuredRow): string {
  const cells: Readonly<Record<string, unknown>> = "prediction" in row ? { ...row, ...cellsOf(row) } : row;
  return csvLine(columns.map((column) => cells[column] as CsvCell));
}

function cellsOf({ prediction, ruler, notices = [] }: Extract<MeasuredRow, { readonly prediction: unknown }>) {
  const places = prediction.flatMap(({ x, y }) => [x, y]);
  return {
    ...Object.fromEntries(landmarkColumns.map((column, index) => [column, places[index]])),
    ruler: ruler.map((edge) => edge.join(" ")).join("; "),
    notices: notices.join("; "),
  };
}

const nothing = { vhs: null, vlas: null, prediction: [], model_confidence: "review" } as const;

function share(px: number, sidePx: number): number {
  return Math.round((px / sidePx) * 1e6) / 1e6;
}

function rounded(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : share(value, 1);
}
