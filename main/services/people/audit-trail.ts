import type { DesktopRequest, DesktopResponse } from "../../../core/contract/desktop.ts";
import type { AuditEvent } from "../../../core/contract/desktop/people.ts";
import { csvLine } from "../../../core/csv-text.ts";
import { listAuditEvents, readAuditEvents, type AuditFilter, type AuditRow } from "../../store/audit/audit-events.ts";
import type { ReadableDb } from "../../store/database.ts";
import { findPatient } from "../../store/films/patients.ts";

type Filter = DesktopRequest<"audit.csv">;

/** Events that match, newest first, with the names that patients have now. */
export async function listTrail(
  db: ReadableDb,
  { limit, offset, ...filter }: Filter & { readonly limit: number; readonly offset: number },
): Promise<DesktopResponse<"audit.list">> {
  const { rows, total } = await listAuditEvents(db, { ...toStoreFilter(filter), limit, offset });
  return { events: await Promise.all(rows.map((row) => toEvent(db, row))), total };
}

const header = ["seq", "at", "action", "via", "who", "personId", "patientId", "subject", "detail"];

/** Events that match as a table, oldest first; patients by id alone. */
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

async function toEvent(
  db: ReadableDb,
  { seq, atMs, action, via, who, patientId, subject, detail }: AuditRow,
): Promise<AuditEvent> {
  const patientName = patientId === null ? null : ((await findPatient(db, patientId))?.name ?? null);
  return { seq, at: new Date(atMs).toISOString(), action, via, who, patientId, patientName, subject, detail };
}
