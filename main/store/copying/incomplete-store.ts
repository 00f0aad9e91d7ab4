import { renameSync } from "node:fs";
import { AppError } from "../../../core/app-error.ts";
import { makeStoreFile } from "../database.ts";
import { keyOfStore } from "../encryption/key-keeper.ts";
import { connect } from "../engines/sqlite/connect.ts";
import { createSqliteStore } from "../engines/sqlite/sqlite-store.ts";
import { startRecordAnchor, moveAnchor } from "../ledger/record-anchor.ts";
import { flush, setAsideAnchor, storeFile } from "../files/store-files.ts";
import { fileExists } from "../files/private-file.ts";

/**
 * Opens the target file of a copy, new or interrupted; encrypted if the data directory is.
 *
 * @throws AppError CONFLICT if the data directory has a store, STORE_LOCKED if its key is missing
 */
export async function openIncompleteStore(dataDir: string) {
  assertNoStore(dataDir);
  const file = fileInMaking(dataDir);
  const key = keyOfStore(dataDir);
  await makeStoreFile(file, key);
  const db = createSqliteStore(connect(file, key));
  return {
    db,
    /** Closes the file and makes it the store of the data directory. */
    async complete() {
      assertNoStore(dataDir);
      // Write the new anchor before the store gets its name: a store without an anchor counts as one whose anchor was
      // removed.
      setAsideAnchor(dataDir, "replaced", new Date());
      startRecordAnchor(db, dataDir, { isHeld: false });
      await moveAnchor(db);
      await db.destroy();
      flush(file);
      renameSync(file, storeFile(dataDir));
    },
  };
}

/** The unfinished copy. Can be deleted to start over. */
function fileInMaking(dataDir: string): string {
  return `${storeFile(dataDir)}.copying`;
}

/** A write-ahead log without its database counts, too: SQLite would apply it to the new one. */
function assertNoStore(dataDir: string): void {
  if ([storeFile(dataDir), `${storeFile(dataDir)}-wal`].some((file) => fileExists(file)))
    throw new AppError("CONFLICT", `There is a store in ${dataDir} already.`);
}
