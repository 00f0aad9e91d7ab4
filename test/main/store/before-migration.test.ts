// Runs once: tests the file of SQLite (format, migrations, encryption).
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keepWaitingCopy, migrateBehindCopy } from "../../../main/store/backups/before-migration.ts";
import { listBackups } from "../../../main/store/backups/backups.ts";
import { openStore } from "../../../main/store/database.ts";
import { findDamageInFile } from "../../../main/store/record/integrity.ts";
import { backupsDir, storeFile } from "../../../main/store/store-files.ts";

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(path.join(tmpdir(), "corvet-before-"))));
afterEach(() => rmSync(dataDir, { recursive: true }));

/** A store as an older program left it: its last migration, a view or table of its own, is not there yet. */
async function makeOlder(): Promise<string> {
  await (await openStore(dataDir)).destroy();
  const db = new Database(storeFile(dataDir));
  db.exec("CREATE TABLE kept (text TEXT); INSERT INTO kept VALUES ('as it was')");
  const last = db.prepare("SELECT name FROM migrations WHERE name LIKE '0450-%'").pluck().get() as string;
  for (const { name, type } of db
    .prepare(
      "SELECT name, type FROM sqlite_schema WHERE name LIKE '%set_aside%' AND name NOT LIKE 'sqlite_%' AND type = 'table'",
    )
    .all() as { name: string; type: string }[])
    db.exec(`DROP ${type} ${name}`);
  db.prepare("DELETE FROM migrations WHERE name = ?").run(last);
  db.close();
  return last;
}

it("copies an older program's store before it changes the schema", async () => {
  const last = await makeOlder();
  await (await openStore(dataDir)).destroy();
  const [backup, ...others] = listBackups(dataDir);
  expect(others).toEqual([]);
  expect(findDamageInFile(backup!.path, null)).toBeNull();
  const copy = new Database(backup!.path, { readonly: true });
  expect(copy.prepare("SELECT text FROM kept").pluck().get()).toBe("as it was");
  expect(copy.prepare("SELECT count(*) FROM migrations WHERE name = ?").pluck().get(last)).toBe(0);
  copy.close();
});

it("leaves capture sessions and their films out of the copy, and not out of the store", async () => {
  await makeOlder();
  const film = "film of a session ".repeat(10_000);
  const store = new Database(storeFile(dataDir));
  store.exec(`INSERT INTO accounts (id, name, created_at_ms) VALUES ('account', 'Clinic', 0);
    INSERT INTO api_keys (id, account_id, name, key_sha256, created_at_ms) VALUES ('key', 'account', '', zeroblob(32), 0);
    INSERT INTO pop_sessions (id, key_id, account_id, started_at_ms) VALUES ('session', 'key', 'account', 0)`);
  store.prepare("INSERT INTO pop_session_frames VALUES ('session', 0, '{}', ?)").run(Buffer.from(film));
  store.close();
  await (await openStore(dataDir)).destroy();
  const [backup] = listBackups(dataDir);
  expect(findDamageInFile(backup!.path, null)).toBeNull();
  const [copy, now] = [backup!.path, storeFile(dataDir)].map((file) => new Database(file, { readonly: true }));
  const sessions = "SELECT count(*) FROM pop_sessions JOIN pop_session_frames ON session_id = id";
  expect([copy, now].map((db) => db!.prepare(sessions).pluck().get())).toEqual([0, 1]);
  for (const db of [copy, now]) db!.close();
  expect(readFileSync(backup!.path).includes("film of a session")).toBe(false);
  expect(statSync(backup!.path).size).toBeLessThan(statSync(now!.name).size - film.length / 2);
});

it("copies a store that knows no capture sessions yet", async () => {
  const db = new Database(storeFile(dataDir));
  db.exec("CREATE TABLE kept (text TEXT)");
  await migrateBehindCopy(db, dataDir, () => Promise.resolve());
  db.close();
  keepWaitingCopy(dataDir);
  expect(listBackups(dataDir)).toHaveLength(1);
});

/** Runs SQL on the store that an older program left. */
function change(sql: string): void {
  const db = new Database(storeFile(dataDir));
  db.exec(sql);
  db.close();
}

it("leaves no copy of a migration that fails, however often it is tried", async () => {
  await makeOlder();
  change("CREATE TABLE set_aside_objects (stands TEXT)");
  for (let start = 0; start < 3; start += 1) await expect(openStore(dataDir)).rejects.toThrow("set_aside_objects");
  expect(readdirSync(backupsDir(dataDir))).toEqual([]);
  change("DROP TABLE set_aside_objects");
  await (await openStore(dataDir)).destroy();
  expect(listBackups(dataDir)).toHaveLength(1);
});

it("copies no store that a newer program has changed", async () => {
  await makeOlder();
  change("INSERT INTO migrations (name, sha256, applied_at_ms) VALUES ('9999-newer.sql', '', 0)");
  await expect(openStore(dataDir)).rejects.toMatchObject({ code: "STORE_TOO_NEW" });
  expect(listBackups(dataDir)).toEqual([]);
});

it("keeps one copy where a start was killed in the middle, before or after the schema changed", async () => {
  await makeOlder();
  const db = new Database(storeFile(dataDir));
  const killed = () => migrateBehindCopy(db, dataDir, () => Promise.resolve());
  await killed();
  await killed();
  db.close();
  expect(listBackups(dataDir)).toEqual([]);
  await (await openStore(dataDir)).destroy();
  expect(readdirSync(backupsDir(dataDir))).toEqual(listBackups(dataDir).map(({ name }) => name));
  expect(listBackups(dataDir)).toHaveLength(1);
});

it("keeps no copy of a schema that another process changed meanwhile, and leaves that one's alone", async () => {
  await makeOlder();
  mkdirSync(backupsDir(dataDir));
  // Process 1 runs, whatever it is.
  const theirs = "before-migration-1.db.unfinished";
  writeFileSync(path.join(backupsDir(dataDir), theirs), "");
  const db = new Database(storeFile(dataDir));
  const migrate = () => Promise.resolve();
  await migrateBehindCopy(db, dataDir, migrate, () => Promise.resolve(false));
  db.close();
  keepWaitingCopy(dataDir);
  expect(readdirSync(backupsDir(dataDir))).toEqual([theirs]);
});

it("copies nothing where nothing changes, and for a new store", async () => {
  await (await openStore(dataDir)).destroy();
  await (await openStore(dataDir)).destroy();
  expect(listBackups(dataDir)).toEqual([]);
});
