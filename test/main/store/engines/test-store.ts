import type { WritableDb } from "../../../../main/store/connection.ts";
import { openPostgresStore } from "../../../../main/store/engines/postgres/open-postgres-store.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { temporaryDatabase } from "../../../fixtures/postgres/temporary-database.ts";
import { temporaryStore } from "../sample-store.ts";

export const engines = hasPostgres ? (["sqlite", "postgres"] as const) : (["sqlite"] as const);

export async function openTestStore(
  engine: (typeof engines)[number],
): Promise<{ readonly db: WritableDb; remove(): Promise<void> }> {
  if (engine === "sqlite") {
    const { db, remove } = await temporaryStore();
    return { db, remove: async () => remove() };
  }
  const database = await temporaryDatabase();
  const db = await openPostgresStore(database.url);
  return {
    db,
    async remove() {
      await db.destroy();
      await database.remove();
    },
  };
}
