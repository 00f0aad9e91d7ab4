import { csvText } from "../../../core/csv-text.ts";
import { rateOfChange, type RateOfChange } from "../../../core/cardiac/reference/trend.ts";
import { roundScore } from "../../../core/cardiac/heart-score.ts";
import type { DesktopResponse } from "../../../core/contract/desktop.ts";
import { getPatient } from "../../store/films/patients.ts";
import { listTrend, type TrendRow } from "../../store/films/readings.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";
import { toPatient } from "./film-view.ts";

type Trend = DesktopResponse<"trends.get">;

/** A patient's scores over time and how fast they change. @throws AppError NOT_FOUND */
export function getTrend(context: DesktopContext, patientId: string): Trend {
  const patient = getPatient(context.db, patientId);
  const rows = listTrend(context.db, patient);
  return {
    patient: toPatient(patient),
    points: rows.map(toPoint),
    vhs: change(rows, "vhs"),
    vlas: change(rows, "vlas"),
  };
}

/** The same as a table: one row per date, scores as they are shown. @throws AppError NOT_FOUND */
export function trendCsv(context: DesktopContext, patientId: string): string {
  const { points } = getTrend(context, patientId);
  const rows = points.map(({ at, vhs, vlas, tier, source, who, original }) => [
    at,
    roundScore(vhs),
    roundScore(vlas),
    tier,
    source,
    who,
    roundScore(original?.vhs ?? null),
    roundScore(original?.vlas ?? null),
  ]);
  return csvText(["date", "vhs", "vlas", "confidence", "source", "signed_by", "original_vhs", "original_vlas"], rows);
}

/** An accepted reading is the model's own; only other points have an original beside them. */
function toPoint({ atMs, verdict, originalVhs, originalVlas, ...point }: TrendRow): Trend["points"][number] {
  const isOfPerson = verdict === "corrected" || verdict === "by_hand";
  const hasOriginal = isOfPerson && (originalVhs !== null || originalVlas !== null);
  return {
    at: new Date(atMs).toISOString(),
    ...point,
    original: hasOriginal ? { vhs: originalVhs, vlas: originalVlas } : null,
  };
}

function change(rows: readonly TrendRow[], score: "vhs" | "vlas"): Trend["vhs"] {
  const series = rows.flatMap(({ atMs, [score]: value }) => (value === null ? [] : [{ atMs, value }]));
  const rate = rateOfChange(series);
  return rate && { perMonth: rate.perMonth, isMarked: score === "vhs" && rate.isMarked, largestRise: toRise(rate) };
}

function toRise({ largestRise }: RateOfChange): NonNullable<Trend["vhs"]>["largestRise"] {
  if (largestRise === null) return null;
  const { change: vertebrae, fromMs, toMs } = largestRise;
  return { change: vertebrae, fromAt: new Date(fromMs).toISOString(), toAt: new Date(toMs).toISOString() };
}
