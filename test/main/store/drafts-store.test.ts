// Runs once: tests the file of SQLite (format, migrations, encryption).
import Database from "better-sqlite3";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { WritableDb } from "../../../main/store/database.ts";
import { emptyDrafts, openDrafts } from "../../../main/store/drafts-store.ts";
import { sqliteFileOf } from "../../../main/store/engines/engine.ts";
import { backupsDir, draftsDir, listSetAside, storeFile } from "../../../main/store/store-files.ts";
import { temporaryDataDir } from "./sample-store.ts";

let data = temporaryDataDir();
beforeEach(() => (data = temporaryDataDir()));
afterEach(() => data.remove());

const drafts = () => draftsDir(data.dataDir);
const aside = "corvet.db.damaged-20261110T090000000Z";

async function open<T>(work: (db: WritableDb) => T | Promise<T>): Promise<T> {
  const db = await openDrafts(data.dataDir, (damage) => expect.unreachable(damage));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** As an earlier version left them: the last migration is not there yet. */
function makeOlder(): void {
  const db = new Database(storeFile(drafts()));
  db.exec("DROP TABLE set_aside_objects; DELETE FROM migrations WHERE name LIKE '0450-%'");
  db.close();
}

/** What an earlier version copied before it changed the schema, and damaged drafts. */
function leaveCopies(): void {
  mkdirSync(backupsDir(drafts()), { recursive: true });
  writeFileSync(path.join(backupsDir(drafts()), "corvet-20261110T090000000Z.db"), "copy");
  writeFileSync(path.join(drafts(), aside), "damaged");
}

const enterPatient = (db: WritableDb) =>
  sqliteFileOf(db).exec(`INSERT INTO patients (id, name, species, breed, owner, created_at_ms, last_seen_at_ms)
    VALUES ('rex', 'Rex', 'dog', '', '', 0, 0)`);

it("keeps no copy of drafts whose schema it changes", async () => {
  await open(enterPatient);
  makeOlder();
  expect(await open((db) => sqliteFileOf(db).prepare("SELECT name FROM patients").pluck().all())).toEqual(["Rex"]);
  expect(existsSync(backupsDir(drafts()))).toBe(false);
});

it("deletes copies of earlier versions once the practice has the drafts, and keeps damaged ones", async () => {
  await open(enterPatient);
  leaveCopies();
  await open(async (db) => {
    expect(existsSync(backupsDir(drafts()))).toBe(true);
    await emptyDrafts(db);
  });
  expect([existsSync(backupsDir(drafts())), listSetAside(drafts())]).toEqual([false, [aside]]);
});

it("deletes them at the start where the practice had the drafts before", async () => {
  await open(() => undefined);
  leaveCopies();
  await open(() => expect(existsSync(backupsDir(drafts()))).toBe(false));
  expect(listSetAside(drafts())).toEqual([aside]);
});

it("sets drafts aside that a power cut left full of zeros, and begins anew", async () => {
  await open(enterPatient);
  const { size } = statSync(storeFile(drafts()));
  writeFileSync(storeFile(drafts()), Buffer.alloc(size));
  const damages: string[] = [];
  const db = await openDrafts(data.dataDir, (damage) => void damages.push(damage));
  expect(await db.selectFrom("patients").select("id").execute()).toEqual([]);
  await db.destroy();
  const [zeros = "", ...others] = listSetAside(drafts());
  expect(damages).toEqual([expect.stringContaining(zeros)]);
  expect([others, statSync(path.join(drafts(), zeros)).size]).toEqual([[], size]);
});
