import type { Database } from "better-sqlite3";
import { statSync } from "node:fs";

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
