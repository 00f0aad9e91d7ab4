import { fillMessage, type Language, type Message } from "../message.ts";
import type { ReviewReason } from "./confidence.ts";
import { vhs } from "./measures/vhs.ts";
import { vlas } from "./measures/vlas.ts";

/** Why a film is to be reviewed, the same on the page, on paper and in DICOM. */
const reviewReasonMessages = {
  no_score: {
    en: "The points found give no VHS between {least} and {most} v.",
    de: "Die gefundenen Punkte ergeben kein VHS zwischen {least} und {most} v.",
  },
  no_vlas: {
    en: "The points found give no VLAS between {least} and {most} v.",
    de: "Die gefundenen Punkte ergeben kein VLAS zwischen {least} und {most} v.",
  },
  fallback_ruler: {
    en: "The vertebrae could not be told apart with certainty, so A–B was divided into six equal parts.",
    de: "Die Wirbel ließen sich nicht sicher trennen; A–B wurde in sechs gleiche Teile geteilt.",
  },
  spread: {
    en: "The networks place the points far apart: spread {value} of the film’s longest side, review from {limit}.",
    de: "Die Netze setzen die Punkte weit auseinander: Streuung {value} der längsten Bildseite, zu prüfen ab {limit}.",
  },
  member_scatter: {
    en: "The networks disagree on the score: their single VHS scatter by {value} v (SD), review above {limit} v.",
    de: "Die Netze sind sich über den Wert uneins: Ihre einzelnen VHS streuen um {value} v (SD), zu prüfen über {limit} v.",
  },
  frame_scatter: {
    en: "The photographs disagree: their VHS scatter by {value} v (SD), review above {limit} v.",
    de: "Die Fotos stimmen nicht überein: Ihre VHS streuen um {value} v (SD), zu prüfen über {limit} v.",
  },
  axes_angle: {
    en: "The networks place the axes at {value}°, more than {limit}° from a right angle.",
    de: "Die Netze setzen die Achsen im Winkel von {value}°, mehr als {limit}° vom rechten Winkel.",
  },
  short_ruler: {
    en: "The ruler from A to B is shorter ({value} v) than the short axis ({limit} v).",
    de: "Das Wirbelmaß von A bis B ist kürzer ({value} v) als die Querachse ({limit} v).",
  },
  geometry: {
    en: "Heart and column do not lie as on a lateral film of the chest.",
    de: "Herz und Wirbelsäule liegen nicht wie auf einer seitlichen Thoraxaufnahme.",
  },
  outside_film: {
    en: "The vertebral ruler or an axis of the heart leaves the film.",
    de: "Das Wirbelmaß oder eine Herzachse reicht über die Aufnahme hinaus.",
  },
} as const satisfies Readonly<Record<ReviewReason["kind"], Message>>;

/** Decimals of a figure and its limit: the figure has one more, so that one a little past the limit is told from it. */
const decimals: Readonly<Partial<Record<ReviewReason["kind"], { readonly value: number; readonly limit: number }>>> = {
  spread: { value: 4, limit: 3 },
  member_scatter: { value: 3, limit: 2 },
  frame_scatter: { value: 2, limit: 1 },
  short_ruler: { value: 0, limit: 2 },
};
const whole = { value: 0, limit: 0 };

/**
 * A reason for a review in words, with its figure, unit and limit.
 *
 * @param number  writes a number with so many decimals as the language does
 */
export function reviewReasonText(
  { kind, value, limit }: ReviewReason,
  language: Language,
  number: (value: number, decimals: number) => string,
): string {
  const digits = decimals[kind] ?? whole;
  const range = (kind === "no_score" ? vhs : vlas).valid;
  return fillMessage(reviewReasonMessages[kind], language, {
    value: number(value ?? 0, digits.value),
    limit: number(limit ?? 0, digits.limit),
    least: number(range.least, kind === "no_score" ? 0 : 1),
    most: number(range.most, 0),
  });
}
