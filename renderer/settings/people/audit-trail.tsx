import { useState } from "react";
import type { DesktopRequest } from "../../../core/contract/desktop.ts";
import type { AuditEvent } from "../../../core/contract/desktop/practice/people.ts";
import { auditActions, type AuditAction } from "../../../core/people/audit-actions.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { useChannel } from "../../state/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded, Empty } from "../../ui/empty.tsx";
import { DateField } from "../../ui/fields/date-field.tsx";
import { Choice, TextField } from "../../ui/fields/field.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { saveTextFile } from "../../ui/save-file.ts";
import { Table } from "../../ui/table.tsx";
import { AuditedPatient } from "./audited-patient.tsx";
import { factsOf } from "./audit-facts.ts";

type Filter = DesktopRequest<"audit.csv">;

const shownAtOnce = 200;

export function AuditTrail() {
  const text = useText();
  const [filter, setFilter] = useState<Filter>({});
  const [offset, setOffset] = useState(0);
  const query = useChannel("audit.list", { ...filter, limit: shownAtOnce, offset });
  const { value, fault } = query;
  const shownOf = (shown: number, total: number) =>
    text("audit.shownOf", { from: Math.min(offset + 1, total), to: offset + shown, total });
  return (
    <div className="stack">
      <p className="quiet">{text("audit.intro")}</p>
      <FilterFields
        filter={filter}
        onChange={(next) => (setOffset(0), setFilter(next))}
        total={value && !fault ? shownOf(value.events.length, value.total) : ""}
      />
      <Loaded query={query}>
        {({ events }) =>
          events.length === 0 ? <Empty icon="ledger" title={text("audit.none")} /> : <EventTable events={events} />
        }
      </Loaded>
      {value && !fault && value.total > shownAtOnce && (
        <div className="row">
          <Button disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - shownAtOnce))}>
            {text("audit.newer")}
          </Button>
          <Button disabled={offset + shownAtOnce >= value.total} onClick={() => setOffset(offset + shownAtOnce)}>
            {text("audit.older")}
          </Button>
        </div>
      )}
    </div>
  );
}

function EventTable({ events }: { readonly events: readonly AuditEvent[] }) {
  const text = useText();
  const format = useFormat();
  return (
    <Table
      className="audit-table"
      heads={[text("audit.when"), text("audit.who"), text("audit.what"), text("films.patient"), text("audit.about")]}
    >
      {events.map((event) => (
        <tr key={event.seq} data-testid="audit-event">
          <td className="data">{format.minute(event.at)}</td>
          <td className="free-text">
            {event.who ?? <span className="quiet">{text(`audit.via_${event.via}`)}</span>}
            {event.who !== null && event.via !== "window" && (
              <span className="quiet"> · {text(`audit.via_${event.via}`)}</span>
            )}
          </td>
          <td>{text(`audited.${event.action}`)}</td>
          <td className="free-text">
            {event.patientId === null
              ? "—"
              : (event.patientName ?? <span className="quiet">{text("audit.gone")}</span>)}
          </td>
          <td className="quiet fine free-text">{factsOf(event, text)}</td>
        </tr>
      ))}
    </Table>
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
  const set = (change: Filter) =>
    onChange(
      Object.fromEntries(
        Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== ""),
      ) as Filter,
    );
  const actions = auditActions
    .map((value) => ({ value, label: text(`audited.${value}`) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <div className="row filters">
      <Choice<AuditAction | "">
        label={text("audit.what")}
        value={filter.actions?.[0] ?? ""}
        onChoose={(action) => set({ actions: action === "" ? undefined : [action] })}
        options={[{ value: "", label: text("audit.everything") }, ...actions]}
      />
      <TextField
        label={text("audit.who")}
        type="search"
        maxLength={100}
        value={filter.who ?? ""}
        onChange={(event) => set({ who: event.target.value })}
      />
      <AuditedPatient onChoose={(patientId) => set({ patientId })} />
      <Day label={text("common.fromDate")} onChange={(day) => set({ from: startOf(day, 0) })} />
      <Day label={text("common.toDate")} onChange={(day) => set({ to: startOf(day, 1) })} />
      <div className="row found">
        <span className="quiet">{total}</span>
        <Button icon="download" onClick={() => attempt(async () => saveTextFile(await call("audit.csv", filter)))}>
          {text("common.csv")}
        </Button>
      </div>
    </div>
  );
}

/** Keeps the typed text itself, since the filter has no day while a year is being typed. */
function Day({ label, onChange }: { readonly label: string; readonly onChange: (day: string) => void }) {
  const [day, setDay] = useState("");
  return (
    <DateField
      label={label}
      value={day}
      fault={null}
      onChange={(typed) => {
        setDay(typed);
        onChange(typed);
      }}
    />
  );
}

/** Start of a local day, or of the day the given number of days later; undefined for an incomplete date. */
function startOf(day: string, daysLater: number): string | undefined {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined || year < 1000) return undefined;
  return new Date(year, month - 1, date + daysLater).toISOString();
}
