// Runs once: tests the file of SQLite (format, migrations, encryption).
import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { applyMigrations, migrationsDir } from "../../../../main/store/opening/migrations.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { openTestStore } from "../engines/test-store.ts";
import { describeSchema } from "../engines/describe-schema.ts";
import { sqliteFileOf } from "../../../../main/store/engines/engine.ts";
import { openStoreForFile, openStoreForTest } from "../../../fixtures/use-store.ts";

const { db } = await openStoreForFile();

const objects = z.array(z.object({ type: z.string(), name: z.string(), sql: z.string() }));

describe("the schema", () => {
  it("matches the snapshot, which only a new migration changes", async () => {
    const rows = objects.parse(
      sqliteFileOf(db)
        .prepare(
          "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name",
        )
        .all(),
    );
    await expect(rows.map(({ sql }) => `${sql};\n`).join("\n")).toMatchFileSnapshot("schema.snapshot.sql");
  });

  it.runIf(hasPostgres)("matches the snapshot on PostgreSQL", async () => {
    const postgres = await openTestStore("postgres");
    await expect(await describeSchema(postgres.db)).toMatchFileSnapshot("schema.postgres.snapshot.sql");
    await postgres.remove();
  });

  it("has strict tables only", () => {
    const lax = sqliteFileOf(db)
      .prepare(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    expect(lax).toEqual([]);
  });

  it("records its migrations", () => {
    const names = readdirSync(migrationsDir).filter((name) => name.endsWith(".sql"));
    expect(sqliteFileOf(db).prepare("SELECT name FROM migrations").pluck().all()).toEqual(names);
  });
});

describe("migrations", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "corvet-migrations-"));
    for (const name of readdirSync(migrationsDir).filter((file) => file.endsWith(".sql")))
      copyFileSync(path.join(migrationsDir, name), path.join(folder, name));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const add = (name: string, sql: string) => writeFileSync(path.join(folder, name), sql);

  it("run once, in numeric order, and a later file may fill a gap", async () => {
    const other = await openStoreForTest();
    add("9002-second.sql", "CREATE TABLE second (id INTEGER PRIMARY KEY, first INTEGER REFERENCES first (id)) STRICT;");
    await applyMigrations(other.db, folder);
    add("9001-first.sql", "CREATE TABLE first (id INTEGER PRIMARY KEY) STRICT;");
    await applyMigrations(other.db, folder);
    await applyMigrations(other.db, folder);
    const added = "SELECT name FROM sqlite_schema WHERE name IN ('first', 'second') ORDER BY name";
    expect(sqliteFileOf(other.db).prepare(added).pluck().all()).toEqual(["first", "second"]);
  });

  it("are all rolled back if one fails", async () => {
    const other = await openStoreForTest();
    add("9003-good.sql", "CREATE TABLE good (id INTEGER PRIMARY KEY) STRICT;");
    add("9004-bad.sql", "CREATE TABLE bad (id INTEGER PRIMARY KEY) STRICT; INSERT INTO nowhere VALUES (1);");
    await expect(applyMigrations(other.db, folder)).rejects.toThrow("nowhere");
    expect(
      sqliteFileOf(other.db).prepare("SELECT name FROM sqlite_schema WHERE name IN ('good', 'bad')").all(),
    ).toEqual([]);
  });

  it.each([
    ["changed after it ran", () => add("0001-baseline.sql", "SELECT 1;")],
    [
      "missing in this program",
      () => renameSync(path.join(folder, "0001-baseline.sql"), path.join(folder, "0002-other.sql")),
    ],
  ])("refuse a store with a migration that is %s", async (_case, change) => {
    change();
    await expect(applyMigrations(db, folder)).rejects.toThrow(
      expect.objectContaining({ code: "STORE_TOO_NEW", message: expect.stringContaining("0001-") }),
    );
  });

  it("are identical with any line endings", async () => {
    const other = await openStoreForTest();
    add("9005-lines.sql", "CREATE TABLE lines (\n  id INTEGER PRIMARY KEY\n) STRICT;\n");
    await applyMigrations(other.db, folder);
    add("9005-lines.sql", "CREATE TABLE lines (\r\n  id INTEGER PRIMARY KEY\r\n) STRICT;\r\n");
    await expect(applyMigrations(other.db, folder)).resolves.not.toThrow();
  });
});
