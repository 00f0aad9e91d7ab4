import { expect, test } from "vitest";
import { reason, reviewReasonKinds, type ReviewReason } from "../../../core/cardiac/confidence.ts";
import { reviewReasonText } from "../../../core/cardiac/verdict/review-reason-text.ts";
import type { Language } from "../../../core/language/languages.ts";
import { sayIn } from "../../../core/language/say.ts";

const text = (of: ReviewReason, language: Language) =>
  reviewReasonText(of, sayIn(language), (value, decimals) =>
    value.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  );

test("formats value, limit and unit of a reason, with one more decimal for the value", () => {
  const scatter = reason("member_scatter", 0.1132, 0.11);
  expect([text(scatter, "en"), text(scatter, "de")]).toEqual([
    "The networks disagree on the score by about 0.113 v, review from 0.11 v.",
    "Die Netze sind sich über den Wert nicht einig: Abweichung etwa 0,113 v, zu prüfen ab 0,11 v.",
  ]);
  expect(text(reason("spread", 0.008_34, 0.008), "en")).toContain(
    "spread 0.0083 of the film’s longest side, review from 0.008",
  );
  expect(text(reason("axes_angle", 62.6, 15), "en")).toContain("at 62.6°, more than 15° from");
  expect(text(reason("short_ruler", 5, 5.19), "de")).toContain("(5 v) ist nicht länger als die Querachse (5,19 v)");
  expect([text(reason("no_score"), "en"), text(reason("no_vlas"), "de")]).toEqual([
    "The points found give no VHS between 4 and 20 v.",
    "Die gefundenen Punkte ergeben keinen VLAS zwischen 0,5 und 6 v.",
  ]);
});

test("fills every placeholder of every reason", () => {
  for (const kind of reviewReasonKinds) expect(text(reason(kind, 1, 2), "de")).not.toMatch(/[{}]/);
});
