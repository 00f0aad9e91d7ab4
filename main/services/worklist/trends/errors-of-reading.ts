import type { PracticeErrors } from "../../../../core/cardiac/agreement/same-day.ts";
import { scoreErrorsOf, type ScoreErrors } from "../../../../core/cardiac/agreement/score-errors.ts";
import type { ReadingRow } from "../../../store/films/readings.ts";
import { readingDetail } from "../readings/reading-detail.ts";

const errorParts = readingDetail.pick({ score: true, intervals: true, repeatErrors: true, provenance: true });

export function errorsOfReading(reading: ReadingRow | undefined, practice?: PracticeErrors): ScoreErrors | null {
  const errors = reading && scoreErrorsOf({ ...reading, ...errorParts.parse(JSON.parse(reading.detail)) });
  return errors ? { ...errors, practice } : null;
}
