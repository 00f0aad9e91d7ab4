// Runs once: opens PostgreSQL or both engines directly.
import { sql } from "kysely";
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { engineOf, sqliteFileOf } from "../../../../main/store/engines/engine.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { openTestStore } from "./test-store.ts";

type Column = { readonly table: string; readonly name: string; readonly type: string; readonly isNullable: number };
type Unique = { readonly table: string; readonly columns: string; readonly condition: string };

const typesOfSqlite: Readonly<Record<string, string>> = {
  text: "TEXT",
  json: "TEXT",
  bigint: "INTEGER",
  "double precision": "REAL",
  bytea: "BLOB",
};

describe.runIf(hasPostgres)("the schema in PostgreSQL", () => {
  let sqlite: Awaited<ReturnType<typeof openTestStore>>;
  let postgres: Awaited<ReturnType<typeof openTestStore>>;
  beforeAll(async () => {
    sqlite = await openTestStore("sqlite");
    postgres = await openTestStore("postgres");
  });
  afterAll(async () => {
    await sqlite.remove();
    await postgres.remove();
  });
  const inSqlite = <Row>(query: string) => sqliteFileOf(sqlite.db).prepare(query).all() as Row[];

  it("has the tables and columns of SQLite, with the same types and row order", async () => {
    const columns = inSqlite<Column>(
      `SELECT t.name AS "table", c.name, c.type, c."notnull" = 0 AND c.pk = 0 AS isNullable
       FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
       WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
    );
    const ordered = ["films", "usg_predictions"].map((table) => ({
      table,
      name: "rowid",
      type: "INTEGER",
      isNullable: 0,
    }));
    const given = ["table_name", "seq"].map((name, at) => {
      return { table: "last_given", name, type: ["TEXT", "INTEGER"][at], isNullable: 0 };
    });
    expect(inOrder(await columnsOfPostgres(postgres.db))).toEqual(inOrder([...columns, ...ordered, ...given]));
  });

  it("compares text byte by byte", async () => {
    const others = sql`SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`;
    expect((await others.execute(postgres.db)).rows).toEqual([]);
  });

  it("has the unique keys of SQLite", async () => {
    const keys = inSqlite<Unique>(
      `SELECT t.name AS "table",
         (SELECT group_concat(lower(k.name) || CASE WHEN k.coll = 'NOCASE' THEN ' whatever its case' ELSE '' END, ', ')
          FROM pragma_index_xinfo(i.name) AS k WHERE k.key = 1) AS columns,
         coalesce((SELECT substr(sql, instr(sql, ' WHERE ') + 7) FROM sqlite_schema WHERE name = i.name AND i.partial = 1), '') AS condition
       FROM pragma_table_list AS t JOIN pragma_index_list(t.name) AS i
       WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' AND i."unique" = 1
       UNION ALL SELECT t.name, c.name, '' FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
       WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' AND c.pk = 1 AND c.type = 'INTEGER'
         AND (SELECT max(pk) FROM pragma_table_info(t.name)) = 1`,
    );
    const given = { table: "last_given", columns: "table_name", condition: "" };
    expect(inOrder(await keysOfPostgres(postgres.db))).toEqual(inOrder([...keys, given]));
  });

  it("has the foreign keys of SQLite", async () => {
    const keys = inSqlite(
      `SELECT t.name || '.' || k."from" || ' to ' || k."table" || '.' || k."to" || ' ' || lower(k.on_delete) AS key
       FROM pragma_table_list AS t JOIN pragma_foreign_key_list(t.name) AS k WHERE t.schema = 'main'`,
    );
    const found = sql`SELECT c.conrelid::regclass || '.' || a.attname || ' to ' || c.confrelid::regclass || '.' || b.attname || ' ' ||
        CASE c.confdeltype WHEN 'c' THEN 'cascade' ELSE 'no action' END AS key
      FROM pg_constraint AS c JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      JOIN pg_attribute AS b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1] WHERE c.contype = 'f'`;
    expect(inOrder((await found.execute(postgres.db)).rows)).toEqual(inOrder(keys));
  });

  it("has the checks of SQLite, except for JSON, which has a type", async () => {
    const tables = inSqlite<{ name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'table'");
    const checks = tables
      .map(({ name, sql: text }) => ({ name, count: (text.match(/CHECK \((?!.*json_valid)/g) ?? []).length }))
      .filter(({ count }) => count > 0);
    const found = sql`SELECT conrelid::regclass::text AS name, count(*) AS count FROM pg_constraint
      WHERE contype = 'c' AND connamespace = current_schema()::regnamespace GROUP BY conrelid`;
    expect(inOrder((await found.execute(postgres.db)).rows)).toEqual(inOrder(checks));
  });

  it("has the triggers of SQLite", async () => {
    const names = inSqlite<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'trigger'");
    const found = sql<{ name: string }>`SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal`;
    const those = (await found.execute(postgres.db)).rows.map(({ name }) => name);
    expect(those).toEqual(expect.arrayContaining(names.map(({ name }) => name)));
    expect(those.filter((name) => name.endsWith("_refuse_truncate"))).toHaveLength(10);
  });

  it("has a migration of the same name for each of SQLite's", () => {
    const names = (db: WritableDb) =>
      readdirSync(engineOf(db).schema.migrationsDir).filter((name) => /^\d{4}-/.test(name));
    expect(names(sqlite.db)).toEqual(names(postgres.db));
  });
});

async function columnsOfPostgres(db: WritableDb): Promise<readonly Column[]> {
  const found = sql<Column>`SELECT table_name AS "table", column_name AS name, data_type AS type, is_nullable = 'YES' AS is_nullable
    FROM information_schema.columns WHERE table_schema = current_schema()`;
  return (await found.execute(db)).rows.map((column) => ({
    ...column,
    type: typesOfSqlite[column.type] ?? column.type,
  }));
}

async function keysOfPostgres(db: WritableDb): Promise<readonly Unique[]> {
  const found = sql<Unique>`SELECT indrelid::regclass::text AS "table", coalesce(pg_get_expr(indpred, indrelid), '') AS condition,
      (SELECT string_agg(regexp_replace(pg_get_indexdef(indexrelid, n, true), '^lower\\((.*)\\)$', '\\1 whatever its case'), ', ' ORDER BY n)
       FROM generate_series(1, indnkeyatts) AS n) AS columns
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indisunique AND relnamespace = current_schema()::regnamespace`;
  return (await found.execute(db)).rows.map(({ condition, ...key }) => ({
    ...key,
    condition: condition.replace(/^\((.*)\)$/, "$1").replaceAll("::text", ""),
  }));
}

function inOrder<Row>(rows: readonly Row[]): readonly Row[] {
  return rows
    .map((row) => ({ row, text: JSON.stringify(Object.entries(row as object).sort()) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ row }) => row);
}
