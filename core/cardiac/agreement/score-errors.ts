import { z } from "zod";
import { measureFields } from "../../contract/desktop/shapes.ts";
import { valuesOf, type MeasureName, type MeasureValues } from "../measures/measures.ts";
import type { Provenance } from "../verdict/provenance.ts";
import type { ScoreInterval, ScoreIntervals } from "../score-intervals.ts";
import { keyOfPack } from "./agreement.ts";
import { isPlacedByPerson } from "./placed-by-person.ts";
import { repeatErrors, type RepeatErrors } from "./repeatability.ts";
import { practiceErrors } from "./same-day.ts";

/** Standard errors of one film's scores [v]; null where unknown. */
export const scoreErrors = z.object({
  /** Key of the pack that placed the points; null for points of a user or an unknown pack. */
  pack: z.string().nullable(),
  /** Errors relative to another reader; RLAD is absent without an interval. */
  full: z.object(measureFields(z.number().nullable())),
  /** Errors between films of one animal measured by this pack; null if the pack states none. */
  repeat: repeatErrors.nullable(),
  /** Errors from the practice's same-day pairs, which replace `repeat`. */
  practice: practiceErrors.optional(),
});

export type ScoreErrors = z.infer<typeof scoreErrors>;

/**
 * Standard error of a VHS measured by hand [v]: 16 observers differed by up to 1.05 v on one film, and the range of 16
 * normally distributed values is 3.53 standard deviations on average. No figure is known for VLAS.
 *
 * @see Hansson et al. 2005, Vet Radiol Ultrasound 46:122–130
 */
const readersVhsError = 1.05 / 3.53;
const errorsByHand: ScoreErrors = { pack: null, full: { vhs: readersVhsError, vlas: null }, repeat: null };

const drawnCoverage = 0.8;

/** Interval drawn around a point of a trend; null if its error is unknown. */
export function drawnInterval(value: number, errors: ScoreErrors | null, name: MeasureName): ScoreInterval | null {
  const error = errors?.full[name] ?? null;
  if (error === null) return null;
  const halfWidth = error * quantileOfCoverage(drawnCoverage);
  return { low: value - halfWidth, high: value + halfWidth };
}

type ReadingWithErrors = NonNullable<Parameters<typeof isPlacedByPerson>[0]> & {
  readonly score: MeasureValues | null;
  readonly intervals: ScoreIntervals | null;
  readonly repeatErrors: RepeatErrors | null;
  readonly provenance: Pick<Provenance, "packName" | "packVersion"> | null;
};

/** From the pack's calibration, or from the error of human readers for points of a user. */
export function readingIntervals(
  reading: Omit<ReadingWithErrors, "repeatErrors" | "provenance">,
): ScoreIntervals | null {
  if (!isPlacedByPerson(reading)) return reading.intervals;
  const around = ({ name }: { readonly name: MeasureName }) => {
    const value = reading.score?.[name] ?? null;
    return value === null ? null : drawnInterval(value, errorsByHand, name);
  };
  return { coverage: drawnCoverage, ...valuesOf(around) };
}

/** Half width of a normal distribution's interval in standard errors, for a coverage of 0–1. */
export function quantileOfCoverage(coverage: number): number {
  const tail = (1 - coverage) / 2;
  const t = Math.sqrt(-2 * Math.log(tail));
  // Abramowitz & Stegun 1964, formula 26.2.23; absolute error below 0.00045.
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  return t - above / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

export function scoreErrorsOf(reading: ReadingWithErrors): ScoreErrors {
  if (isPlacedByPerson(reading)) return errorsByHand;
  const { score, intervals, repeatErrors, provenance } = reading;
  return {
    pack: provenance && keyOfPack({ name: provenance.packName, version: provenance.packVersion }),
    full: errorsOfIntervals(intervals, score),
    repeat: repeatErrors,
  };
}

/** Uses the upper end, since the lower end is clipped at zero. */
function errorsOfIntervals(intervals: ScoreIntervals | null, score: ReadingWithErrors["score"]): ScoreErrors["full"] {
  return valuesOf(({ name }) => {
    const [high, value] = [intervals?.[name]?.high ?? null, score?.[name] ?? null];
    return intervals === null || high === null || value === null
      ? null
      : (high - value) / quantileOfCoverage(intervals.coverage);
  });
}
