import { sql } from "kysely";
import type { ReadableDb } from "../../connection.ts";

/** Oldest supported PostgreSQL, as `server_version_num`. */
const oldestVersion = 150_000;

/** Why a database is unsuitable for the store; null if it is suitable. */
export async function findMisfit(db: ReadableDb): Promise<"tooOld" | "encoding" | "noIcu" | null> {
  const query = sql<{ version: number; encoding: string; hasLetters: number }>`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
      EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') AS has_letters`;
  const [found] = (await query.execute(db)).rows;
  if (found === undefined || found.version < oldestVersion) return "tooOld";
  if (found.encoding !== "UTF8") return "encoding";
  return found.hasLetters === 0 ? "noIcu" : null;
}

/** Id shared by a server and its physical copies, such as a standby, independent of the address. */
export async function readServerId(db: ReadableDb): Promise<string> {
  const query = sql<{ id: string }>`SELECT system_identifier::text AS id FROM pg_control_system()`;
  return (await query.execute(db)).rows[0]?.id ?? "";
}
