import { csvText } from "../../../core/csv-text.ts";
import { riskTiers } from "../../../core/usg/risk-tiers.ts";
import type { UsgOutcomes } from "../../store/calls/usg-predictions.ts";

export const usgReportColumns = ["clinicCode", "month", "total", ...riskTiers, "billed"] as const;

export function usgReportCsv(outcomes: readonly UsgOutcomes[]): string {
  return csvText(
    usgReportColumns,
    outcomes.map((row) => usgReportColumns.map((column) => row[column])),
  );
}
