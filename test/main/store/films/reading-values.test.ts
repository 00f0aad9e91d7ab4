// Runs once: tests the file of SQLite (format, migrations, encryption).
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { listReadingValues } from "../../../../main/store/films/reading-values.ts";
import { applyMigrations, migrationsDir } from "../../../../main/store/migrations.ts";
import { sqliteFileOf } from "../../../../main/store/engines/engine.ts";
import { createSqliteStore } from "../../../../main/store/engines/sqlite/sqlite-store.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** A store as the program made it before values had rows of their own, with one film. */
async function earlierStore(): Promise<WritableDb> {
  const folder = mkdtempSync(path.join(tmpdir(), "corvet-migrations-"));
  folders.push(folder);
  const earlier = readdirSync(migrationsDir).filter((name) => name < "0320");
  for (const name of earlier) copyFileSync(path.join(migrationsDir, name), path.join(folder, name));
  const file = new Database(":memory:");
  file.pragma("foreign_keys = ON");
  const db = createSqliteStore(file);
  await applyMigrations(db, folder);
  sqliteFileOf(db).exec(
    `INSERT INTO films (id, file_name, sha256, origin, added_at_ms, taken_at_ms, state, width_px, height_px, has_image)
     VALUES ('film', 'a.png', '${"0".repeat(64)}', 'file', 1, 1, 'done', 10, 10, 1)`,
  );
  return db;
}

describe("values of readings", () => {
  it("keeps what readings of earlier versions of the program said, and gives none to those that said nothing", async () => {
    const db = await earlierStore();
    const insert = sqliteFileOf(db).prepare(
      `INSERT INTO readings (id, film_id, version, source, at_ms, remark, result_code, vhs, vlas, detail)
       VALUES (?, 'film', ?, 'model', 1, '', 1, ?, ?, '{}')`,
    );
    insert.run("both", 1, 9.734567890123, 2.1);
    insert.run("one", 2, 10, null);
    insert.run("none", 3, null, null);
    await applyMigrations(db);
    expect(["both", "one", "none"].map(await listReadingValues(db, ["both", "one", "none"]))).toEqual([
      { vhs: 9.734567890123, vlas: 2.1 },
      { vhs: 10, vlas: null },
      { vhs: null, vlas: null },
    ]);
  });

  it("passes over a measure of a later version, and refuses to change or lose a value", async () => {
    const db = await earlierStore();
    await applyMigrations(db);
    sqliteFileOf(db).exec(
      `INSERT INTO readings (id, film_id, version, source, at_ms, remark, result_code, detail)
       VALUES ('later', 'film', 1, 'model', 1, '', 1, '{}');
       INSERT INTO reading_values VALUES ('later', 'vhs', 9), ('later', 'measure_of_tomorrow', 3)`,
    );
    expect((await listReadingValues(db, ["later"]))("later")).toEqual({ vhs: 9, vlas: null });
    expect(() => sqliteFileOf(db).exec("UPDATE reading_values SET value = 8")).toThrow(/never change/);
    expect(() => sqliteFileOf(db).exec("DELETE FROM reading_values")).toThrow(/never go/);
  });
});
