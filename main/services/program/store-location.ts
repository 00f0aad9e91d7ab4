import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { databaseVariable } from "../../program.ts";
import { openStore, type OpenOptions, type ReadableDb, type WritableDb } from "../../store/database.ts";
import { copyWorkstationData } from "../../store/copying/copy-workstation-data.ts";
import { engineOf } from "../../store/engines/engine.ts";
import { readPostgresAddress, type PostgresAddress } from "../../store/engines/postgres/postgres-address.ts";
import { readServerId } from "../../store/engines/postgres/server-facts.ts";
import { readAnchor } from "../../store/ledger/record-anchor.ts";
import { fileExists, replacePrivateFile } from "../../store/files/private-file.ts";
import { anchorFile } from "../../store/files/store-files.ts";
import { machineOf } from "../../store/machines/machine.ts";
import { resumeRecordAnchor } from "../../store/record/record-verification.ts";
import { openSecrets, type Sealer } from "../desktop/secrets.ts";

/** Value that selects the local file as the store, overriding the settings. */
export const inFile = "file";

const secretName = "database";
const note = z.object({ place: z.string() });

export type NamedBy = "arguments" | "environment" | "settings";

/** Returns null for a store in a file. */
export function namedBy(db: ReadableDb, { database }: NamedLocation): NamedBy | null {
  if (engineOf(db).url === null) return null;
  return database ? "arguments" : process.env[databaseVariable] ? "environment" : "settings";
}

/** As given on the command line. */
export type NamedLocation = {
  /** Address of a database, or `inFile`. */
  readonly database?: string | null | undefined;
  readonly sealer?: Sealer | null | undefined;
};

/**
 * Reads the command line, the environment and the settings, in this order; null for a store in a file.
 *
 * @throws AppError STORE_UNAVAILABLE if the selected address cannot be decrypted
 */
export function databaseOf(dataDir: string, { database, sealer = null }: NamedLocation = {}): string | null {
  const named = namedStore({ database });
  if (named === inFile) return null;
  if (named !== null) return named;
  const place = chosenDatabase(dataDir);
  if (place === null) return null;
  let cause: unknown;
  try {
    const url = openSecrets(dataDir, sealer).get(secretName);
    if (url !== null) return url;
  } catch (error) {
    cause = error;
  }
  throw new AppError(
    "STORE_UNAVAILABLE",
    `The store is in ${place}, and its address with the password cannot be read here. Set it in ${databaseVariable}.`,
    { cause },
  );
}

export function isDatabaseAway(error: unknown, dataDir: string, place: NamedLocation): error is AppError {
  // Reads neither address nor note, since they may be what failed.
  const named = namedStore(place);
  const isInDatabase = named === null ? existsSync(noteFile(dataDir)) : named !== inFile;
  return error instanceof AppError && error.code === "STORE_UNAVAILABLE" && isInDatabase;
}

/** From the command line, else from the environment. */
function namedStore({ database }: NamedLocation): string | null {
  return database ?? (process.env[databaseVariable] || null);
}

/**
 * Reads the settings, without user and password; null for a store in a file.
 *
 * @throws AppError STORE_UNAVAILABLE for an unreadable note, since the local file may be an outdated store
 */
export function chosenDatabase(dataDir: string): string | null {
  const file = noteFile(dataDir);
  try {
    if (!fileExists(file)) return null;
    return note.parse(JSON.parse(readFileSync(file, "utf8"))).place;
  } catch (cause) {
    throw new AppError(
      "STORE_UNAVAILABLE",
      `${file}, which names the database of the store, cannot be read. Set its address in ${databaseVariable}; if the store is in the data directory, delete ${file}.`,
      { cause },
    );
  }
}

/** Reads environment and settings, without user and password; null for a store in a file. */
export function databaseLocationOf(dataDir: string): string | null {
  const named = namedStore({});
  if (named === inFile) return null;
  return named === null ? chosenDatabase(dataDir) : readPostgresAddress(named).place;
}

/** @throws AppError CONFLICT if the store is in a database */
export function assertInFile(dataDir: string): void {
  if (databaseLocationOf(dataDir) !== null) throw new AppError("CONFLICT", because("storeInDatabase"));
}

/** Applies from the next start; null selects the file in the data directory. */
export function chooseDatabase(dataDir: string, url: string | null, sealer: Sealer | null): void {
  const secrets = openSecrets(dataDir, sealer);
  if (url === null) {
    rmSync(noteFile(dataDir), { force: true });
    return secrets.forget(secretName);
  }
  const { place } = readPostgresAddress(url);
  secrets.keep(secretName, url);
  replacePrivateFile(noteFile(dataDir), `${JSON.stringify({ place })}\n`);
}

/** @throws AppError as `openStore` and `openPostgresStore` */
export async function openStoreOf(
  dataDir: string,
  { database, sealer, ...options }: OpenOptions & NamedLocation = {},
): Promise<WritableDb> {
  const url = databaseOf(dataDir, { database, sealer });
  return url === null ? await openStore(dataDir, options) : await openDatabase(dataDir, url);
}

async function openDatabase(dataDir: string, url: string): Promise<WritableDb> {
  // Loads the driver on demand.
  const { openPostgresStore } = await import("../../store/engines/postgres/open-postgres-store.ts");
  const db = await openPostgresStore(url, { machineId: machineOf(dataDir).id });
  try {
    await copyWorkstationData(db, dataDir);
    await watchRecord(db, dataDir, readPostgresAddress(url));
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/**
 * Keeps the record's head in a folder for each address. A new address inherits the head of the same database under a
 * former one, such as before a standby was promoted.
 */
async function watchRecord(db: WritableDb, dataDir: string, { place, database }: PostgresAddress): Promise<void> {
  const folders = path.join(dataDir, "databases");
  const folder = path.join(folders, createHash("sha256").update(place).digest("hex").slice(0, 16));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const identity = `${await readServerId(db)}/${database}`;
  if (readAnchor(folder) === null) inheritHead(folders, folder, identity);
  replacePrivateFile(identityFile(folder), identity);
  await resumeRecordAnchor(db, folder);
}

function inheritHead(folders: string, folder: string, identity: string): void {
  const [newest] = readdirSync(folders)
    .map((name) => path.join(folders, name))
    .filter((other) => fileExists(identityFile(other)) && readFileSync(identityFile(other), "utf8") === identity)
    .map((other) => ({ other, atMs: readAnchor(other)?.atMs ?? 0 }))
    .sort((one, two) => two.atMs - one.atMs);
  if (newest && newest.atMs > 0) copyFileSync(anchorFile(newest.other), anchorFile(folder));
}

function identityFile(folder: string): string {
  return path.join(folder, "identity");
}

function noteFile(dataDir: string): string {
  return path.join(dataDir, "database.json");
}
