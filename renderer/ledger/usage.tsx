import { useState } from "react";
import { byWindow } from "../../core/billing/ledger-statement.ts";
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

type UsageAnswer = DesktopResponse<"ledger.usage">;
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
        value.usage.map((usage) => <AccountUsage key={usage.accountId} usage={usage} tiers={value.tiers} />)
      )}
      <Tariff tiers={value.tiers} />
      <Terms />
    </div>
  );
}

function AccountUsage({
  usage,
  tiers,
}: {
  readonly usage: UsageAnswer["usage"][number];
  readonly tiers: UsageAnswer["tiers"];
}) {
  const text = useText();
  const format = useFormat();
  const end = Math.max(...tiers.map(({ fromCall }) => fromCall)) * 1.15;
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
        {tiers.slice(1).map(({ tier, fromCall }) => (
          <span key={tier} className="step" style={{ left: at(fromCall) }} />
        ))}
      </div>
      <div className="row spread quiet">
        <span>
          <strong className="data">{format.number(usage.calls, 0)}</strong>{" "}
          {text("ledger.calls", { count: usage.calls })} (
          {text("ledger.ofWhich", { cardiac: usage.cardiacCalls, usg: usage.usgCalls })})
        </span>
        <span>
          {text(`ledger.tier_${usage.tier}`)},{" "}
          {usage.callsToNextTier === null
            ? text("ledger.lastTier")
            : text("ledger.toNext", { count: usage.callsToNextTier })}
        </span>
      </div>
    </section>
  );
}

function Tariff({ tiers }: { readonly tiers: UsageAnswer["tiers"] }) {
  const text = useText();
  const format = useFormat();
  const price = (cents: number | null) =>
    cents === null ? <span className="word">{text("ledger.custom")}</span> : format.cents(cents);
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
      {tiers.map(({ tier, fromCall, singleCents, sessionCents }) => (
        <tr key={tier}>
          <td>{text(`ledger.tier_${tier}`)}</td>
          <td className="quiet">{text("ledger.fromCall", { count: fromCall })}</td>
          <td className="number">{price(singleCents)}</td>
          <td className="number">{price(sessionCents)}</td>
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
