import { hasScore } from "../../../core/cardiac/agreement/reported-readings.ts";
import { valuesOf } from "../../../core/cardiac/measures/measures.ts";
import { localDay } from "../../../core/local-day.ts";
import { sayIn } from "../../../core/language/say.ts";
import { edgesOutsideText } from "../../../core/cardiac/drawing/within-picture.ts";
import type { Reading } from "../../../core/contract/desktop/readings.ts";
import type { DicomReader } from "../../dicom/dicom-reader.ts";
import { englishReason } from "../../dicom/results/content/review-reason-items.ts";
import { verdictMeanings } from "../../dicom/results/measurement-group.ts";
import { lumaOf } from "../../imaging/pixel-colours.ts";
import { drawAnnotations, type Drawings } from "../measuring/annotation-drawing.ts";
import type { AxisNames, PaperMarks } from "../measuring/measurement-drawing.ts";
import { openRadiograph } from "../measuring/open-radiograph.ts";
import { sourceWords, spreadWords, tierStanding, type Strip } from "../measuring/measurement-strip.ts";
import { drawOnFilm, type DrawnFilm } from "../measuring/render.ts";

/** Sharp on paper and on a diagnostic display. */
export const drawnLongestSidePx = 2000;

/** `unitPx` returns film pixels per point. */
export type OnPaper = {
  readonly letterPt: number;
  readonly linePt: number;
  unitPx(film: { readonly widthPx: number; readonly heightPx: number }): number;
};

/** @param picture   file of the film that the points refer to @param readings  versions, the current one last */
export async function drawReading(
  dicom: DicomReader,
  picture: Uint8Array,
  readings: readonly Reading[],
  options: {
    readonly frameIndex: number;
    readonly isWithStrip: boolean;
    readonly names?: AxisNames;
    readonly drawings?: Drawings | null | undefined;
    /** English by default. */
    readonly write?: (value: number, digits: number) => string;
    readonly onPaper?: OnPaper;
  },
): Promise<DrawnFilm> {
  const { drawings, write } = options;
  const counting = readings.at(-1) as Reading;
  const image = await openRadiograph(dicom, picture, { frameIndex: options.frameIndex });
  const { data, widthPx, heightPx } = await image.fullColour(drawnLongestSidePx);
  const { heart, ruler, score, frame } = counting;
  const paper = options.onPaper ? paperMarks(options.onPaper, { widthPx, heightPx }) : null;
  const drawn =
    hasScore(counting) && heart && ruler && score
      ? {
          heart,
          ruler,
          score,
          ...(options.names && { names: options.names }),
          ...(paper && { paper }),
        }
      : null;
  return drawOnFilm(
    { grey: lumaOf(data), widthPx, heightPx },
    {
      drawn,
      frame,
      strip: options.isWithStrip ? stripOfReadings(readings) : null,
      over: (canvas) =>
        drawings ? drawAnnotations(drawings, canvas, write ?? ((value, digits) => value.toFixed(digits)), paper) : "",
    },
  );
}

function paperMarks(onPaper: OnPaper, film: { readonly widthPx: number; readonly heightPx: number }): PaperMarks {
  const unitPx = onPaper.unitPx(film);
  return { letterPx: onPaper.letterPt * unitPx, linePx: onPaper.linePt * unitPx };
}

const noScore = {
  ...valuesOf(() => null),
  longAxisVertebrae: null,
  shortAxisVertebrae: null,
  axesAngleDeg: 0,
  areAxesPerpendicular: false,
  isGeometryValid: false,
} as const;
/** Neutral, since a signed reading has no confidence tier. */
const personColour = "#dde3e8";

export function stripOfReadings(readings: readonly Reading[]): Strip {
  const counting = readings.at(-1) as Reading;
  const { verdict, rejectionReason, who, at, tier, spread, score } = counting;
  const why = rejectionReason ? ` (${sayIn("en")(`result.rejection_${rejectionReason}`)})` : "";
  const provenance = readings.findLast((reading) => reading.provenance)?.provenance;
  const standing = verdict
    ? { words: `${verdictMeanings[verdict]} by ${who ?? ""}, ${localDay(new Date(at))}${why}`, colour: personColour }
    : tier
      ? tierStanding(tier)
      : { words: "No values", colour: personColour };
  return {
    score: hasScore(counting) && score ? score : noScore,
    standing,
    notes: hasScore(counting) ? notesOf(counting) : [],
    how: verdict === null && spread !== null ? spreadWords(spread) : "",
    source: provenance ? sourceWords(provenance) : counting.heart ? "Points placed by hand." : "Not measured.",
  };
}

function notesOf({ reviewReasons, ruler, frame }: Reading): readonly string[] {
  const outside = ruler && edgesOutsideText(ruler.edges, frame, sayIn("en"));
  return [...reviewReasons.map(englishReason), ...(outside ? [outside] : [])];
}
