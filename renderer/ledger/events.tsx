import { useState } from "react";
import type { DesktopRequest, DesktopResponse } from "../../core/contract/desktop.ts";
import { call } from "../state/connection.ts";
import { attempt } from "../state/faults.ts";
import { useChannel } from "../state/queries.ts";
import { Button } from "../ui/button.tsx";
import { Loaded, Empty } from "../ui/empty.tsx";
import { Choice, TextField } from "../ui/fields/field.tsx";
import { useFormat } from "../ui/language/format.ts";
import { useText } from "../ui/language/language.ts";
import { saveTextFile } from "../ui/save-file.ts";
import { Table } from "../ui/table.tsx";

type Filter = DesktopRequest<"ledger.csv">;

export function Events() {
  const text = useText();
  const [filter, setFilter] = useState<Filter>({});
  const query = useChannel("ledger.events", { ...filter, limit: 500 });
  const { value, fault } = query;
  return (
    <div className="stack">
      <FilterFields
        filter={filter}
        onChange={setFilter}
        total={value && !fault ? text("ledger.shownOf", { shown: value.events.length, total: value.total }) : ""}
      />
      <Loaded query={query}>
        {({ events }) =>
          events.length === 0 ? (
            <Empty icon="ledger" title={text("audit.none")} />
          ) : (
            <Table
              heads={[
                { number: text("ledger.ordinal") },
                text("ledger.at"),
                text("ledger.account"),
                text("ledger.service"),
                text("common.kind"),
                text("ledger.callType"),
                text("ledger.tier"),
                { number: text("ledger.amount") },
                text("ledger.uuid"),
              ]}
            >
              {events.map((event) => (
                <EventRow key={event.seq} event={event} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </div>
  );
}

/** Statements belong to no call, so they have no service, call type, tier or price. */
function EventRow({ event }: { readonly event: DesktopResponse<"ledger.events">["events"][number] }) {
  const text = useText();
  const format = useFormat();
  const isCall = event.kind !== "statement";
  const hasCallType = isCall && event.service !== "usg";
  return (
    <tr>
      <td className="number">{event.ordinal ?? "—"}</td>
      <td className="data">{format.minute(new Date(event.atMs).toISOString())}</td>
      <td className="free-text">{event.accountName}</td>
      <td>{isCall ? text(`ledger.service_${event.service}`) : "—"}</td>
      <td>{text(`ledger.kind_${event.kind}`)}</td>
      <td>{hasCallType ? text(event.callType === "session" ? "ledger.session" : "ledger.single") : "—"}</td>
      <td>{isCall ? text(`ledger.tier_${event.tier}`) : "—"}</td>
      <td className="number">
        {event.amountCents !== null ? (
          format.cents(event.amountCents)
        ) : isCall ? (
          <span className="word">{text("ledger.noPrice")}</span>
        ) : (
          "—"
        )}
      </td>
      <td className="data free-text">{event.uuid ?? "—"}</td>
    </tr>
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
        label={text("ledger.service")}
        value={filter.service ?? ""}
        onChoose={(service) => set({ service })}
        options={[
          { value: "", label: text("ledger.allServices") },
          { value: "cardiac", label: text("ledger.service_cardiac") },
          { value: "usg", label: text("ledger.service_usg") },
        ]}
      />
      <Choice
        label={text("common.kind")}
        value={filter.kind ?? ""}
        onChoose={(kind) => set({ kind })}
        options={[
          { value: "", label: text("ledger.allKinds") },
          { value: "charge", label: text("ledger.kind_charge") },
          { value: "reversal", label: text("ledger.kind_reversal") },
          { value: "statement", label: text("ledger.kind_statement") },
        ]}
      />
      <TextField
        label={text("ledger.month")}
        type="month"
        value={filter.month ?? ""}
        onChange={(event) => set({ month: event.target.value })}
      />
      <TextField
        label={text("ledger.searchEvents")}
        type="search"
        value={filter.search ?? ""}
        onChange={(event) => set({ search: event.target.value })}
      />
      <div className="row found">
        <span className="quiet">{total}</span>
        <Button icon="download" onClick={() => attempt(async () => saveTextFile(await call("ledger.csv", filter)))}>
          {text("common.csv")}
        </Button>
      </div>
    </div>
  );
}
