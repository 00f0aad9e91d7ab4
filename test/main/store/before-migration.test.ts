import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listBackups } from "../../../main/store/backups/backups.ts";
import { openStore } from "../../../main/store/database.ts";
import { findDamageInFile } from "../../../main/store/record/integrity.ts";
import { storeFile } from "../../../main/store/store-files.ts";

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

it("copies nothing where nothing changes, and for a new store", async () => {
  await (await openStore(dataDir)).destroy();
  await (await openStore(dataDir)).destroy();
  expect(listBackups(dataDir)).toEqual([]);
});
