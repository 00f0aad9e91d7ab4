import { roundScore } from "../../../core/cardiac/heart-score.ts";
import { isBillable } from "../../../core/cardiac/result-codes.ts";
import type { RadiographMeasurement } from "../../../core/cardiac/radiograph-measurement.ts";
import type { ScoreInterval } from "../../../core/cardiac/score-intervals.ts";
import type { Details } from "../../../core/contract/v3/predict.ts";
import type { DecodedImage } from "../../imaging/decode-image.ts";
import { processedLongestSidePx } from "../../imaging/processed-size.ts";
import { straightenedFilm } from "../measuring/rectified-film.ts";

type DetailedImage = { readonly image: DecodedImage | null; readonly measurement: RadiographMeasurement };

/** Returns details beyond the specification. */
export async function detailsOf({ image, measurement }: DetailedImage): Promise<Details> {
  if (measurement.kind !== "measured") return { vhs_interval: null, vlas_interval: null, review_reasons: [] };
  const { intervals, resultCode, reviewReasons, corners } = measurement;
  const film = image && corners && (await straightenedFilm(image, corners, { longestSidePx: processedLongestSidePx }));
  const shown = isBillable(resultCode) ? intervals : null;
  return {
    vhs_interval: intervalItem(shown?.vhs, shown?.coverage),
    vlas_interval: intervalItem(shown?.vlas, shown?.coverage),
    review_reasons: reviewReasons.map(({ kind, value, limit }) => ({ reason: kind, value, limit })),
    ...(film && { rectified_image: (await film.toJpeg()).toString("base64") }),
  };
}

function intervalItem(interval: ScoreInterval | null | undefined, coverage = 0): Details["vhs_interval"] {
  return interval ? { low: roundScore(interval.low), high: roundScore(interval.high), coverage } : null;
}
