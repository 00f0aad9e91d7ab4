import path from "node:path";
import { AppError } from "../../../../core/app-error.ts";
import {
  usableOutcomes,
  type DatabaseAddress,
  type DatabaseOutcome,
  type TestedDatabase,
} from "../../../../core/contract/desktop/practice/database.ts";
import { commandLine } from "../../../program.ts";
import type { ReadableDb } from "../../../store/connection.ts";
import { engineOf } from "../../../store/engines/engine.ts";
import type { DatabaseFinding } from "../../../store/engines/postgres/examine-database.ts";
import { readPostgresAddress, writePostgresAddress } from "../../../store/engines/postgres/postgres-address.ts";

type Present = { readonly db: ReadableDb; readonly dataDir: string };

/**
 * Tests a database as the store's location, and determines what would happen to the current data.
 *
 * @param maxMs  time to wait for the server
 * @throws AbortError if cancelled
 */
export async function tryDatabase(
  present: Present,
  address: DatabaseAddress,
  signal: AbortSignal,
  maxMs = 5000,
): Promise<TestedDatabase> {
  const { outcome, detail } = await examine(address, signal, maxMs);
  const isUsable = usableOutcomes.some((usable) => usable === outcome);
  const place = placeOf(address);
  const isSame = engineOf(present.db).place === place;
  const becomes = isUsable && !isSame && (await hasData(present.db)) ? whatBecomes(outcome) : "none";
  return { outcome, isUsable, detail, place, present: becomes, copyCommand: copyCommand(present, address) };
}

async function examine(address: DatabaseAddress, signal: AbortSignal, maxMs: number): Promise<DatabaseFinding> {
  // Loads the driver on demand.
  const { examineDatabase } = await import("../../../store/engines/postgres/examine-database.ts");
  const limit = AbortSignal.timeout(maxMs);
  try {
    return await examineDatabase(writePostgresAddress(address), AbortSignal.any([signal, limit]));
  } catch (error) {
    if (limit.aborted && !signal.aborted) return { outcome: "noAnswer", detail: `${maxMs / 1000} s` };
    if (!(error instanceof AppError)) throw error;
    return { outcome: address.authorityFile === "" ? "address" : "certificateFile", detail: error.message };
  }
}

function placeOf(address: DatabaseAddress): string {
  return readPostgresAddress(writePostgresAddress({ ...address, authorityFile: "" })).place;
}

function whatBecomes(outcome: DatabaseOutcome): "copy" | "stays" {
  return outcome === "empty" ? "copy" : "stays";
}

async function hasData(db: ReadableDb): Promise<boolean> {
  for (const table of ["patients", "films", "ledger", "measurements", "accounts"] as const)
    if ((await db.selectFrom(table).select(db.fn.countAll<number>().as("rows")).executeTakeFirst())?.rows) return true;
  return false;
}

/** Omits the password, which the process list and shell history would reveal. */
function copyCommand({ db, dataDir }: Present, address: DatabaseAddress): string {
  const from = engineOf(db).place ?? path.resolve(dataDir);
  const to = writePostgresAddress({ ...address, password: "" });
  return `${commandLine("store")} copy --from "${from}" --to "${to}"`;
}
