import type { DesktopRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import { csvLine } from "../../../core/csv-text.ts";
import { listAuditEvents, readAuditEvents, type AuditFilter } from "../../store/audit/audit-events.ts";
import type { ReadableDb } from "../../store/database.ts";
import { namesOfFilms } from "../../store/films/films.ts";
import { findPatients } from "../../store/films/patients.ts";
import { listPeople } from "../../store/people/people.ts";

type Filter = DesktopRequest<"audit.csv">;

/** Newest first, with the current names of patients, films and users. */
export async function listTrail(
  db: ReadableDb,
  { limit, offset, ...filter }: Filter & { readonly limit: number; readonly offset: number },
): Promise<DesktopResponse<"audit.list">> {
  const { rows, total } = await listAuditEvents(db, { ...toStoreFilter(filter), limit, offset });
  const patients = await findPatients(db, known(rows.map(({ patientId }) => patientId)));
  const films = await namesOfFilms(db, known(rows.map(({ subject }) => subject)));
  const people = new Map((await listPeople(db)).map(({ id, name }) => [id, name]));
  const events = rows.map(({ seq, atMs, action, via, who, patientId, subject, detail }) => {
    const patientName = patients.get(patientId ?? "")?.name ?? null;
    const subjectName = films.get(subject ?? "") ?? people.get(subject ?? "") ?? null;
    const at = new Date(atMs).toISOString();
    return { seq, at, action, via, who, patientId, patientName, subject, subjectName, detail };
  });
  return { events, total };
}

const header = ["seq", "at", "action", "via", "who", "personId", "patientId", "subject", "detail"];

/** Oldest first, with ids of patients and films only. */
export async function trailCsv(db: ReadableDb, filter: Filter): Promise<string> {
  let csv = csvLine(header);
  for await (const { seq, atMs, action, via, who, personId, patientId, subject, detail } of readAuditEvents(
    db,
    toStoreFilter(filter),
  )) {
    const facts = Object.entries(detail)
      .map(([name, value]) => `${name}: ${value}`)
      .join("; ");
    csv += csvLine([seq, new Date(atMs).toISOString(), action, via, who, personId, patientId, subject, facts]);
  }
  return csv;
}

function toStoreFilter({ actions, who, patientId, from, to }: Filter): AuditFilter {
  return {
    actions,
    who: who?.trim(),
    patientId,
    fromMs: from === undefined ? undefined : Date.parse(from),
    toMs: to === undefined ? undefined : Date.parse(to),
  };
}

function known(ids: readonly (string | null)[]): readonly string[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
