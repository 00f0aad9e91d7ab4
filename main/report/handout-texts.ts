import type { ReviewReason } from "../../core/cardiac/confidence.ts";
import type { ReferenceRange, ReferenceSource } from "../../core/cardiac/reference/reference-range.ts";
import { sourceParts } from "../../core/cardiac/reference/reference-words.ts";
import { reviewReasonText } from "../../core/cardiac/verdict/review-reason-text.ts";
import { edgesOutsideText } from "../../core/cardiac/drawing/within-picture.ts";
import type { Reading } from "../../core/contract/desktop/readings.ts";
import { languages, type Language } from "../../core/language/languages.ts";
import { sayIn, type Say } from "../../core/language/say.ts";
import { hasScore } from "../../core/cardiac/agreement/reported-readings.ts";

export type Words = {
  readonly say: Say;
  /** Reason for review, with value, unit and limit. */
  reviewReason(reason: ReviewReason): string;
  /** Note on edges of the ruler outside the film; empty if there are none, or no values. */
  edgesOutside(reading: Reading): string;
  band(band: ReferenceRange["band"]): string;
  source(source: ReferenceSource): string;
  /** With a fixed number of decimals; a dash for null. */
  number(value: number | null, decimals: number): string;
  date(at: Date): string;
  dateTime(at: Date): string;
};

export function wordsOf(language: Language): Words {
  const say = sayIn(language);
  const { locale } = languages[language];
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const times = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const number: Words["number"] = (value, decimals) =>
    value === null
      ? "–"
      : new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
          value,
        );
  return {
    say,
    reviewReason: (reason) => reviewReasonText(reason, say, number),
    edgesOutside: (reading) =>
      (hasScore(reading) && reading.ruler ? edgesOutsideText(reading.ruler.edges, reading.frame, say) : null) ?? "",
    band: (band) => say(`reference.band_${band}`),
    source: (source) => sourceParts(source, say).join(", "),
    number,
    date: (at) => dates.format(at),
    dateTime: (at) => `${dates.format(at)}, ${times.format(at)}`,
  };
}
