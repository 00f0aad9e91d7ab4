import { useState } from "react";
import type { DesktopRequest } from "../../core/contract/desktop.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useProgram } from "../state/program.ts";
import { useAsked } from "../state/use-asked.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Loading, Notice } from "../ui/empty.tsx";
import { Choice, TextField } from "../ui/field.tsx";
import { useFormat } from "../ui/format.ts";
import { useText } from "../ui/language.ts";
import { commonMessages } from "../ui/messages/common.ts";
import { ledgerMessages } from "../ui/messages/ledger.ts";
import { saveTextFile } from "../ui/save-file.ts";

type Filter = DesktopRequest<"ledger.csv">;

/** Every row of the ledger, newest first, filtered and as CSV. */
export function Events() {
  const text = useText();
  const format = useFormat();
  const [filter, setFilter] = useState<Filter>({});
  const version = useProgram((state) => state.changes["ledger.changed"]);
  const { value, fault } = useAsked("ledger.events", { ...filter, limit: 500 }, version);
  return (
    <div className="stack">
      <FilterFields
        filter={filter}
        onChange={setFilter}
        total={value ? text(ledgerMessages.shownOf, { shown: value.events.length, total: value.total }) : ""}
      />
      {fault && <Notice tone="fault">{fault}</Notice>}
      {!value ? (
        <Loading label={text(commonMessages.loading)} />
      ) : value.events.length === 0 ? (
        <Empty icon="ledger" title={text(ledgerMessages.noEvents)} />
      ) : (
        <table className="grid-table">
          <thead>
            <tr>
              <th className="number">{text(ledgerMessages.ordinal)}</th>
              <th>{text(ledgerMessages.at)}</th>
              <th>{text(ledgerMessages.account)}</th>
              <th>{text(ledgerMessages.service)}</th>
              <th>{text(ledgerMessages.kind)}</th>
              <th>{text(ledgerMessages.callType)}</th>
              <th>{text(ledgerMessages.tier)}</th>
              <th className="number">{text(ledgerMessages.amount)}</th>
              <th>{text(ledgerMessages.uuid)}</th>
            </tr>
          </thead>
          <tbody>
            {value.events.map((event) => (
              <tr key={event.seq}>
                <td className="number">{event.ordinal ?? "—"}</td>
                <td className="data">{format.minute(new Date(event.atMs).toISOString())}</td>
                <td>{event.accountName}</td>
                <td>{text(ledgerMessages[`service_${event.service}`])}</td>
                <td>{text(ledgerMessages[`kind_${event.kind}`])}</td>
                <td>
                  {event.service === "usg"
                    ? "—"
                    : text(event.callType === "session" ? ledgerMessages.session : ledgerMessages.single)}
                </td>
                <td>{text(ledgerMessages[`tier_${event.tier}`])}</td>
                <td className="number">
                  {event.amountCents === null ? (
                    <span className="word">{text(ledgerMessages.noPrice)}</span>
                  ) : (
                    format.cents(event.amountCents)
                  )}
                </td>
                <td className="data">{event.uuid ?? "—"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function FilterFields({
  filter,
  onChange,
  total,
}: {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
  readonly total: string;
}) {
  const text = useText();
  const set = (change: Partial<Record<keyof Filter, string>>) =>
    onChange(
      Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, value]) => value !== "")) as Filter,
    );
  return (
    <div className="row filters">
      <Choice
        label={text(ledgerMessages.service)}
        value={filter.service ?? ""}
        onChoose={(service) => set({ service })}
        options={[
          { value: "", label: text(ledgerMessages.allServices) },
          { value: "cardiac", label: text(ledgerMessages.service_cardiac) },
          { value: "usg", label: text(ledgerMessages.service_usg) },
        ]}
      />
      <Choice
        label={text(ledgerMessages.kind)}
        value={filter.kind ?? ""}
        onChoose={(kind) => set({ kind })}
        options={[
          { value: "", label: text(ledgerMessages.allKinds) },
          { value: "charge", label: text(ledgerMessages.kind_charge) },
          { value: "reversal", label: text(ledgerMessages.kind_reversal) },
        ]}
      />
      <TextField
        label={text(ledgerMessages.month)}
        type="month"
        value={filter.month ?? ""}
        onChange={(event) => set({ month: event.target.value })}
      />
      <TextField
        label={text(ledgerMessages.searchEvents)}
        type="search"
        value={filter.search ?? ""}
        onChange={(event) => set({ search: event.target.value })}
      />
      <span className="spring" />
      <span className="quiet">{total}</span>
      <Button icon="download" onClick={() => attempt(async () => saveTextFile(await call("ledger.csv", filter)))}>
        {text(commonMessages.csv)}
      </Button>
    </div>
  );
}
