// Runs once: tests copies of the SQLite file.
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, watch, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { saveBackupPlan } from "../../../../main/services/program/backups/backup-plan.ts";
import { startDailyBackup } from "../../../../main/services/program/backups/backup.ts";
import { recordBillableMeasurement } from "../../store/record-billable-measurement.ts";
import type { Fault, Log } from "../../../../main/services/measuring/service-context.ts";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { findNewestGoodBackup, listBackups, makeBackup } from "../../../../main/store/backups/backups.ts";
import { openStore } from "../../../../main/store/database.ts";
import { findDamageInFile } from "../../../../main/store/record/integrity.ts";
import { addBallast } from "../../../fixtures/raw-store.ts";
import { turnsOfFreeLoop, turnsUntil } from "../../../fixtures/event-loop.ts";
import { verifyLedger } from "../../../fixtures/verify-ledger.ts";
import { restoreBackup } from "../../../../main/store/backups/restore.ts";
import { backupsDir, filmsDir, fileStamp } from "../../../../main/store/files/store-files.ts";
import { measured } from "../../store/sample-store.ts";
import { useStore } from "../../../fixtures/use-store.ts";

const store = useStore();
const day = (number: number) => new Date(Date.UTC(2026, 10, 1 + number, 3));

describe("a backup", () => {
  it("created while calls are charged has an intact ledger", async () => {
    const { db, dataDir } = store;
    const accountId = (await ensureAccount(db, { name: "Clinic", at: new Date() })).id;
    const votes = Array.from({ length: 40 }, () => measured.landmarks);
    const charge = () => recordBillableMeasurement(db, { accountId, measurements: [{ ...measured, votes }] });
    for (let call = 0; call < 100; call += 1) await charge();
    let during = 0;
    let isDone = false;
    const backup = makeBackup(db, dataDir, day(0)).finally(() => (isDone = true));
    while (!isDone) {
      await charge();
      during += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { name, path: file } = await backup;
    expect([findDamageInFile(file, null), during > 1, readdirSync(backupsDir(dataDir))]).toEqual([null, true, [name]]);
    const charged = await verifyLedger(db);
    await db.destroy();
    await restoreBackup(dataDir, file, day(1));
    const restored = await openStore(dataDir);
    const { rows } = charged;
    const verification = await verifyLedger(restored);
    expect([charged.isIntact, verification.isIntact, verification.rows >= 100, verification.rows <= rows]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    await restored.destroy();
  });

  it("that is damaged is skipped for an older intact one, and other files are ignored", async () => {
    const good = await makeBackup(store.db, store.dataDir, day(0));
    const damaged = await makeBackup(store.db, store.dataDir, day(1));
    truncateSync(damaged.path, damaged.sizeBytes / 2);
    writeFileSync(path.join(backupsDir(store.dataDir), "notes.txt"), "mine");
    expect(findNewestGoodBackup(store.dataDir)?.name).toBe(good.name);
    expect(listBackups(store.dataDir).map(({ name }) => name)).toEqual([damaged.name, good.name]);
  });
});

describe("the creation of a backup", () => {
  it("does not block the event loop", async () => {
    addBallast(store.db, 20_000);
    expect(await turnsUntil(makeBackup(store.db, store.dataDir, day(0)))).toBeGreaterThan(turnsOfFreeLoop);
  });

  it("reports a copy that cannot be written and leaves no file", async () => {
    const { db, dataDir } = store;
    mkdirSync(backupsDir(dataDir));
    writeFileSync(path.join(backupsDir(dataDir), `corvet-${fileStamp(day(0))}.db.unfinished`), "no database");
    await expect(makeBackup(db, dataDir, day(0))).rejects.toMatchObject({ code: "SQLITE_NOTADB" });
    expect(readdirSync(backupsDir(dataDir))).toEqual([]);
  });
});

describe("the daily backup", () => {
  const faults: Fault[] = [];
  const logged: string[] = [];
  const log: Log = {
    info: (_fields, message) => void logged.push(message),
    warn: () => undefined,
    error: () => undefined,
  };
  let now = day(0);
  let looks = 0;
  const look = () => {
    looks += 1;
    return now;
  };
  const start = () =>
    startDailyBackup(
      { db: store.db, dataDir: store.dataDir, now: look, log, reportFault: (fault) => void faults.push(fault) },
      10,
    );
  const times = () => listBackups(store.dataDir).map(({ atMs }) => new Date(atMs).toISOString());

  beforeEach(() => {
    faults.length = 0;
    logged.length = 0;
    now = day(0);
    looks = 0;
  });

  it("is created at the start and every 24 h", async () => {
    const backups = start();
    await expect.poll(times).toEqual([day(0).toISOString()]);
    now = new Date(day(1).getTime() - 1);
    const before = looks;
    await expect.poll(() => looks).toBeGreaterThan(before + 2);
    expect(times()).toHaveLength(1);
    now = day(1);
    await expect.poll(times).toEqual([day(1).toISOString(), day(0).toISOString()]);
    await backups.stop();
    expect([faults, logged]).toEqual([[], ["store backed up", "store backed up"]]);
  });

  it("can be stopped during the copy to a second folder and leaves no file there", async () => {
    const folder = path.join(store.dataDir, "..", `${path.basename(store.dataDir)}-outside`);
    mkdirSync(folder);
    const film = path.join(filmsDir(store.dataDir), "a".repeat(64));
    mkdirSync(path.dirname(film));
    writeFileSync(film, "");
    truncateSync(film, 1_000_000_000);
    await saveBackupPlan(store, { folder, withFilms: true, isEncrypted: false }, null);
    const watched = watch(folder);
    const backups = start();
    expect(backups.isUnderWay()).toBe(true);
    await once(watched, "change");
    watched.close();
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/unfinished$/)]);
    await backups.stop();
    expect([readdirSync(folder), faults, backups.isUnderWay()]).toEqual([[], [], false]);
    rmSync(folder, { recursive: true });
  });

  it("is created even if there is a backup dated in the future", async () => {
    await makeBackup(store.db, store.dataDir, day(400));
    const backups = start();
    await expect.poll(times).toEqual([day(400).toISOString(), day(0).toISOString()]);
    await backups.stop();
  });

  it("is created even if there is a broken link in its folder", async ({ skip }) => {
    if (process.platform === "win32") skip("Windows allows only administrators to create links");
    mkdirSync(backupsDir(store.dataDir));
    symlinkSync("/nowhere/backup.db", path.join(backupsDir(store.dataDir), "corvet-20261101T030000000Z.db"));
    expect(listBackups(store.dataDir)).toEqual([]);
    const { name } = await makeBackup(store.db, store.dataDir, day(1));
    expect(listBackups(store.dataDir).map((backup) => backup.name)).toEqual([name]);
  });

  it("is reported if it cannot be created", async () => {
    mkdirSync(store.dataDir, { recursive: true });
    writeFileSync(backupsDir(store.dataDir), "a file where the folder should be");
    const backups = start();
    await expect
      .poll(() => faults)
      .toMatchObject([{ code: "BACKUP_FAILED", message: expect.stringContaining("daily backup") }]);
    await backups.stop();
  });
});
