import type { Database } from "better-sqlite3";
import { closeSync, openSync, statSync } from "node:fs";
import { hasRollbackHeader } from "./foreign-log.ts";

/**
 * Returns a check whether the path of an open database still leads to its file. After a deletion, a move or a
 * replacement the connection stays usable, but its writes are lost when it closes.
 */
export function fileInPlace({ name, memory }: Database): () => boolean {
  if (memory) return () => true;
  const identity = identityOf(name);
  return () => identityOf(name) === identity;
}

function identityOf(name: string): string {
  const found = statSync(name, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}/${found.ino}` : "missing";
}

/**
 * Reads the header of an open database's file. Call `close` after the connection is closed: closing a descriptor of the
 * file releases the locks that SQLite holds on it, and then any program that opens and closes the store deletes its
 * write-ahead log.
 *
 * @see https://www.sqlite.org/howtocorrupt.html, 2.2
 */
export function fileHeader({ name }: Database): { isWithoutLog: () => boolean; close: () => void } {
  let handle: number | null = null;
  return {
    isWithoutLog() {
      handle ??= openSync(name, "r");
      return hasRollbackHeader(handle);
    },
    close() {
      if (handle !== null) closeSync(handle);
      handle = null;
    },
  };
}
