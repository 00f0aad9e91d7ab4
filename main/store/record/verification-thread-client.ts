import { startThread, threadFile } from "../../workers/start-thread.ts";
import type { RecordVerification } from "./record-verification.ts";

/** What a thread verifies: the record of a data directory. */
export type VerificationCalls = { readonly verify: { readonly request: string; readonly answer: RecordVerification } };

/**
 * Verifies the record of a store in a thread, beside a program that goes on writing to it.
 *
 * @throws SqliteError when the store cannot be read
 * @see verifyRecord
 */
export async function verifyInThread(dataDir: string): Promise<RecordVerification> {
  const thread = startThread<VerificationCalls>(threadFile("verification-thread", import.meta.url));
  try {
    return await thread.call("verify", dataDir);
  } finally {
    await thread.close();
  }
}
