import { useEffect, useState } from "react";
import type { DesktopRequest } from "../../../core/contract/desktop.ts";
import type { AuditEvent } from "../../../core/contract/desktop/people.ts";
import { auditActions, type AuditAction } from "../../../core/people/audit-actions.ts";
import { call } from "../../state/connection.ts";
import { attempt } from "../../state/faults.ts";
import { usePatients } from "../../state/patients.ts";
import { useAsked } from "../../state/use-asked.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loading, Notice } from "../../ui/empty.tsx";
import { Choice, TextField } from "../../ui/field.tsx";
import { useFormat } from "../../ui/language/format.ts";
import { useText } from "../../ui/language/language.ts";
import { saveTextFile } from "../../ui/save-file.ts";

type Filter = DesktopRequest<"audit.csv">;

/** Events shown at first, and how many more each time [rows]. */
const shownAtOnce = 200;
/** The most that the program answers at once [rows]. */
const mostShown = 1000;

/** Who did what and when: to read, filter and export. */
export function AuditTrail() {
  const text = useText();
  const [filter, setFilter] = useState<Filter>({});
  const [limit, setLimit] = useState(shownAtOnce);
  const { value, fault } = useAsked("audit.list", { ...filter, limit });
  return (
    <div className="stack">
      <p className="quiet">{text("audit.intro")}</p>
      <FilterFields
        filter={filter}
        onChange={(next) => (setLimit(shownAtOnce), setFilter(next))}
        total={value ? text("audit.shownOf", { shown: value.events.length, total: value.total }) : ""}
      />
      {fault && <Notice tone="fault">{fault}</Notice>}
      {!value ? (
        <Loading label={text("common.loading")} />
      ) : value.events.length === 0 ? (
        <Empty icon="ledger" title={text("audit.none")} />
      ) : (
        <EventTable events={value.events} />
      )}
      {value && value.events.length < Math.min(value.total, mostShown) && (
        <div className="row">
          <Button onClick={() => setLimit(Math.min(mostShown, limit + shownAtOnce))}>{text("audit.older")}</Button>
        </div>
      )}
    </div>
  );
}

function EventTable({ events }: { readonly events: readonly AuditEvent[] }) {
  const text = useText();
  const format = useFormat();
  return (
    <table className="grid-table audit-table">
      <thead>
        <tr>
          <th>{text("audit.when")}</th>
          <th>{text("audit.who")}</th>
          <th>{text("audit.what")}</th>
          <th>{text("audit.patient")}</th>
          <th>{text("audit.about")}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.seq} data-testid="audit-event">
            <td className="data">{format.minute(event.at)}</td>
            <td>
              {event.who ?? <span className="quiet">{text(`audit.via_${event.via}`)}</span>}
              {event.who !== null && event.via !== "window" && (
                <span className="quiet"> · {text(`audit.via_${event.via}`)}</span>
              )}
            </td>
            <td>{text(`audited.${event.action}`)}</td>
            <td>
              {event.patientId === null
                ? "—"
                : (event.patientName ?? <span className="quiet">{text("audit.gone")}</span>)}
            </td>
            <td className="quiet fine">{factsOf(event)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Names where there are any, identifiers otherwise; what changed, and how often. */
function factsOf({ subject, detail }: AuditEvent): string {
  const { name, ...facts } = detail;
  const about = typeof name === "string" && name !== "" ? name : (subject?.slice(0, 40) ?? "");
  const others = Object.entries(facts)
    .filter(([fact, value]) => fact !== "reading" && value !== null && value !== false)
    .map(([fact, value]) => `${fact}: ${String(value)}`);
  return [about, ...others].filter((part) => part !== "").join(" · ") || "—";
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
  const { patients, load } = usePatients();
  useEffect(() => attempt(() => load()), [load]);
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
      <Choice
        label={text("audit.patient")}
        value={filter.patientId ?? ""}
        onChoose={(patientId) => set({ patientId: patientId === "" ? undefined : patientId })}
        options={[
          { value: "", label: text("audit.everything") },
          ...patients.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <TextField
        label={text("audit.from")}
        type="date"
        onChange={(event) => set({ from: startOf(event.target.value, 0) })}
      />
      <TextField
        label={text("audit.to")}
        type="date"
        onChange={(event) => set({ to: startOf(event.target.value, 1) })}
      />
      <span className="spring" />
      <span className="quiet">{total}</span>
      <Button icon="download" onClick={() => attempt(async () => saveTextFile(await call("audit.csv", filter)))}>
        {text("common.csv")}
      </Button>
    </div>
  );
}

/** The beginning of a day of this place, or of the one so many days later. */
function startOf(day: string, daysLater: number): string | undefined {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined || year < 1000) return undefined;
  return new Date(year, month - 1, date + daysLater).toISOString();
}
