import { openStoreOf } from "../../services/program/store-location.ts";
import type { WritableDb } from "../../store/database.ts";
import { asOperatingSystemUser } from "./acting-command.ts";

/**
 * Writes have the operating-system user as their actor. A damaged store is reported, never set aside.
 *
 * @throws AppError as openStoreOf
 */
export async function withStore<T>(
  dataDir: string,
  work: (db: WritableDb) => T | Promise<T>,
  { create = false } = {},
): Promise<T> {
  await using db = await openStoreOf(dataDir, { create, setAside: false });
  return await asOperatingSystemUser(() => work(db));
}
