import { isPlacedByPerson } from "../../../core/cardiac/agreement/placed-by-person.ts";
import { csvText } from "../../../core/csv-text.ts";
import { perMeasure, type KnownMeasure, type MeasureValues } from "../../../core/cardiac/measures/measures.ts";
import { shownMeasures } from "../../../core/cardiac/measures/read-measures.ts";
import { rateOfChange, type RateOfChange } from "../../../core/cardiac/reference/trend.ts";
import { roundScore } from "../../../core/cardiac/heart-score.ts";
import { packColumns, packFacts } from "../../../core/cardiac/radiograph-measurement.ts";
import { noVerdictFacts, verdictFacts } from "../../../core/cardiac/verdict/verdict-facts.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import type { ReadableDb } from "../../store/database.ts";
import { getPatient } from "../../store/films/patients.ts";
import { listReadings } from "../../store/films/readings.ts";
import { listTrend, type TrendRow } from "../../store/films/trend.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { toPatient, toReading } from "./film-view.ts";

type Trend = DesktopResponse<"trends.get">;
type Point = Trend["points"][number];
type OfReadings = Pick<Point, "pack" | "facts">;

/** Returns a patient's scores over time and their rates of change. @throws AppError NOT_FOUND */
export async function getTrend(context: Pick<DesktopContext, "db">, patientId: string): Promise<Trend> {
  const patient = await getPatient(context.db, patientId);
  const rows = await listTrend(context.db, patient);
  return {
    patient: await toPatient(context.db, patient),
    points: await Promise.all(rows.map(async (row) => ({ ...toPoint(row), ...(await ofReadings(context.db, row)) }))),
    ...perMeasure((measure) => change(rows, measure)),
  };
}

/** Returns the trend as CSV: one row per date, values rounded as displayed. @throws AppError NOT_FOUND */
export async function trendCsv(context: DesktopContext, patientId: string): Promise<string> {
  const { points } = await getTrend(context, patientId);
  const shown = shownMeasures(...points);
  const cells = (of: Partial<MeasureValues> | null) => shown.map(({ name }) => roundScore(of?.[name] ?? null));
  const rows = points.map((point) => [
    point.at,
    ...cells(point),
    point.tier,
    point.source,
    point.who,
    ...cells(point.original),
    point.pack?.pack ?? null,
    point.pack?.packVersion ?? null,
    point.pack?.packReleasedBy ?? null,
    point.pack?.packPublisher ?? null,
  ]);
  const columns = shown.map(({ name }) => name);
  const header = [
    "date",
    ...columns,
    "confidence",
    "source",
    "signed_by",
    ...columns.map((name) => `original_${name}`),
    ...packColumns,
  ];
  return csvText(header, rows);
}

/** Only readings with user-placed points have original values for comparison. */
function toPoint(row: TrendRow): Omit<Point, keyof OfReadings> {
  const { atMs, filmId, tier, popDetected, source, who, values, original } = row;
  const hasOriginal =
    isPlacedByPerson(row) && original !== null && Object.values(original).some((value) => value !== null);
  return {
    at: new Date(atMs).toISOString(),
    filmId,
    tier,
    popDetected,
    source,
    who,
    ...values,
    original: hasOriginal ? original : null,
  };
}

/**
 * Returns the pack of the latest network reading, also for user-placed points (null for films off the worklist), and
 * the facts of the current reading's verdict.
 */
async function ofReadings(db: ReadableDb, { filmId }: TrendRow): Promise<OfReadings> {
  const readings = filmId === null ? [] : (await listReadings(db, filmId)).map(toReading);
  const { pack, ...release } = packFacts(readings.findLast(({ provenance }) => provenance)?.provenance ?? null);
  const current = readings.at(-1);
  return {
    pack: pack === null ? null : { pack, ...release },
    facts: current ? verdictFacts(current) : noVerdictFacts,
  };
}

/** Rate of change of a measure; null with fewer than two visits, undefined for a manual measure without values. */
function change(rows: readonly TrendRow[], { name, placedBy }: KnownMeasure): Trend["vhs"] | undefined {
  const series = rows.flatMap(({ atMs, values }) => {
    const value = values[name];
    return typeof value === "number" ? [{ atMs, value }] : [];
  });
  if (placedBy === "person" && series.length === 0) return undefined;
  const rate = rateOfChange(series);
  return rate && { perMonth: rate.perMonth, isMarked: name === "vhs" && rate.isMarked, largestRise: toRise(rate) };
}

function toRise({ largestRise }: RateOfChange): NonNullable<Trend["vhs"]>["largestRise"] {
  if (largestRise === null) return null;
  const { change: vertebrae, fromMs, toMs } = largestRise;
  return { change: vertebrae, fromAt: new Date(fromMs).toISOString(), toAt: new Date(toMs).toISOString() };
}
