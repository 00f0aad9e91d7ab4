import { sql } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";

/** Highest row number ever assigned in a table, by the table's name; deleted rows count. */
type GivenNumbers = ReadonlyMap<string, number>;

type Given = { readonly name: string; readonly seq: number };

/** SQLite keeps them in `sqlite_sequence`; PostgreSQL in the table `last_given` and, for measurements, a sequence. */
export async function readGivenNumbers(db: ReadableDb): Promise<GivenNumbers> {
  const query =
    engineOf(db).file === null
      ? sql<Given>`SELECT table_name AS name, seq FROM last_given
          UNION ALL SELECT 'measurements', last_value FROM measurements_id_seq WHERE is_called ORDER BY name`
      : sql<Given>`SELECT name, seq FROM sqlite_sequence WHERE seq > 0 ORDER BY name`;
  return new Map((await query.execute(db)).rows.map(({ name, seq }) => [name, seq]));
}

/** Continues the source's numbering; in PostgreSQL also the row ids of films and screenings. */
export async function continueNumbers(db: WritableDb, given: GivenNumbers): Promise<void> {
  for (const [name, seq] of given) await (engineOf(db).file === null ? setInPostgres : setInSqlite)(db, name, seq);
  if (engineOf(db).file === null)
    for (const table of ["films", "usg_predictions"])
      await sql`SELECT setval(pg_get_serial_sequence(${table}, 'rowid'), max(rowid)) FROM ${sql.table(table)}`.execute(
        db,
      );
}

async function setInPostgres(db: WritableDb, name: string, seq: number): Promise<void> {
  if (name === "measurements") {
    await sql`SELECT setval(pg_get_serial_sequence('measurements', 'id'), ${seq})`.execute(db);
    return;
  }
  await sql`INSERT INTO last_given (table_name, seq) VALUES (${name}, ${seq})
    ON CONFLICT (table_name) DO UPDATE SET seq = excluded.seq`.execute(db);
}

async function setInSqlite(db: WritableDb, name: string, seq: number): Promise<void> {
  await sql`DELETE FROM sqlite_sequence WHERE name = ${name}`.execute(db);
  await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${name}, ${seq})`.execute(db);
}
