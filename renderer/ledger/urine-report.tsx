import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useAsked } from "../state/use-asked.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Loading, Notice } from "../ui/empty.tsx";
import { useFormat } from "../ui/format.ts";
import { useText } from "../ui/language.ts";
import { commonMessages } from "../ui/messages/common.ts";
import { ledgerMessages } from "../ui/messages/ledger.ts";
import { usgMessages } from "../ui/messages/usg.ts";
import { saveTextFile } from "../ui/save-file.ts";

const tiers = ["low", "moderate_low", "moderate_high", "high"] as const;

/** Screenings and their outcomes per clinic and month. */
export function UrineReport() {
  const text = useText();
  const format = useFormat();
  const { value, fault } = useAsked("usg.report", {});
  if (fault) return <Notice tone="fault">{fault}</Notice>;
  if (!value) return <Loading label={text(commonMessages.loading)} />;
  if (value.rows.length === 0) return <Empty icon="usg" title={text(ledgerMessages.noReport)} />;
  return (
    <div className="stack">
      <div className="row">
        <Button icon="download" onClick={() => attempt(async () => saveTextFile(await call("usg.reportCsv", {})))}>
          {text(commonMessages.csv)}
        </Button>
      </div>
      <table className="grid-table">
        <thead>
          <tr>
            <th>{text(ledgerMessages.clinicCode)}</th>
            <th>{text(ledgerMessages.month)}</th>
            {tiers.map((tier) => (
              <th key={tier} className="number">
                {text(usgMessages[`tier_${tier}`])}
              </th>
            ))}
            <th className="number">{text(ledgerMessages.total)}</th>
          </tr>
        </thead>
        <tbody>
          {value.rows.map((row) => (
            <tr key={`${row.clinicCode} ${row.month}`}>
              <td>{row.clinicCode || text(ledgerMessages.withoutCode)}</td>
              <td>{format.month(row.month)}</td>
              {tiers.map((tier) => (
                <td key={tier} className="number">
                  {row[tier]}
                </td>
              ))}
              <td className="number">{row.total}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
