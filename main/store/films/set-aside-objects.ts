import { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";

const rowSchema = z.object({
  id: z.string(),
  fileName: z.string(),
  receivedAtMs: z.int(),
  sender: z.string().nullable(),
  facts: z.string().nullable(),
  failure: z.string(),
});

/**
 * A received object that could not be shown. `sender`: its AE title; `facts`: JSON of the contract's `dicomInstance`,
 * null where its elements cannot be read; `failure`: JSON of the contract's `failure`.
 */
export type SetAsideObject = Readonly<z.infer<typeof rowSchema>>;

const columns = "id, file_name AS fileName, received_at_ms AS receivedAtMs, sender, facts, failure";

/** Keeps why an object is not shown; said again of the same file, the newer reason counts. */
export function keepSetAside(db: WritableDb, row: SetAsideObject): void {
  db.prepare(
    `INSERT INTO set_aside_objects (id, file_name, received_at_ms, sender, facts, failure)
     VALUES (:id, :fileName, :receivedAtMs, :sender, :facts, :failure)
     ON CONFLICT (file_name) DO UPDATE SET facts = excluded.facts, failure = excluded.failure`,
  ).run(row);
}

/** Objects that are not shown, the newest first. */
export function listSetAside(db: ReadableDb): readonly SetAsideObject[] {
  const rows = db.prepare(`SELECT ${columns} FROM set_aside_objects ORDER BY received_at_ms DESC, rowid DESC`).all();
  return z.array(rowSchema).parse(rows);
}

/** One object that is not shown. @throws AppError NOT_FOUND */
export function getSetAside(db: ReadableDb, id: string): SetAsideObject {
  const row = db.prepare(`SELECT ${columns} FROM set_aside_objects WHERE id = ?`).get(id);
  if (row === undefined) throw new AppError("NOT_FOUND");
  return rowSchema.parse(row);
}

/** Forgets an object: it is on the worklist now, or a person has deleted it. */
export function forgetSetAside(db: WritableDb, id: string): void {
  db.prepare("DELETE FROM set_aside_objects WHERE id = ?").run(id);
}
