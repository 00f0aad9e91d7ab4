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
import { keyOfStore, placeOfKey } from "../../main/store/encryption/key-keeper.ts";
import { keyOfRecovery, makeStoreKey, recoveryKeyOf } from "../../main/store/encryption/store-key.ts";
import { nameOfImage } from "../../main/store/film-images/film-images.ts";
import { countLedgerEvents } from "../../main/store/ledger/ledger-reports.ts";
import { verifyInThread } from "../../main/store/record/verification-thread-client.ts";

// Makes each opening and write of the store, the films, the audit trail and the encryption fail once (for a copied
// store every 16th page): the next start must find an intact record with all acknowledged changes, and the key.

const hasStrace = spawnSync("strace", ["true"]).status === 0;
if (!hasStrace) console.info("skipped: strace is not installed (Debian: strace) or not permitted");

let [folder, dataDir, prepared] = ["", "", ""];
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "corvet-write-faults-"));
  dataDir = path.join(folder, "data");
  // Creating the tables takes a thousand writes, which are not tested.
  prepared = path.join(folder, "prepared");
  await (await openStore(prepared)).destroy();
  vi.stubEnv("CORVET_KEYS_DIR", path.join(folder, "keys"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const callsOnDisk = ["pwrite64", "fsync", "ftruncate", "rename", "unlink", "mkdir", "copy_file_range"];
/** System calls that the runtime also uses for its modules and pipes. */
const callsOfRuntime = ["write", "openat"];

/** Runs the acts under strace with one pool thread, since strace counts calls per thread. @returns acts and log */
function traceActs(options: readonly string[], recoveryKey: string): { acts: string[]; calls: string } {
  for (const used of [dataDir, path.join(folder, "keys")]) rmSync(used, { recursive: true, force: true });
  cpSync(prepared, dataDir, { recursive: true });
  const log = path.join(folder, "strace.log");
  const program = [process.execPath, "test/long/write-faults-process.ts", dataDir, recoveryKey];
  const { stdout } = spawnSync("strace", ["-f", "-qq", "-o", log, ...options, ...program], {
    cwd: programDir,
    encoding: "utf8",
    // The runtime's cache of compiled modules would add hundreds of writes of no interest.
    env: { ...process.env, UV_THREADPOOL_SIZE: "1", NODE_DISABLE_COMPILE_CACHE: "1" },
  });
  return { acts: stdout.trim().split("\n"), calls: readFileSync(log, "utf8") };
}

/** Files and folders below the test's folder that the acts open, which have the same names in every run. */
function listOpened(): string[] {
  const { calls } = traceActs(["-e", "trace=openat"], recoveryKeyOf(makeStoreKey()));
  const paths = [...calls.matchAll(/openat\(AT_FDCWD, "([^"]+)"/g)].map(([, opened]) => String(opened));
  return [...new Set(paths.filter((opened) => opened.startsWith(folder)))];
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

/** Interval of the pages of a copied store that fail; its first and last page always do. */
const copiedPages = 16;

/** Numbers of the calls to fail, as strace counts them per thread. */
function callsToFail(call: string, only: readonly string[]): number[] {
  const { calls } = traceActs([...only, "-y", "-e", `trace=${call}`], recoveryKeyOf(makeStoreKey()));
  const begun = calls.split("\n").filter((line) => new RegExp(`^\\d+ +${call}\\(`).test(line));
  const isOfCopy = (line = "") => line.includes(".unfinished>");
  const threads = [...Map.groupBy(begun, (line) => parseInt(line, 10)).values()];
  const numbers = threads.flatMap((lines) =>
    lines.flatMap((line, index) => {
      const isInCopy = [lines[index - 1], line, lines[index + 1]].every(isOfCopy);
      return isInCopy && index % copiedPages > 0 ? [] : [index + 1];
    }),
  );
  return [...new Set(numbers)].sort((a, b) => a - b);
}

const faults = [...callsOnDisk, ...callsOfRuntime].flatMap((call) =>
  ["ENOSPC", "EIO"].map((error) => [call, error] as const),
);

it.runIf(hasStrace).each(faults)("keeps the record and the key if any %s fails with %s", async (call, error) => {
  const only = callsOfRuntime.includes(call) ? listOpened().flatMap((opened) => ["-P", opened]) : [];
  const numbers = callsToFail(call, only);
  let failed = 0;
  for (const number of numbers) {
    const recoveryKey = recoveryKeyOf(makeStoreKey());
    const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:error=${error}:when=${number}`];
    const { acts, calls } = traceActs([...only, ...inject], recoveryKey);
    if (calls.includes("(INJECTED)")) failed += 1;
    await expectIntact(acts, recoveryKey).catch((cause: unknown) => {
      throw new Error(`call ${number} after ${acts.join("; ")}\n${calls}`, { cause });
    });
  }
  console.info(`${call} failed ${failed} times with ${error}`);
  expect(failed).toBeGreaterThan(0);
});
