import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chargeCalls, recordBillableMeasurement } from "../../store/record-billable-measurement.ts";
import type { Fault } from "../../../../main/services/measuring/service-context.ts";
import {
  startRecordWatch,
  type HeadVault,
  type RecordWatch,
} from "../../../../main/services/program/watches/record-watch.ts";
import { createTroubles } from "../../../../main/services/program/troubles.ts";
import { engineOf } from "../../../../main/store/engines/engine.ts";
import { listAccounts } from "../../../../main/store/people/accounts.ts";
import { listBackups, makeBackup } from "../../../../main/store/backups/backups.ts";
import { restoreBackup } from "../../../../main/store/backups/restore.ts";
import { countLedgerEvents } from "../../../../main/store/ledger/ledger-reports.ts";
import { openStore, type WritableDb } from "../../../../main/store/database.ts";
import { clocksApartMs } from "../../../../core/billing/recheck.ts";
import { readNotedHead, type RecordHead } from "../../../../main/store/ledger/record-anchor.ts";
import { listForeignLogs, storeFile } from "../../../../main/store/files/store-files.ts";
import { isOnPostgres, onlyOn, rawly, tamper } from "../../../fixtures/raw-store.ts";
import { putEmptyStore } from "../../store/sample-store.ts";
import { waitUntil } from "../../../fixtures/patience.ts";
import { folderForEach, folderForTest } from "../../../fixtures/folders.ts";

const at = new Date("2026-11-10T09:00:00Z");
const everyMs = 30;

const dataDir = folderForEach();
let db: WritableDb;
let clock = at;
let faults: Fault[] = [];
let lines: string[] = [];
const watches: RecordWatch[] = [];

let looks = 0;
const now = () => {
  looks += 1;
  return clock;
};
const note = (_fields: unknown, message: string) => void lines.push(message);
const log = { info: note, warn: note, error: note };

beforeEach(async () => {
  [clock, faults, lines] = [at, [], []];
  await putEmptyStore(dataDir());
  db = await openStore(dataDir());
  await charge(3);
});
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.stop();
  await db.destroy();
});

async function reopen(change?: () => Promise<unknown>): Promise<void> {
  for (const watch of watches.splice(0)) await watch.stop();
  await db.destroy();
  await change?.();
  db = await openStore(dataDir());
}

const charge = (calls: number) => chargeCalls(db, calls);

/** @param verifyAfterMs  delay of the first verification, which starts a thread; most tests do not need it */
async function watch(vault: HeadVault | null = null, verifyAfterMs = 3_600_000) {
  const troubles = createTroubles({ log, reportFault: (fault) => void faults.push(fault) }, () => undefined);
  watches.push(await startRecordWatch({ db, dataDir: dataDir(), now, log }, troubles, vault, everyMs, verifyAfterMs));
  return { codes: () => troubles.list().map(({ code }) => code) };
}

it("verifies the entire record in a thread and logs it", async () => {
  const { codes } = await watch(null, everyMs);
  await waitUntil(() => lines.includes("record verified"));
  expect(codes()).toEqual([]);
});

it("reports a changed value once, in health and to the user", async () => {
  await tamper(db, "UPDATE measurements SET vhs = 9.9 WHERE id = 2");
  const { codes } = await watch(null, everyMs);
  await waitUntil(() => codes().includes("RECORD_BROKEN"));
  expect(faults.map(({ code }) => code)).toEqual(["RECORD_BROKEN"]);
});

it("reports a record that cannot be verified", async () => {
  await tamper(db, "ALTER TABLE measurements RENAME TO other");
  const { codes } = await watch(null, everyMs);
  await waitUntil(() => lines.includes("the record could not be verified"));
  expect(codes()).toContain("RECORD_BROKEN");
});

it("reports missing last rows at once and keeps the stored head as evidence", async () => {
  const noted = readNotedHead(db);
  const given = isOnPostgres ? "last_given SET seq = 1 WHERE table_name" : "sqlite_sequence SET seq = 1 WHERE name";
  await tamper(db, `DELETE FROM ledger WHERE seq > 1; UPDATE ${given} = 'ledger'`);
  await reopen();
  const { codes } = await watch();
  expect(codes()).toEqual(["LEDGER_BROKEN"]);
  expect(readNotedHead(db)).toEqual(noted);
});

describe.runIf(!isOnPostgres)(onlyOn("SQLite", "the head in the operating system's key store"), () => {
  it("reveals missing rows", async () => {
    const head: RecordHead = { ledgerSeq: 9, ledgerHash: "ab", sealSeq: 9, sealHash: "cd", atMs: at.getTime() };
    const { codes } = await watch({ read: () => head, keep: () => undefined });
    expect(codes()).toEqual(["LEDGER_BROKEN"]);
  });

  it("is not overwritten while it cannot be read", async () => {
    const keep = vi.fn();
    await watch({
      read() {
        throw new Error("too many open files");
      },
      keep,
    });
    looks = 0;
    await expect.poll(() => looks).toBeGreaterThan(4);
    expect(keep).not.toHaveBeenCalled();
    expect(lines).toContain("the head of the record in the key store could not be read");
  });

  it("is updated with the record", async () => {
    const kept: RecordHead[] = [];
    await watch({ read: () => null, keep: (head) => void kept.push(head) });
    await expect.poll(() => kept.at(-1)?.ledgerSeq).toBe(3);
    await charge(1);
    await expect.poll(() => kept.at(-1)?.ledgerSeq).toBe(4);
  });
});

