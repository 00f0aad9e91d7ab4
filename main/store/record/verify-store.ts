import type { ReadableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import { readNotedHead } from "../ledger/record-anchor.ts";
import { verifyRecord, type RecordVerification } from "./record-verification.ts";
import { verifyInThread } from "./verification-thread-client.ts";

/**
 * Verifies the record of a store that is still being written: one in a file in a thread, one in a database in pages
 * between what else is asked.
 */
export async function verifyStore(db: ReadableDb, dataDir: string): Promise<RecordVerification> {
  if (engineOf(db).file !== null) return await verifyInThread(dataDir);
  // The noted head is read first: rows that arrive meanwhile are not a fault.
  return await verifyRecord(db, readNotedHead(db));
}
