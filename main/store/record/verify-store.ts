import type { ReadableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import { readNotedHead } from "../ledger/record-anchor.ts";
import { verifyRecord, type RecordVerification } from "./record-verification.ts";
import { verifyInThread } from "./verification-thread-client.ts";

/** Verifies the record of a store during writes: a file in a thread, a database in pages between other queries. */
export async function verifyStore(db: ReadableDb, dataDir: string): Promise<RecordVerification> {
  if (engineOf(db).file !== null) return await verifyInThread(dataDir);
  // Read the noted head first: rows added during verification are no fault.
  return await verifyRecord(db, readNotedHead(db));
}
