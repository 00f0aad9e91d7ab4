import type { Reading } from "../../../core/contract/desktop/readings.ts";
import { useCorrection } from "../correction/correction-slice.ts";
import { scoreOfDraft } from "../../film/draft/draft.ts";
import { hasScore, reportedScore } from "../../../core/cardiac/agreement/reported-readings.ts";
import { readingIntervals } from "../../../core/cardiac/agreement/score-errors.ts";

export type ShownResult = ReturnType<typeof useShownResult>;

/** The result of the points being placed, or else of the reading. */
export function useShownResult(reading: Reading | null) {
  const mode = useCorrection((state) => state.mode);
  const draft = useCorrection((state) => state.stack.present);
  const frame = useCorrection((state) => state.frame);
  if (mode !== "none") {
    const live = scoreOfDraft(draft, reading);
    const [score, ruler] = [live?.score ?? null, live?.ruler ?? null];
    return { isWorking: true, score, ruler, frame, points: { heart: draft.heart, frame }, intervals: null };
  }
  return {
    isWorking: false,
    score: reading && reportedScore(reading),
    ruler: reading?.ruler ?? null,
    frame: reading?.frame ?? null,
    points: reading?.heart ? { heart: reading.heart, frame: reading.frame } : null,
    intervals: reading && hasScore(reading) ? readingIntervals(reading) : null,
  };
}
