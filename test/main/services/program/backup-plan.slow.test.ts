// Runs once: tests copies of the SQLite file.
import { randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { clearLeftovers } from "../../../../main/services/program/leftovers.ts";
import { continueRecord, statementKey } from "../../../../main/store/ledger/continue-record.ts";
import { readNotedHead } from "../../../../main/store/ledger/record-anchor.ts";
import { verifyRecord } from "../../../../main/store/record/record-verification.ts";
import { storeFile } from "../../../../main/store/files/store-files.ts";
import { refuseRows } from "../../../fixtures/raw-store.ts";
import { folderForEach } from "../../../fixtures/folders.ts";
import { restart, useBench } from "../../../fixtures/use-bench.ts";

const bench = useBench();
const folder = folderForEach();

const passphrase = "a pass phrase";

describe("a second folder for backups", () => {
  it("gets a copy of each backup, which can be restored with its passphrase at the next start", async () => {
    await bench.call("backups.savePlan", { folder: folder(), withFilms: true, isEncrypted: true, passphrase });
    await bench.addPatient({ name: "Before" });
    await bench.call("backups.make", { backupId: randomUUID() });
    await bench.addPatient({ name: "After" });
    const { outside } = await bench.call("backups.list", {});
    const name = outside[0]?.name ?? expect.unreachable();
    expect(readdirSync(folder())).toEqual([name]);
    expect(await bench.call("backups.check", { name, passphrase })).toEqual({ ledgerRows: 0, values: 0, films: 0 });
    await expect(bench.call("backups.check", { name })).rejects.toMatchObject({ code: "BACKUP_LOCKED" });
    await expect(bench.call("backups.restore", { name, passphrase: "another" })).rejects.toMatchObject({
      code: "BACKUP_LOCKED",
    });
    await bench.call("backups.restore", { name, passphrase });
    await restart(bench);
    expect((await bench.call("patients.list", {})).patients.map((patient) => patient.name)).toEqual(["Before"]);
  });

  it("shows a planned restore on every page until the next start, and allows to cancel it", async () => {
    const made = await bench.call("backups.make", { backupId: randomUUID() });
    expect(await bench.call("backups.check", { name: made.name })).toEqual({ ledgerRows: 0, values: 0, films: 0 });
    expect((await bench.call("backups.list", {})).backups).toEqual([made]);
    expect(await bench.call("backups.listDamaged", {})).toEqual({ names: [] });
    await expect(bench.call("backups.restore", { name: "../../corvet.db" })).rejects.toMatchObject({
      code: "BACKUP_NOT_FOUND",
    });
    await bench.addPatient({ name: "After" });
    const planned = async () => (await bench.call("backups.list", {})).planned;
    expect(await planned()).toBeNull();
    await bench.call("backups.restore", { name: made.name });
    expect(await planned()).toEqual({ at: made.at });
    await bench.call("backups.cancelRestore", {});
    await bench.call("backups.cancelRestore", {});
    expect(await planned()).toBeNull();
    const { events } = await bench.call("audit.list", {});
    expect(events.flatMap(({ action }) => (action.startsWith("restore.") ? [action] : []))).toEqual([
      "restore.cancelled",
      "restore.planned",
    ]);
    await restart(bench);
    expect((await bench.call("patients.list", {})).patients.map((patient) => patient.name)).toEqual(["After"]);
  });

  it("is audited on each new passphrase, without the passphrase itself", async () => {
    const plan = { folder: folder(), withFilms: false, isEncrypted: true };
    await bench.call("backups.savePlan", { ...plan, passphrase });
    await bench.call("backups.savePlan", { ...plan, passphrase: "another phrase" });
    const { events } = await bench.call("audit.list", {});
    const changes = events.filter(({ action }) => action === "backup.planned").map(({ detail }) => detail["changed"]);
    expect(changes).toEqual(["passphrase", "folder, isEncrypted", "passphrase"]);
    expect(JSON.stringify(events)).not.toMatch(/phrase"?\s|a pass phrase|another phrase/);
  });

  it("is rejected if it is relative, missing, within the data directory or without a passphrase", async () => {
    const save = (place: string) =>
      bench.call("backups.savePlan", { folder: place, withFilms: false, isEncrypted: false });
    for (const place of ["relative", path.join(folder(), "missing"), bench.dataDir, path.join(bench.dataDir, "films")])
      await expect(save(place)).rejects.toMatchObject({ code: "INVALID_FIELD" });
    await expect(
      bench.call("backups.savePlan", { folder: folder(), withFilms: false, isEncrypted: true }),
    ).rejects.toMatchObject({ code: "INVALID_FIELD" });
    expect(await bench.call("backups.plan", {})).toEqual({ folder: null, withFilms: false, isEncrypted: false });
  });

  it("is reported if missing, and the local backup is created anyway", async () => {
    await bench.call("backups.savePlan", { folder: folder(), withFilms: false, isEncrypted: false });
    rmSync(folder(), { recursive: true });
    await expect(bench.call("backups.make", { backupId: randomUUID() })).rejects.toMatchObject({
      code: "BACKUP_FAILED",
    });
    expect((await bench.call("backups.list", {})).backups).toHaveLength(1);
  });
});

it("deletes only leftovers of a killed program at start, and starts even if they cannot be deleted", async () => {
  const { dataDir } = bench.context;
  const place = (...parts: string[]) => path.join(dataDir, ...parts);
  for (const room of ["films", "packs/.import-x", "packs/mine", "backups", ".check-old", ".check-new"])
    mkdirSync(place(room), { recursive: true });
  const film = "a".repeat(64);
  for (const file of ["films/unfinished-1", `films/${film}`, `films/${film}.thumbnail.jpg`, "films/notes.txt"])
    writeFileSync(place(file), "x");
  const restore = "corvet.db.restore-at-start";
  const old = [".check-old", "backups/old.db.unfinished", restore, `${restore}.unfinished`];
  for (const file of [...old.slice(1), "backups/new.db.unfinished"]) writeFileSync(place(file), "x");
  for (const file of old) utimesSync(place(file), 0, 0);
  await clearLeftovers(bench.context);
  expect({
    films: readdirSync(place("films")),
    packs: readdirSync(place("packs")),
    backups: readdirSync(place("backups")),
    checks: readdirSync(dataDir).filter((name) => name.startsWith(".check")),
    restores: readdirSync(dataDir).filter((name) => name.startsWith(restore)),
  }).toEqual({
    films: ["notes.txt"],
    packs: ["mine"],
    backups: ["new.db.unfinished"],
    checks: [".check-new"],
    restores: [restore],
  });
  rmSync(place("packs"), { recursive: true });
  writeFileSync(place("packs"), "a file in the place of a folder");
  await expect(clearLeftovers(bench.context)).resolves.toBeUndefined();
});

it("keeps films that may belong to a store that was set aside, whatever its date, or is missing", async () => {
  const { dataDir } = bench.context;
  const film = path.join(dataDir, "films", "c".repeat(64));
  mkdirSync(path.dirname(film), { recursive: true });
  writeFileSync(film, "x");
  utimesSync(film, 0, 1);
  await clearLeftovers(bench.context);
  expect(readdirSync(path.dirname(film))).toEqual([path.basename(film)]);
  // Newer than the present store.
  utimesSync(film, 0, Date.UTC(2099, 10, 10) / 1000);
  for (const name of ["corvet.db.replaced-20991111T090000000Z", "record-head.replaced-20991111T090000000Z"]) {
    writeFileSync(path.join(dataDir, name), "");
    await clearLeftovers(bench.context);
    expect([name, readdirSync(path.dirname(film))]).toEqual([name, [path.basename(film)]]);
    rmSync(path.join(dataDir, name));
  }
  const aside = path.join(dataDir, "corvet.db.replaced-20000101T000000000Z");
  for (const file of [aside, `${aside}-wal`]) writeFileSync(file, "");
  utimesSync(aside, 0, Date.UTC(2099, 10, 9) / 1000);
  utimesSync(`${aside}-wal`, 0, Date.UTC(2099, 10, 11) / 1000);
  await clearLeftovers(bench.context);
  expect(readdirSync(path.dirname(film))).toEqual([path.basename(film)]);
});

it("keeps films of a store that was replaced by an older copy", async () => {
  const { dataDir } = bench;
  const store = storeFile(dataDir);
  await bench.close();
  copyFileSync(store, `${store}.older`);
  await restart(bench);
  await bench.addPatient({ name: "After" });
  await bench.close();
  renameSync(`${store}.older`, store);
  const film = path.join(dataDir, "films", "e".repeat(64));
  mkdirSync(path.dirname(film), { recursive: true });
  writeFileSync(film, "x");
  await restart(bench);
  await clearLeftovers(bench.context);
  expect(readdirSync(path.dirname(film))).toEqual([path.basename(film)]);
  // Films are kept even after an administrator has stated the loss.
  const { fault } = await verifyRecord(bench.context.db, readNotedHead(bench.context.db));
  const decision = { subject: fault?.subject ?? "", why: "an older copy", by: "Dr Weber", at: new Date() };
  await continueRecord(bench.context.db, { ...decision, privateKey: statementKey(dataDir) });
  await clearLeftovers(bench.context);
  expect(readdirSync(path.dirname(film))).toEqual([path.basename(film)]);
});

it("neither plans a restore nor stores a passphrase if it cannot be audited", async () => {
  const { name } = await bench.call("backups.make", { backupId: randomUUID() });
  const before = readdirSync(bench.dataDir);
  await refuseRows(bench.context.db, "audit_events", { message: "no rows" });
  const isInternal = { code: "INTERNAL" };
  await expect(bench.call("backups.restore", { name })).rejects.toMatchObject(isInternal);
  const plan = { folder: folder(), withFilms: false, isEncrypted: true, passphrase };
  await expect(bench.call("backups.savePlan", plan)).rejects.toMatchObject(isInternal);
  expect(readdirSync(bench.dataDir)).toEqual(before);
});
