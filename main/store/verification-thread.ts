import Database from "better-sqlite3";
import { serveThread } from "../workers/serve-thread.ts";
import type { ReadableDb } from "./connection.ts";
import { readAnchor } from "./ledger/record-anchor.ts";
import { verifyRecord, type RecordVerification } from "./record-verification.ts";
import { storeFile } from "./store-files.ts";
import type { VerificationCalls } from "./verification-thread-client.ts";

// A thread of its own: a year's record takes seconds to read, and the program would answer nobody meanwhile.

serveThread<VerificationCalls>({ verify });

function verify(dataDir: string): RecordVerification {
  // The noted head is read first: rows that arrive meanwhile are not a fault.
  const head = readAnchor(dataDir);
  const db = new Database(storeFile(dataDir), { readonly: true, fileMustExist: true });
  try {
    return verifyRecord(db as unknown as ReadableDb, head);
  } finally {
    db.close();
  }
}
