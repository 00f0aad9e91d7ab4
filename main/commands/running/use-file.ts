import { existsSync } from "node:fs";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { openStore } from "../../store/database.ts";
import { storeFile } from "../../store/store-files.ts";
import { chooseDatabase, chosenDatabase, databaseVariable } from "../../services/program/store-place.ts";
import { asOperatingSystemUser } from "./acting-command.ts";
import { UsageError } from "./run-program.ts";

/**
 * Takes back what was chosen in the settings: from the next start on the store is the file of the data directory. For a
 * database that is away; recorded in the file, where there is one.
 *
 * @returns what to tell
 * @throws UsageError where no database was chosen
 */
export async function useFile(dataDir: string): Promise<string> {
  const place = chosenDatabase(dataDir);
  const file = storeFile(dataDir);
  if (place === null) throw new UsageError(`no database was chosen in the settings of ${dataDir}`);
  if (existsSync(file)) {
    const db = await openStore(dataDir, { create: false, setAside: false });
    try {
      const event = { action: "database.chosen", at: new Date(), subject: "corvet.db" } as const;
      await asOperatingSystemUser(() => recordAudit(db, event));
    } finally {
      await db.destroy();
    }
  }
  chooseDatabase(dataDir, null, null);
  const named = process.env[databaseVariable] ? ` ${databaseVariable} still names a database here.` : "";
  return `From the next start on the store is ${file}. What is in ${place} stays there.${named}`;
}
