import { z } from "zod";
import { auditActions, auditWays, type Actor, type AuditAction } from "../../../core/people/audit-actions.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { likePattern, searchedFunction } from "../like-pattern.ts";
import { sealValues } from "../record/value-seals.ts";
import { currentActor } from "./acting.ts";

const detailSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const rowSchema = z.object({
  seq: z.int(),
  atMs: z.int(),
  action: z.enum(auditActions),
  via: z.enum(auditWays),
  personId: z.string().nullable(),
  who: z.string().nullable(),
  patientId: z.string().nullable(),
  subject: z.string().nullable(),
  detail: z.string().transform((json) => detailSchema.parse(JSON.parse(json))),
});
const rowsSchema = z.array(rowSchema);

/** One event as it is kept; times are ms UTC. */
export type AuditRow = Readonly<z.output<typeof rowSchema>>;

/** Something that happened. Names of patients and owners, and secrets of any kind, have no place in it. */
export type AuditEntry = {
  readonly action: AuditAction;
  /** Left out: now. */
  readonly at?: Date;
  readonly patientId?: string | null;
  /** What it was done to: an id, or the name of a pack or backup. */
  readonly subject?: string | null;
  /** Facts that the action needs to be understood. */
  readonly detail?: Readonly<z.infer<typeof detailSchema>>;
  /** Who did it; left out: who acts at the moment. */
  readonly by?: Actor;
};

/** Which events; fields left out do not choose. */
export type AuditFilter = {
  readonly actions?: readonly AuditAction[] | undefined;
  /** Part of a name, whatever its case. */
  readonly who?: string | undefined;
  readonly patientId?: string | undefined;
  /** From this moment on [ms UTC]. */
  readonly fromMs?: number | undefined;
  /** Before this moment [ms UTC]. */
  readonly toMs?: number | undefined;
};

/**
 * Records who did what, sealed in the chain of the kept values. Called inside the transaction of what it records, so
 * that neither is there without the other.
 */
export function recordAudit(db: WritableDb, entry: AuditEntry): void {
  const { via, personId, who } = entry.by ?? currentActor();
  const record = db.transaction(() => {
    const seq = z.int().parse(db.prepare("SELECT coalesce(max(seq), 0) + 1 FROM audit_events").pluck().get());
    db.prepare(
      `INSERT INTO audit_events (seq, at_ms, action, via, person_id, who, patient_id, subject, detail)
       VALUES (:seq, :atMs, :action, :via, :personId, :who, :patientId, :subject, :detail)`,
    ).run({
      seq,
      atMs: (entry.at ?? new Date()).getTime(),
      action: entry.action,
      via,
      personId,
      who,
      patientId: entry.patientId ?? null,
      subject: entry.subject ?? null,
      detail: JSON.stringify(detailSchema.parse(entry.detail ?? {})),
    });
    sealValues(db, "audit_events", String(seq));
  });
  record.immediate();
}

/** Events that match, newest first, and how many there are in all. */
export function listAuditEvents(
  db: ReadableDb,
  filter: AuditFilter & { readonly limit: number; readonly offset: number },
): { readonly rows: readonly AuditRow[]; readonly total: number } {
  const { where, values } = conditionsOf(filter);
  const { limit, offset } = filter;
  const rows = db
    .prepare(`SELECT ${columns} FROM audit_events ${where} ORDER BY seq DESC LIMIT :limit OFFSET :offset`)
    .all({ ...values, limit, offset });
  const total = db.prepare(`SELECT count(*) FROM audit_events ${where}`).pluck().get(values);
  return { rows: rowsSchema.parse(rows), total: z.int().parse(total) };
}

/** Events that match, oldest first, one after the other: as many as there are. */
export function* readAuditEvents(db: ReadableDb, filter: AuditFilter): Generator<AuditRow> {
  const { where, values } = conditionsOf(filter);
  for (const row of db.prepare(`SELECT ${columns} FROM audit_events ${where} ORDER BY seq`).iterate(values))
    yield rowSchema.parse(row);
}

const columns = "seq, at_ms AS atMs, action, via, person_id AS personId, who, patient_id AS patientId, subject, detail";

function conditionsOf({ actions, who, patientId, fromMs, toMs }: AuditFilter) {
  const conditions = [
    actions && "action IN (SELECT value FROM json_each(:actions))",
    who && `${searchedFunction}(who) LIKE :who ESCAPE '\\'`,
    patientId && "patient_id = :patientId",
    fromMs !== undefined && "at_ms >= :fromMs",
    toMs !== undefined && "at_ms < :toMs",
  ].filter((condition) => typeof condition === "string" && condition !== "");
  const values = {
    ...(actions && { actions: JSON.stringify(actions) }),
    ...(who && { who: likePattern(who) }),
    ...(patientId && { patientId }),
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
  };
  return { where: conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`, values };
}
