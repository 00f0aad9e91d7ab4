import { riskTiers } from "../../core/usg/risk-tiers.ts";
import { usgReportCsv } from "../../core/usg/usg-report.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Failed, Loading, Stale } from "../ui/empty.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { saveCsv } from "../ui/save-file.ts";
import { Table } from "../ui/table.tsx";

export function UrineReport() {
  const text = useText();
  const format = useFormat();
  const { value, fault, staleFault, reload } = useChannel("usg.report", {});
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!value) return <Loading label={text("common.loading")} />;
  if (value.rows.length === 0) return <Empty icon="usg" title={text("usg.resultEmpty")} />;
  return (
    <div className="stack">
      <Stale fault={staleFault} onRetry={reload} />
      <div className="row">
        <Button icon="download" onClick={() => saveCsv("usg-report.csv", usgReportCsv(value.rows))}>
          {text("common.csv")}
        </Button>
      </div>
      <Table
        heads={[
          text("ledger.clinicCode"),
          text("ledger.month"),
          ...riskTiers.map((tier) => ({ number: text(`usg.tier_${tier}`) })),
          { number: text("ledger.total") },
          { number: text("ledger.billed") },
        ]}
      >
        {value.rows.map((row) => (
          <tr key={`${row.clinicCode} ${row.month}`}>
            <td className="free-text">{row.clinicCode || text("ledger.withoutCode")}</td>
            <td>{format.month(row.month)}</td>
            {riskTiers.map((tier) => (
              <td key={tier} className="number">
                {row[tier]}
              </td>
            ))}
            <td className="number">{row.total}</td>
            <td className="number">{row.billed}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
