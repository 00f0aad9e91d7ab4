import { useState } from "react";
import { byWindow } from "../../core/billing/ledger-statement.ts";
import { firstOrdinalOf, tariff, tariffTiers, tierOfOrdinal } from "../../core/billing/tariff.ts";
import type { DesktopResponse } from "../../core/contract/desktop.ts";
import { failureInWords } from "../../core/language/failure-in-words.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Failed, Loading, Stale } from "../ui/empty.tsx";
import { Choice } from "../ui/fields/field.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { Table } from "../ui/table.tsx";

type Verified = DesktopResponse<"ledger.verify">;

export function Usage() {
  const text = useText();
  const format = useFormat();
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7));
  const { value, fault, isCurrent, staleFault, reload } = useChannel("ledger.usage", { month });
  if (fault) return <Failed fault={fault} onRetry={reload} />;
  if (!value) return <Loading label={text("common.loading")} />;
  const months = [...new Set([month, ...value.months])].sort().reverse();
  return (
    <div className="stack">
      <Stale fault={staleFault} onRetry={reload} />
      <p>{text("ledger.deskIsFree")}</p>
      <div className="row spread filters">
        <Choice
          label={text("ledger.month")}
          value={month}
          onChoose={setMonth}
          options={months.map((each) => ({ value: each, label: format.month(each) }))}
        />
        <Verification />
      </div>
      {!isCurrent ? (
        <Loading label={text("common.loading")} />
      ) : value.usage.length === 0 ? (
        <Empty icon="ledger" title={text("ledger.noUsage")}>
          <p>{text("ledger.noUsageText")}</p>
        </Empty>
      ) : (
        value.usage.map((usage) => <AccountUsage key={usage.accountId} usage={usage} />)
      )}
      <Tariff />
      <Terms />
    </div>
  );
}

function AccountUsage({ usage }: { readonly usage: DesktopResponse<"ledger.usage">["usage"][number] }) {
  const text = useText();
  const format = useFormat();
  const end = Math.max(...tariffTiers.map(firstOrdinalOf)) * 1.15;
  const tier = tierOfOrdinal(usage.calls + 1);
  const { lastOrdinal } = tariff[tier];
  // Tier thresholds grow exponentially; the square root keeps the first ones visible.
  const at = (calls: number) => `${Math.min(100, Math.sqrt(calls / end) * 100)}%`;
  return (
    <section className="card account" aria-label={usage.accountName}>
      <div className="row spread">
        <h2>{usage.accountName}</h2>
        <strong className="amount data">{format.cents(usage.amountCents)}</strong>
      </div>
      <div className="tier-bar" aria-hidden="true">
        <span className="fill" style={{ width: at(usage.calls) }} />
        {tariffTiers.slice(1).map((each) => (
          <span key={each} className="step" style={{ left: at(firstOrdinalOf(each)) }} />
        ))}
      </div>
      <div className="row spread quiet">
        <span>
          <strong className="data">{format.number(usage.calls, 0)}</strong>{" "}
          {text("ledger.calls", { count: usage.calls })} (
          {text("ledger.ofWhich", { cardiac: usage.cardiacCalls, usg: usage.usgCalls })})
        </span>
        <span>
          {text(`ledger.tier_${tier}`)},{" "}
          {Number.isFinite(lastOrdinal)
            ? text("ledger.toNext", { count: lastOrdinal - usage.calls })
            : text("ledger.lastTier")}
        </span>
      </div>
    </section>
  );
}

function Tariff() {
  const text = useText();
  const format = useFormat();
  const price = (cents: number | undefined) =>
    cents === undefined ? <span className="word">{text("ledger.custom")}</span> : format.cents(cents);
  return (
    <Table
      className="tariff"
      heads={[
        text("ledger.tier"),
        text("ledger.begins"),
        { number: text("ledger.single") },
        { number: text("ledger.session") },
      ]}
    >
      {tariffTiers.map((tier) => (
        <tr key={tier}>
          <td>{text(`ledger.tier_${tier}`)}</td>
          <td className="quiet">{text("ledger.fromCall", { count: firstOrdinalOf(tier) })}</td>
          <td className="number">{price(tariff[tier].rates?.single)}</td>
          <td className="number">{price(tariff[tier].rates?.session)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Terms() {
  const text = useText();
  return (
    <details>
      <summary>{text("ledger.terms")}</summary>
      <ul className="terms quiet">
        {(["account", "call", "grace", "tier", "session"] as const).map((term) => (
          <li key={term}>{text(`ledger.term_${term}`)}</li>
        ))}
      </ul>
    </details>
  );
}

function Verification() {
  const text = useText();
  const format = useFormat();
  const [answer, setAnswer] = useState<Verified | null>(null);
  const stated = ({ subject, by, why, at }: Verified["statements"][number]) => {
    const erased = /^erasure\/(.+)$/.exec(subject)?.[1];
    const whose = by === byWindow ? text("ledger.byWindow") : by;
    const values = { by: whose, why, at: format.minute(at), subject: erased ?? subject };
    return text(erased === undefined ? "ledger.stated" : "ledger.erased", values);
  };
  const problemOf = ({ problem }: NonNullable<Verified["fault"]>) =>
    failureInWords({ code: "LEDGER_BROKEN", reason: problem }, text);
  return (
    <div className="row" role="status">
      {answer &&
        (answer.fault === null ? (
          <>
            <span className="tier optimal">{text("ledger.intact", { rows: answer.rows })}</span>
            {answer.statements.map((statement) => (
              <span key={statement.subject} className="quiet">
                {stated(statement)}
              </span>
            ))}
          </>
        ) : (
          <span className="fault-text">{text("ledger.broken", { problem: problemOf(answer.fault) })}</span>
        ))}
      <Button icon="check" onClick={() => attempt(async () => setAnswer(await call("ledger.verify", {})))}>
        {text("ledger.verify")}
      </Button>
    </div>
  );
}
