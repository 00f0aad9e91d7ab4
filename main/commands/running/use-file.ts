import { existsSync } from "node:fs";
import { recordAudit } from "../../store/audit/audit-events.ts";
import { openStore } from "../../store/database.ts";
import { storeFile } from "../../store/files/store-files.ts";
import { chooseDatabase, chosenDatabase, databaseVariable } from "../../services/program/store-location.ts";
import { asOperatingSystemUser } from "./acting-command.ts";
import { UsageError } from "./run-program.ts";

/**
 * Reverts the choice of a database in the settings: from the next start on the store is the file of the data directory.
 * For an unreachable database; recorded in the file if it exists.
 *
 * @returns text for the user
 * @throws UsageError if no database was chosen
 */
export async function useFile(dataDir: string): Promise<string> {
  const place = chosenDatabase(dataDir);
  const file = storeFile(dataDir);
  if (place === null) throw new UsageError(`no database was chosen in the settings of ${dataDir}`);
  if (existsSync(file)) {
    await using db = await openStore(dataDir, { create: false, setAside: false });
    const event = { action: "database.chosen", at: new Date(), subject: "corvet.db" } as const;
    await asOperatingSystemUser(() => recordAudit(db, event));
  }
  chooseDatabase(dataDir, null, null);
  const named = process.env[databaseVariable] ? ` ${databaseVariable} still names a database here.` : "";
  return `From the next start on the store is ${file}. What is in ${place} stays there.${named}`;
}
