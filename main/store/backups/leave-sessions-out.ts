import type { Database } from "better-sqlite3";

/**
 * Deletes capture sessions from a copy of the store, because their films must not outlive them.
 *
 * @param copy  open, used by no other connection
 */
export function leaveSessionsOut(copy: Database): void {
  copy.pragma("secure_delete = ON");
  copy.pragma("foreign_keys = ON");
  copy.exec("DELETE FROM pop_sessions");
}