// The head in the key store belongs to the store in the data directory.
it.runIf(isOnPostgres)(onlyOn("PostgreSQL", "uses no key store"), async () => {
  const keep = vi.fn();
  const head: RecordHead = { ledgerSeq: 1, ledgerHash: "ab", sealSeq: 1, sealHash: "cd", atMs: at.getTime() };
  const { codes } = await watch({ read: () => head, keep });
  looks = 0;
  await expect.poll(() => looks).toBeGreaterThan(4);
  expect([codes(), keep.mock.calls]).toEqual([[], []]);
});

it("reports a clock behind the last row once, until it is corrected", async () => {
  const { codes } = await watch();
  clock = new Date(at.getTime() - clocksApartMs - 1);
  await expect.poll(codes).toContain("CLOCK_BEHIND");
  // The clock advances, which changes the fault's text, but it is not reported again.
  for (const later of [60_000, 120_000]) {
    clock = new Date(at.getTime() - clocksApartMs - 200_000 + later);
    looks = 0;
    await expect.poll(() => looks).toBeGreaterThan(4);
  }
  clock = at;
  await expect.poll(codes).toEqual([]);
  expect(faults).toMatchObject([
    { code: "CLOCK_BEHIND", message: expect.stringMatching(/Set the date and time\..* ledger continue --at 3 /) },
  ]);
});

it.runIf(!isOnPostgres)(onlyOn("SQLite", "checkpoints the write-ahead log while the store is idle"), async () => {
  const log = `${storeFile(dataDir())}-wal`;
  expect(statSync(log).size).toBeGreaterThan(0);
  clock = new Date(Date.now() + 60_000);
  await watch();
  await expect.poll(() => existsSync(log) && statSync(log).size > 0).toBe(false);
});

it("logs that the clock could not be compared with the record", async () => {
  await watch();
  await rawly(db, "ALTER TABLE ledger RENAME TO ledger_gone");
  await waitUntil(() => lines.includes("the clock could not be compared with the record"));
  await rawly(db, "ALTER TABLE ledger_gone RENAME TO ledger");
});

/** Script that opens a store exclusively; succeeds if no other process has it open. */
const openAlone = `
  const db = require("better-sqlite3")(process.argv[1], { timeout: 0 });
  try {
    db.pragma("locking_mode = EXCLUSIVE");
    db.exec("BEGIN EXCLUSIVE; ROLLBACK");
    console.log("opened");
  } catch (error) {
    console.log(error.code);
  }`;

