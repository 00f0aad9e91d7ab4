import { existsSync } from "node:fs";
import path from "node:path";
import { DatabaseError } from "pg";
import { AppError } from "../../../core/app-error.ts";
import { lockDataDir } from "../../instance-lock.ts";
import { assertNoOtherProgram } from "../../store/copying/other-programs.ts";
import { openIncompleteStore } from "../../store/copying/incomplete-store.ts";
import type { CopyTarget } from "../../store/copying/unfinished-copy.ts";
import type { CopyOrder } from "../../store/copying/copy-store.ts";
import { openStore } from "../../store/database.ts";
import { insufficientPrivilege, openPostgresStore } from "../../store/engines/postgres/open-postgres-store.ts";
import { readPostgresAddress } from "../../store/engines/postgres/postgres-address.ts";
import { readAnchor } from "../../store/ledger/record-anchor.ts";

type Open<End> = End & { close(): Promise<void> };

export function isDatabase(place: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(place);
}

/** Canonical location of a store, without user and password. */
export function displayedPlace(place: string): string {
  return isDatabase(place) ? readPostgresAddress(place).place : path.resolve(place);
}

/**
 * Keeps programs from starting on the source until it is closed.
 *
 * @throws AppError STORE_NOT_FOUND, STORE_BUSY if a program uses it, and as openStore and openPostgresStore
 */
export async function openSource(named: string): Promise<Open<CopyOrder["source"]>> {
  const place = displayedPlace(named);
  if (isDatabase(named)) {
    const db = await openDatabaseAlone(named, { takesUnfinishedCopy: false });
    return { db, place, head: null, close: () => db.destroy() };
  }
  if (!existsSync(place)) throw new AppError("STORE_NOT_FOUND", `There is no store in ${place}.`);
  const lock = lockDataDir(place);
  return await orRelease(lock, async () => {
    const db = await openStore(place, { create: false, setAside: false });
    const close = () => db.destroy().finally(() => lock.release());
    return { db, place, head: readAnchor(place), close };
  });
}

/** Target of a copy; `complete` makes it a store. */
export type OpenTarget = Open<CopyTarget> & { complete(): Promise<void> };

/**
 * Opens the target of a copy: an empty database, or a data directory without a store.
 *
 * @throws AppError CONFLICT, STORE_BUSY, and as openIncompleteStore and openPostgresStore
 */
export async function openTarget(named: string): Promise<OpenTarget> {
  const place = displayedPlace(named);
  if (isDatabase(named)) {
    const db = await openDatabaseAlone(named, { takesUnfinishedCopy: true });
    return { db, place, isOwnFile: false, complete: () => Promise.resolve(), close: () => db.destroy() };
  }
  const lock = lockDataDir(place);
  return await orRelease(lock, async () => {
    const { db, complete } = await openIncompleteStore(place);
    return { db, place, isOwnFile: true, complete, close: () => db.destroy().finally(() => lock.release()) };
  });
}

export function asRefusedRight(error: unknown): unknown {
  if (!(error instanceof DatabaseError && error.code === insufficientPrivilege)) return error;
  const detail = `Copying a database requires its owner (${error.message}).`;
  return new AppError("STORE_UNAVAILABLE", detail, { cause: error });
}

async function openDatabaseAlone(url: string, options: { readonly takesUnfinishedCopy: boolean }) {
  const db = await openPostgresStore(url, { isTimeLimited: false, ...options });
  try {
    await assertNoOtherProgram(db, displayedPlace(url));
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function orRelease<End>(lock: { release(): void }, open: () => Promise<End>): Promise<End> {
  try {
    return await open();
  } catch (error) {
    lock.release();
    throw error;
  }
}
