import type { ReadableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import { readNotedHead } from "../ledger/record-anchor.ts";
import { verifyRecord, type RecordVerification } from "./record-verification.ts";
import { verifyInThread } from "./verification-thread-client.ts";

/** Verifies a store in use: a file in a thread, PostgreSQL in pages between other queries. */
export async function verifyStore(db: ReadableDb, dataDir: string): Promise<RecordVerification> {
  if (engineOf(db).file !== null) return await verifyInThread(dataDir);
  // Read the noted head first, so that rows added during verification do not count as a fault.
  return await verifyRecord(db, readNotedHead(db));
}
