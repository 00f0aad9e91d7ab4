import { AppError, because } from "../../../../core/app-error.ts";
import type {
  DatabaseAddress,
  DatabaseState,
  TestedDatabase,
} from "../../../../core/contract/desktop/practice/database.ts";
import { recordAudit } from "../../../store/audit/audit-events.ts";
import type { ReadableDb } from "../../../store/connection.ts";
import { engineOf, transaction } from "../../../store/engines/engine.ts";
import { readPostgresAddress, writePostgresAddress } from "../../../store/engines/postgres/postgres-address.ts";
import { listMachines } from "../../../store/machines/machines.ts";
import { storeFile } from "../../../store/files/store-files.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import type { Sealer } from "../../desktop/secrets.ts";
import { chooseDatabase, chosenDatabase, namedBy, type NamedLocation } from "../store-location.ts";
import { tryDatabase } from "./try-database.ts";

type Host = NamedLocation & { readonly sealer: Sealer | null; readonly restart: (() => void) | null };

export function createPracticeDatabase(
  { db, dataDir, now }: Pick<DesktopContext, "db" | "dataDir" | "now">,
  { database, sealer, restart }: Host,
) {
  const present = { db, dataDir };
  let found: TestedDatabase | null = null;
  const get = async (): Promise<DatabaseState> => {
    const { place } = engineOf(db);
    const by = namedBy(db, { database });
    const chosen = by === "arguments" || by === "environment" ? place : chosenDatabase(dataDir);
    return {
      place,
      file: storeFile(dataDir),
      namedBy: by,
      next: chosen === place ? null : { database: chosen, test: chosen === null ? null : found },
      isSealed: sealer !== null,
      canRestart: restart !== null,
      machines: await machinesOf(db),
    };
  };
  const keep = (url: string | null, subject: string) =>
    transaction(db, async () => {
      if (url === null && chosenDatabase(dataDir) === null) return;
      await recordAudit(db, { action: "database.chosen", at: now(), subject });
      chooseDatabase(dataDir, url, sealer);
    });
  return {
    get,
    /**
     * @param address  null for the file, `present` for the current location
     *
     * @throws AppError CONFLICT if the command line or the environment names the database
     */
    async choose(address: DatabaseAddress | "present" | null) {
      const by = namedBy(db, { database });
      if (by === "arguments" || by === "environment") throw new AppError("CONFLICT", because("databaseNamed"));
      if (address === null || address === "present") {
        const url = address === null ? null : engineOf(db).url;
        await keep(url, url === null ? "corvet.db" : readPostgresAddress(url).place);
        found = null;
        return { tested: null };
      }
      const tested = await tryDatabase(present, address, new AbortController().signal);
      if (tested.isUsable) {
        await keep(writePostgresAddress(address), tested.place);
        found = tested;
      }
      return { tested };
    },
    /** @throws AppError NOT_AVAILABLE */
    restart() {
      if (restart === null) throw new AppError("NOT_AVAILABLE");
      restart();
    },
  };
}

async function machinesOf(db: ReadableDb): Promise<DatabaseState["machines"]> {
  const { machineId } = engineOf(db);
  if (machineId === null) return [];
  // The list is unknown while the database is unavailable.
  const machines = await listMachines(db).catch((error: unknown) => {
    if (error instanceof AppError) return [];
    throw error;
  });
  return machines.map(({ id, name, programVersion, seenAtMs, isAtWork }) => ({
    id,
    name,
    programVersion,
    seenAt: seenAtMs === 0 ? null : new Date(seenAtMs).toISOString(),
    isAtWork,
    isThis: id === machineId,
  }));
}
