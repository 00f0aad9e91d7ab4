import type { ReviewReason } from "../../../../core/cardiac/confidence.ts";
import { reviewReasonText } from "../../../../core/cardiac/verdict/review-reason-text.ts";
import { sayIn } from "../../../../core/language/say.ts";
import { codes, type Code } from "./codes.ts";
import { codedItem, numberItem, textItem } from "./content-items.ts";
import type { DataSet } from "../data-set.ts";

export const reviewReasonCodes: Readonly<Record<ReviewReason["kind"], Code>> = {
  no_score: codes.noScore,
  fallback_ruler: codes.rulerFallback,
  spread: codes.spread,
  member_scatter: codes.memberScatter,
  no_vlas: codes.noVlas,
  axes_angle: codes.axesAngle,
  short_ruler: codes.shortRuler,
  geometry: codes.geometry,
  outside_film: codes.outsideFilm,
  small_thorax: codes.smallThorax,
  film_border: codes.filmBorder,
  blurred: codes.blurred,
  pixel_shape: codes.pixelShape,
};

export function reviewReasonItems(reasons: readonly ReviewReason[]): DataSet[] {
  return reasons.map((reason) => {
    const { kind, value, limit } = reason;
    const number = (name: Code, of: number | null) =>
      of === null ? [] : [numberItem("HAS PROPERTIES", name, of, unitOf(kind))];
    const words = textItem("HAS PROPERTIES", codes.comment, englishReason(reason));
    return codedItem("CONTAINS", codes.reviewReason, reviewReasonCodes[kind], [
      words,
      ...number(codes.figure, value),
      ...number(codes.limit, limit),
    ]);
  });
}

export function englishReason(reason: ReviewReason): string {
  return reviewReasonText(reason, sayIn("en"), (value, decimals) => value.toFixed(decimals));
}

function unitOf(kind: ReviewReason["kind"]): Code {
  if (kind === "spread") return codes.unitless;
  return kind === "axes_angle" ? codes.degrees : codes.perVertebra;
}
