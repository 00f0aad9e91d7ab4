import { changeText } from "../../core/cardiac/agreement/change-text.ts";
import { measures } from "../../core/cardiac/measures/measures.ts";
import { changeToReading } from "../../core/contract/desktop/trends/trend-series.ts";
import type { Sheet } from "./sheet.ts";

export function changeSentences({ words, handout }: Pick<Sheet, "words" | "handout">): readonly string[] {
  const { reading, takenAt, trend } = handout;
  return measures.flatMap(({ name, label }) => {
    const change = changeToReading(reading, takenAt, trend, name);
    if (!change) return [];
    const date = words.date(new Date(change.fromMs));
    return [`${label} ${words.say("change.since", { change: changeText(change, words), date })}`];
  });
}

/** In words for the owner. Empty without a previous visit, or if it is unknown whether the change is noise. */
export function changeInPlainWords({ words, handout }: Pick<Sheet, "words" | "handout">): string {
  const { reading, takenAt, trend } = handout;
  const found = changeToReading(reading, takenAt, trend, "vhs");
  if (!found || found.isBeyondNoise === null) return "";
  const direction = found.change > 0 ? "larger" : "smaller";
  const date = words.date(new Date(found.fromMs));
  return words.say(`handout.heart_${found.isBeyondNoise ? direction : "unchanged"}`, { date });
}
