import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureTlsCredentials } from "../../main/server/tls/tls.ts";
import { removeAtExit } from "../fixtures/process/process-end.ts";
import { markSetUp } from "./program.ts";

let prepared: string | null = null;

/** Fills a data directory with a prepared store and certificates, created once per worker and copied. */
export async function putPrepared(dataDir: string): Promise<void> {
  if (prepared === null) {
    prepared = mkdtempSync(path.join(tmpdir(), "corvet-prepared-"));
    await markSetUp(prepared);
    await ensureTlsCredentials(prepared, [], new Date());
    removeAtExit(prepared);
  }
  cpSync(prepared, dataDir, { recursive: true });
}
