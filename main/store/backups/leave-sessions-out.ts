import type { Database } from "better-sqlite3";

/**
 * Leaves capture sessions under way out of a copy of the store, because their films must not outlive them. A store of an
 * older program may know none.
 *
 * @param copy  open, nobody else's
 * @returns     how many there were
 */
export function leaveSessionsOut(copy: Database): number {
  const table = copy.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'pop_sessions'").get();
  if (table === undefined) return 0;
  copy.pragma("secure_delete = ON");
  copy.pragma("foreign_keys = ON");
  return copy.prepare("DELETE FROM pop_sessions").run().changes;
}
