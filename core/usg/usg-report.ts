import { csvText } from "../csv-text.ts";
import { riskTiers } from "./risk-tiers.ts";

export const usgReportColumns = ["clinicCode", "month", "total", ...riskTiers, "billed"] as const;

type Outcomes = Readonly<Record<(typeof usgReportColumns)[number], string | number>>;

export function usgReportCsv(outcomes: readonly Outcomes[]): string {
  return csvText(
    usgReportColumns,
    outcomes.map((row) => usgReportColumns.map((column) => row[column])),
  );
}
