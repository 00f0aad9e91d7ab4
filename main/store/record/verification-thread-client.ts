import { startThread, threadFile } from "../../workers/start-thread.ts";
import { keyOfStore } from "../encryption/key-keeper.ts";
import type { StoreKey } from "../encryption/store-key.ts";
import type { RecordVerification } from "./record-verification.ts";

export type VerificationCalls = {
  readonly verify: {
    readonly request: { readonly dataDir: string; readonly key: StoreKey | null };
    readonly answer: RecordVerification;
  };
};

/** Verifies the record in a thread, while the program keeps writing. @throws SqliteError if the store cannot be read */
export async function verifyInThread(dataDir: string, key = keyOfStore(dataDir)): Promise<RecordVerification> {
  const thread = startThread<VerificationCalls>(threadFile("verification-thread", import.meta.url));
  try {
    return await thread.call("verify", { dataDir, key });
  } finally {
    await thread.close();
  }
}
