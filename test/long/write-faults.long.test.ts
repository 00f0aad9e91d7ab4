import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { programDir } from "../../main/program.ts";
import { readFilmFile } from "../../main/services/desktop/film-files.ts";
import { getEncryption } from "../../main/services/program/encryption/encryption.ts";
import { findDamageInFile } from "../../main/store/record/integrity.ts";
import { listBackups } from "../../main/store/backups/backups.ts";
import { listAuditEvents } from "../../main/store/audit/audit-events.ts";
import { openStore, type ReadableDb } from "../../main/store/database.ts";
import { encryptionNoteFile } from "../../main/store/encryption/encryption-note.ts";
import { keyOfStore, placeOfKey } from "../../main/store/encryption/key-keeper.ts";
import { keyOfRecovery, makeStoreKey, recoveryKeyOf } from "../../main/store/encryption/store-key.ts";
import { nameOfImage } from "../../main/store/film-images/film-images.ts";
import { countLedgerEvents } from "../../main/store/ledger/ledger-reports.ts";
import { verifyInThread } from "../../main/store/record/verification-thread-client.ts";
import { anchorFile } from "../../main/store/store-files.ts";

// Every write of the store, the films, the audit trail and the encryption fails once, one after the other: the next
// start finds an intact record with everything that was acknowledged, and no secret is lost.

const hasStrace = spawnSync("strace", ["true"]).status === 0;
if (!hasStrace) console.info("writes that fail: skipped, strace is missing or not permitted");

let [folder, dataDir, prepared] = ["", "", ""];
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "corvet-write-faults-"));
  // A thousand writes make the tables; none of them is of a record.
  prepared = path.join(folder, "prepared");
  await (await openStore(prepared)).destroy();
  vi.stubEnv("CORVET_KEYS_DIR", path.join(folder, "keys"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** System calls that change a disk, and the files of those that would otherwise reach the runtime's own pipes. */
const calls = [
  ["pwrite64", () => []],
  ["fsync", () => []],
  ["ftruncate", () => []],
  ["rename", () => []],
  ["unlink", () => []],
  ["mkdir", () => []],
  ["write", () => [`${encryptionNoteFile(dataDir)}.new`, `${placeOfKey(dataDir)}.new`, anchorFile(dataDir)]],
] as const;

/** Runs the acts with one failing call. @returns printed acts; null once there are fewer calls than that */
function runWithFault(call: (typeof calls)[number], error: string, number: number, recoveryKey: string) {
  const [name, files] = call;
  const log = path.join(folder, "strace.log");
  const inject = `inject=${name}:error=${error}:when=${number}`;
  const only = files().flatMap((file) => ["-P", file]);
  const acts = [process.execPath, "test/long/write-faults-process.ts", dataDir, recoveryKey];
  const strace = ["-f", "-qq", "-o", log, ...only, "-e", `trace=${name}`, "-e", inject, ...acts];
  const { stdout } = spawnSync("strace", strace, { cwd: programDir, encoding: "utf8" });
  return readFileSync(log, "utf8").includes("(INJECTED)") ? stdout.trim().split("\n") : null;
}

async function countEvents(db: ReadableDb): Promise<number> {
  return (await listAuditEvents(db, { actions: ["pack.imported"], limit: 1, offset: 0 })).total;
}

async function expectIntact(acts: readonly string[], recoveryKey: string): Promise<void> {
  const db = await openStore(dataDir);
  const count = (act: string) => acts.filter((done) => done === act).length;
  expect(await countLedgerEvents(db)).toBeGreaterThanOrEqual(count("charge"));
  expect(await countEvents(db)).toBeGreaterThanOrEqual(count("event"));
  await db.destroy();
  expect(await verifyInThread(dataDir)).toMatchObject({ fault: null });
  for (const start of ["first", "second"]) {
    if (count(`film ${start}`) === 0) continue;
    const sha256 = createHash("sha256").update(start).digest("hex");
    expect(String(await readFilmFile(dataDir, nameOfImage(sha256, "original", 0)))).toBe(start);
  }
  const key = keyOfStore(dataDir);
  for (const backup of listBackups(dataDir)) expect(findDamageInFile(backup.path, key)).toBeNull();
  const { isEncrypted, isWanted } = getEncryption(dataDir);
  if (isEncrypted || isWanted)
    expect(keyOfRecovery(readFileSync(placeOfKey(dataDir), "utf8"))).toBe(keyOfRecovery(recoveryKey));
  else expect([count("plan"), existsSync(placeOfKey(dataDir))]).toEqual([0, false]);
}

it.runIf(hasStrace).each(calls.flatMap((call) => ["ENOSPC", "EIO"].map((error) => [call[0], error, call] as const)))(
  "keeps the record and the key whichever %s fails with %s",
  async (_name, error, call) => {
    let number = 1;
    for (; ; number += 1) {
      dataDir = path.join(folder, `data-${number}`);
      cpSync(prepared, dataDir, { recursive: true });
      const recoveryKey = recoveryKeyOf(makeStoreKey());
      const acts = runWithFault(call, error, number, recoveryKey);
      if (acts === null) break;
      await expectIntact(acts, recoveryKey).catch((cause: unknown) => {
        throw new Error(`call ${number} after ${acts.join("; ")}`, { cause });
      });
      rmSync(dataDir, { recursive: true });
    }
    expect(number).toBeGreaterThan(1);
  },
);
