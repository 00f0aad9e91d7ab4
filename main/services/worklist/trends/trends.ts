import type { z } from "zod";
import { isPlacedByPerson } from "../../../../core/cardiac/agreement/placed-by-person.ts";
import { perMeasure, type KnownMeasure } from "../../../../core/cardiac/measures/measures.ts";
import { rateOfChange } from "../../../../core/cardiac/reference/trend.ts";
import type { PracticeErrors } from "../../../../core/cardiac/agreement/same-day.ts";
import { scoreErrorsOf, type ScoreErrors } from "../../../../core/cardiac/agreement/score-errors.ts";
import { packFacts } from "../../../../core/cardiac/verdict/provenance.ts";
import { noVerdictFacts, verdictFacts } from "../../../../core/cardiac/verdict/verdict-facts.ts";
import type { DesktopResponse } from "../../../../core/contract/desktop.ts";
import { reading } from "../../../../core/contract/desktop/readings.ts";
import { seriesOf } from "../../../../core/contract/desktop/trends/trend-series.ts";
import { getPatient } from "../../../store/films/patients.ts";
import { listReadingsOfFilms, type ReadingRow } from "../../../store/films/readings.ts";
import { listTrend, type TrendRow } from "../../../store/films/trend/trend.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { toPatient, toReading } from "../film-view.ts";
import { getPracticeErrors } from "./same-day.ts";

type Trend = DesktopResponse<"trends.get">;
type Point = Trend["points"][number];
type OfReadings = Pick<Point, "pack" | "facts">;

/** @throws AppError NOT_FOUND */
export async function getTrend(context: Pick<DesktopContext, "db">, patientId: string): Promise<Trend> {
  const patient = await getPatient(context.db, patientId);
  const rows = await listTrend(context.db, patient);
  const practice = await getPracticeErrors(context.db);
  const filmIds = rows.flatMap(({ filmId }) => filmId ?? []);
  const readingsOf = await listReadingsOfFilms(context.db, filmIds);
  const points = rows.map((row) => ({
    ...toPoint(row, practice),
    ...ofReadings(row, readingsOf.get(row.filmId ?? "") ?? []),
  }));
  return {
    patient: await toPatient(context.db, patient),
    points,
    ...perMeasure((measure) => rateOf(points, measure)),
  };
}

/** Only readings with user-placed points have original values for comparison. */
function toPoint(row: TrendRow, practice: PracticeErrors): Omit<Point, keyof OfReadings> {
  const { atMs, filmId, tier, source, who, values, original } = row;
  const hasOriginal =
    isPlacedByPerson(row) && original !== null && Object.values(original).some((value) => value !== null);
  return {
    at: new Date(atMs).toISOString(),
    filmId,
    tier,
    source,
    who,
    ...values,
    errors: { ...errorsOf(row), practice },
    original: hasOriginal ? original : null,
  };
}

/**
 * The pack is that of the latest network reading, also for user-placed points; null for films removed from the
 * worklist.
 */
function ofReadings({ tier, values }: TrendRow, rows: readonly ReadingRow[]): OfReadings {
  const readings = rows.map(toReading);
  const { pack, ...release } = packFacts(readings.findLast(({ provenance }) => provenance)?.provenance ?? null);
  const current = readings.at(-1);
  return {
    pack: pack === null ? null : { pack, ...release },
    facts: current ? verdictFacts(current, readings) : { ...noVerdictFacts, tier, vhs: values.vhs },
  };
}

/** Returns undefined for a manual measure without values. */
function rateOf(points: Trend["points"], { name, placedBy }: KnownMeasure): Trend["vhs"] | undefined {
  const series = seriesOf(points, name);
  return placedBy === "person" && series.length === 0 ? undefined : rateOfChange(name, series);
}

/** Without a pack, as for measurements through the API, full errors apply. */
function errorsOf({ intervals, repeatErrors, provenance, ...row }: TrendRow): ScoreErrors {
  const parsed = <Value>(shape: z.ZodType<Value>, json: string | null) => shape.parse(JSON.parse(json ?? "null"));
  return scoreErrorsOf({
    ...row,
    score: row.values,
    intervals: parsed(reading.shape.intervals, intervals),
    repeatErrors: parsed(reading.shape.repeatErrors, repeatErrors),
    provenance: parsed(reading.shape.provenance, provenance),
  });
}
