import { sql } from "kysely";
import type { ReadableDb } from "../../connection.ts";

/** Id shared by a server and its physical copies, such as a standby, independent of the address. */
export async function readServerId(db: ReadableDb): Promise<string> {
  const query = sql<{ id: string }>`SELECT system_identifier::text AS id FROM pg_control_system()`;
  return (await query.execute(db)).rows[0]?.id ?? "";
}
