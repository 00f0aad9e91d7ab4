import { sql } from "kysely";
import type { ReadableDb } from "../../connection.ts";

/** Id that a server has in common with its physical copies, such as a standby, whatever their addresses. */
export async function readServerId(db: ReadableDb): Promise<string> {
  const question = sql<{ id: string }>`SELECT system_identifier::text AS id FROM pg_control_system()`;
  return (await question.execute(db)).rows[0]?.id ?? "";
}