describe.runIf(!isOnPostgres)(onlyOn("SQLite", "a store whose file is replaced while it is open"), () => {
  const file = () => storeFile(dataDir());
  const billed = async () => {
    const accountId = (await listAccounts(db))[0]?.id ?? "";
    const told: string[] = [];
    const billing = await recordBillableMeasurement(db, { accountId }, ({ message }) => void told.push(message));
    return { ...billing, told };
  };

  it.each([
    ["deleted", () => rmSync(file())],
    ["moved", () => renameSync(file(), `${file()}.moved`)],
    [
      "replaced",
      () => {
        copyFileSync(file(), `${file()}.other`);
        renameSync(`${file()}.other`, file());
      },
    ],
  ])("charges nothing once it is %s, reports it and saves the open store as a backup", async (_how, take) => {
    const { codes } = await watch();
    take();
    expect(await billed()).toMatchObject({ billable: false, reason: "billing_error", told: [expect.any(String)] });
    await waitUntil(() => codes().includes("STORE_REPLACED"));
    const [backup] = listBackups(dataDir());
    expect(faults).toMatchObject([{ code: "STORE_REPLACED", reason: { values: { backup: backup?.name } } }]);
    await reopen(() => restoreBackup(dataDir(), backup?.path ?? "", now()));
    expect(await countLedgerEvents(db)).toBe(3);
    expect(await billed()).toMatchObject({ billable: true, told: [] });
  });

  it("saves the open store once a backup can be written", async () => {
    const backups = path.join(dataDir(), "backups");
    writeFileSync(backups, "no folder");
    const { codes } = await watch();
    rmSync(file());
    await waitUntil(() => codes().includes("STORE_REPLACED"));
    rmSync(backups);
    await waitUntil(() => faults.length === 2);
    expect([listBackups(dataDir()).length, faults[1]?.reason?.name]).toEqual([1, "storeReplaced"]);
  });

  it("leaves no write-ahead log that SQLite would apply to the new file", async () => {
    await engineOf(db).forgetDeleted();
    copyFileSync(file(), `${file()}.other`);
    await charge(5);
    expect(statSync(`${file()}-wal`).size).toBeGreaterThan(0);
    const { codes } = await watch();
    renameSync(`${file()}.other`, file());
    await waitUntil(() => codes().includes("STORE_REPLACED"));
    // Copies the files in the state in which a kill would leave them.
    const killed = folderForTest();
    for (const suffix of ["", "-wal"]) copyFileSync(file() + suffix, storeFile(killed) + suffix);
    const other = await openStore(killed);
    expect(await countLedgerEvents(other)).toBe(3);
    await other.destroy();
  });

  it("reports a write-ahead log that a start set aside until it is removed", async () => {
    const log = `${file()}.foreign-20261110T090000000Z-wal`;
    writeFileSync(log, "");
    const { codes } = await watch();
    expect(codes()).toEqual(["STORE_REPLACED"]);
    expect(faults).toMatchObject([{ reason: { name: "logSetAside", values: { log: path.basename(log) } } }]);
    expect(await billed()).toMatchObject({ billable: true });
    rmSync(log);
    await expect.poll(codes).toEqual([]);
  });

  describe("overwritten in place", () => {
    const older = () => `${file()}.older`;
    beforeEach(async () => {
      await engineOf(db).forgetDeleted();
      copyFileSync(file(), older());
      await charge(30);
    });

    it.each([
      ["an older copy", () => copyFileSync(older(), file()), 3],
      ["a backup", () => copyFileSync(listBackups(dataDir())[0]?.path ?? "", file()), 33],
    ])(
      "charges nothing after it is overwritten with %s, reports it and keeps the copy",
      async (_what, overwrite, rows) => {
        await makeBackup(db, dataDir(), now());
        await engineOf(db).forgetDeleted();
        const { codes } = await watch();
        overwrite();
        await waitUntil(() => codes().includes("STORE_REPLACED"));
        expect(faults).toMatchObject([{ reason: { name: "storeOverwritten" } }]);
        expect(await billed()).toMatchObject({ billable: false, reason: "billing_error" });
        await expect(makeBackup(db, dataDir(), now())).rejects.toMatchObject({ code: "STORE_REPLACED" });
        await reopen();
        expect(await countLedgerEvents(db)).toBe(rows);
      },
    );

    it("detects an older copy of the same size while the newest rows are only in the write-ahead log", async () => {
      await rawly(db, "CREATE TABLE filler AS SELECT zeroblob(1000000) AS bytes");
      await rawly(db, "DROP TABLE filler");
      await engineOf(db).forgetDeleted();
      copyFileSync(file(), older());
      await charge(30);
      await engineOf(db).forgetDeleted();
      await charge(1);
      expect(statSync(file()).size).toBe(statSync(older()).size);
      const { codes } = await watch();
      copyFileSync(older(), file());
      await waitUntil(() => codes().includes("STORE_REPLACED"));
      expect(await billed()).toMatchObject({ billable: false, reason: "billing_error" });
    });

    it("sets the write-ahead log aside at the next start, and reports the lost rows", async () => {
      await engineOf(db).forgetDeleted();
      await charge(1);
      const { codes } = await watch();
      expect(statSync(`${file()}-wal`).size).toBeGreaterThan(0);
      copyFileSync(older(), file());
      await waitUntil(() => codes().includes("STORE_REPLACED"));
      await reopen();
      expect([await countLedgerEvents(db), listForeignLogs(dataDir()).length]).toEqual([3, 1]);
      expect((await watch()).codes()).toEqual(["LEDGER_BROKEN", "STORE_REPLACED"]);
    });

    it("continues after its own checkpoints and a changed file date", async () => {
      const { codes } = await watch();
      for (const second of [1, 2, 3]) {
        await charge(1);
        await engineOf(db).forgetDeleted();
        utimesSync(file(), second, second);
        looks = 0;
        await expect.poll(() => looks).toBeGreaterThan(4);
      }
      expect([codes(), await billed()]).toMatchObject([[], { billable: true }]);
    });
  });

  it("keeps its locks on the file, without which other programs would delete the write-ahead log", async () => {
    await watch();
    await engineOf(db).forgetDeleted();
    looks = 0;
    await expect.poll(() => looks).toBeGreaterThan(4);
    const { stdout, stderr } = spawnSync(process.execPath, ["-e", openAlone, file()], { encoding: "utf8" });
    expect([stderr, stdout.trim()]).toEqual(["", "SQLITE_BUSY"]);
  });

  it("charges again once a moved file is moved back", async () => {
    const { codes } = await watch();
    renameSync(file(), `${file()}.moved`);
    await waitUntil(() => codes().includes("STORE_REPLACED"));
    renameSync(`${file()}.moved`, file());
    await waitUntil(() => !codes().includes("STORE_REPLACED"));
    expect(await billed()).toMatchObject({ billable: true });
  });
});
