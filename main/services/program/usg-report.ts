import { csvText } from "../../../core/csv-text.ts";
import { riskTiers } from "../../../core/usg/risk-tiers.ts";
import type { UsgOutcomes } from "../../store/calls/usg-predictions.ts";

const columns = ["clinicCode", "month", "total", ...riskTiers, "billed"] as const;

export function usgReportCsv(outcomes: readonly UsgOutcomes[]): string {
  return csvText(
    columns,
    outcomes.map((row) => columns.map((column) => row[column])),
  );
}

/** Formats the report as aligned columns; calls without a clinic code under "(none)". */
export function usgReportTable(outcomes: readonly UsgOutcomes[]): string {
  const rows = outcomes.map((row) =>
    columns.map((column) => String(row[column] || (column === "clinicCode" ? "(none)" : 0))),
  );
  const table = [[...columns], ...rows];
  const widths = columns.map((_, column) => Math.max(...table.map((row) => (row[column] as string).length)));
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number),
        )
        .join("  "),
    )
    .join("\n");
}
