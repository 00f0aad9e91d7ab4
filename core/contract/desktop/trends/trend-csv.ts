import { roundScore } from "../../../cardiac/heart-score.ts";
import type { MeasureValues } from "../../../cardiac/measures/measures.ts";
import { shownMeasures } from "../../../cardiac/measures/read-measures.ts";
import { packColumns } from "../../../cardiac/verdict/provenance.ts";
import { csvText } from "../../../csv-text.ts";
import type { TrendPoint } from "../patients.ts";

/** One row per date, values rounded as displayed. */
export function trendCsv(points: readonly TrendPoint[]): string {
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
