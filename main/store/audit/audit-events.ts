import type { ExpressionBuilder, Selectable } from "kysely";
import { z } from "zod";
import type { Actor, AuditAction } from "../../../core/people/audit-actions.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { transaction } from "../engines/engine.ts";
import { inPages } from "../engines/in-pages.ts";
import { containsTyped } from "../search/like-pattern.ts";
import { sealValues } from "../record/value-seals.ts";
import type { Tables } from "../tables.ts";
import { currentActor } from "./acting.ts";

const detailSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

export type AuditRow = Readonly<Omit<StoredEvent, "detail"> & { detail: z.infer<typeof detailSchema> }>;
type StoredEvent = Selectable<Tables["auditEvents"]>;

/** An event to record; must not contain names of patients or owners, nor secrets. */
export type AuditEntry = {
  readonly action: AuditAction;
  readonly at?: Date;
  readonly patientId?: string | null;
  /** Object of the action: an id, or the name of a pack or backup. */
  readonly subject?: string | null;
  readonly detail?: Readonly<z.infer<typeof detailSchema>>;
  readonly by?: Actor;
};

/** Filter of events; absent fields do not restrict. */
export type AuditFilter = {
  readonly actions?: readonly AuditAction[] | undefined;
  readonly who?: string | undefined;
  readonly patientId?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
};

/** Records an action and its actor, sealed in the hash chain. Call it in the transaction of the recorded change. */
export async function recordAudit(db: WritableDb, entry: AuditEntry): Promise<void> {
  const { via, personId, who } = entry.by ?? currentActor();
  await transaction(db, async () => {
    const newest = await db.selectFrom("auditEvents").select("seq").orderBy("seq", "desc").limit(1).executeTakeFirst();
    const seq = (newest?.seq ?? 0) + 1;
    await db
      .insertInto("auditEvents")
      .values({
        seq,
        atMs: (entry.at ?? new Date()).getTime(),
        action: entry.action,
        via,
        personId,
        who,
        patientId: entry.patientId ?? null,
        subject: entry.subject ?? null,
        detail: JSON.stringify(detailSchema.parse(entry.detail ?? {})),
      })
      .execute();
    await sealValues(db, "audit_events", String(seq));
  });
}

export async function listAuditEvents(
  db: ReadableDb,
  filter: AuditFilter & { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly AuditRow[]; readonly total: number }> {
  const events = db.selectFrom("auditEvents").where(matching(filter));
  const page = events.selectAll().orderBy("seq", "desc").limit(filter.limit).offset(filter.offset);
  const count = events.select(({ fn }) => fn.countAll<number>().as("total"));
  return { rows: (await page.execute()).map(withDetail), total: (await count.executeTakeFirstOrThrow()).total };
}

export async function* readAuditEvents(db: ReadableDb, filter: AuditFilter): AsyncGenerator<AuditRow> {
  const events = db.selectFrom("auditEvents").where(matching(filter)).selectAll().orderBy("seq");
  for await (const row of inPages((seq) => (seq === null ? events : events.where("seq", ">", seq))))
    yield withDetail(row);
}

function withDetail({ detail, ...event }: StoredEvent): AuditRow {
  return { ...event, detail: detailSchema.parse(JSON.parse(detail)) };
}

function matching({ actions, who, patientId, fromMs, toMs }: AuditFilter) {
  return (event: ExpressionBuilder<Tables, "auditEvents">) =>
    event.and([
      ...(actions ? [actions.length > 0 ? event("action", "in", actions) : event.lit(false)] : []),
      ...(who ? [containsTyped(event.ref("who"), who)] : []),
      ...(patientId ? [event("patientId", "=", patientId)] : []),
      ...(fromMs === undefined ? [] : [event("atMs", ">=", fromMs)]),
      ...(toMs === undefined ? [] : [event("atMs", "<", toMs)]),
    ]);
}
