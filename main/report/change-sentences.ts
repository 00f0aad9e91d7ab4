import { changeBetween } from "../../core/cardiac/agreement/change.ts";
import { changeText } from "../../core/cardiac/agreement/change-text.ts";
import { scoreErrorsOf } from "../../core/cardiac/agreement/score-errors.ts";
import { hasScore } from "../../core/cardiac/agreement/told-readings.ts";
import { networkMeasures } from "../../core/cardiac/measures/measures.ts";
import { valueBefore } from "../../core/cardiac/reference/trend.ts";
import { seriesOf } from "../../core/contract/desktop/trend-series.ts";
import type { Sheet } from "./sheet.ts";

/** Change of each measure since the visit before this film, and whether it is noise; empty without an earlier visit. */
export function changeSentences({ words, handOut }: Pick<Sheet, "words" | "handOut">): readonly string[] {
  const { reading, takenAt, trend } = handOut;
  if (takenAt === null || !hasScore(reading)) return [];
  return networkMeasures.flatMap(({ name, label }) => {
    const value = reading.score?.[name] ?? null;
    const before = valueBefore(seriesOf(trend, name), takenAt.getTime());
    if (value === null || !before) return [];
    const change = changeText(changeBetween(name, before, { value, errors: scoreErrorsOf(reading) }), words);
    const date = words.date(new Date(before.atMs));
    return [`${label} ${words.say("change.since", { change, date })}`];
  });
}
