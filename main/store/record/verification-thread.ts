import { serveThread } from "../../workers/serve-thread.ts";
import { listBackups } from "../backups/backups.ts";
import { isPlainFile, openDatabaseFile } from "../encryption/database-file.ts";
import type { StoreKey } from "../encryption/store-key.ts";
import { createSqliteStore } from "../engines/sqlite/sqlite-store.ts";
import { readAnchor, readHead, type RecordHead } from "../ledger/record-anchor.ts";
import { findLoss, verifyRecord, type RecordVerification } from "./record-verification.ts";
import { lastSetAsideMs, storeFile } from "../files/store-files.ts";
import type { VerificationCalls } from "./verification-thread-client.ts";

// Runs in a thread: reading the record of a year takes seconds, which would block the main thread.

serveThread<VerificationCalls>({ verify });

async function verify({ dataDir, key }: VerificationCalls["verify"]["request"]): Promise<RecordVerification> {
  // Read the noted head first, so that rows added during verification do not count as a fault.
  const head = readAnchor(dataDir);
  const file = openDatabaseFile(storeFile(dataDir), key, { readonly: true, fileMustExist: true });
  try {
    const db = createSqliteStore(file);
    const found = await verifyRecord(db, head);
    const sealed = await headOfNewestBackup(dataDir, key);
    const loss = found.fault === null && sealed ? await findLoss(db, sealed) : null;
    return loss === null ? found : { ...found, fault: loss };
  } finally {
    file.close();
  }
}

/** Ignores backups from before a restore, which belong to a former store. */
async function headOfNewestBackup(dataDir: string, key: StoreKey | null): Promise<RecordHead | null> {
  const sinceMs = lastSetAsideMs(dataDir);
  const newest = listBackups(dataDir).find(({ atMs }) => atMs <= Date.now() && atMs > sinceMs);
  if (!newest) return null;
  try {
    const copy = openDatabaseFile(newest.path, isPlainFile(newest.path) ? null : key, {
      readonly: true,
      fileMustExist: true,
    });
    try {
      return await readHead(createSqliteStore(copy), newest.atMs);
    } finally {
      copy.close();
    }
  } catch {
    // A damaged backup has no head.
    return null;
  }
}
