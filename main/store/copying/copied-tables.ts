import { sql, type Kysely, type RawBuilder } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import type { Tables } from "../tables.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Excludes migrations, which differ between the engines, and film images, which may be files on the other side. */
export type CopiedTable = Exclude<keyof Tables, "migrations" | "filmImages">;

/**
 * Columns that identify and order the rows of each table, referenced tables first. Both engines order text byte by
 * byte. `erasing` comes last: a row in it unlocks protected rows.
 */
const keys: Readonly<Record<CopiedTable, readonly string[]>> = {
  accounts: ["id"],
  apiKeys: ["id"],
  people: ["id"],
  settings: ["key"],
  machines: ["id"],
  measurements: ["id"],
  ledger: ["seq"],
  monthlyVolumes: ["accountId", "period"],
  undeliveredCharges: ["callId"],
  usgPredictions: ["rowid"],
  screenedPatients: ["callId"],
  popSessions: ["id"],
  popSessionFrames: ["sessionId", "frameIndex"],
  patients: ["id"],
  patientAliases: ["uuidNfc"],
  films: ["rowid"],
  readings: ["id"],
  readingValues: ["readingId", "measure"],
  annotations: ["id"],
  dicomInstances: ["filmId"],
  dicomPatients: ["uuid"],
  waitingResults: ["sopInstanceUid"],
  openFilms: ["filmId", "machineId"],
  setAsideObjects: ["id"],
  watchedFiles: ["pathSha256"],
  watchedFilms: ["filmId"],
  auditEvents: ["seq"],
  valueSeals: ["seq"],
  erasedRows: ["pseudonym", "subject"],
  erasing: ["pseudonym"],
};

export const copiedTables = Object.keys(keys) as readonly CopiedTable[];

/** Rows per page if each may contain a whole film. */
const fewRows = 10;

function keyOf(table: CopiedTable, row: Row): readonly unknown[] {
  return keys[table].map((column) => row[column]);
}

/** Names a row in messages: SQL table name and key. */
export function nameOfRow(table: CopiedTable, row: Row): string {
  const key = keyOf(table, row).map((value) => (Buffer.isBuffer(value) ? value.toString("hex") : String(value)));
  return `${nameOfTable(table)}/${key.join("/")}`;
}

export function nameOfTable(table: CopiedTable | "filmImages"): string {
  return table.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Reads the rows after a row (null: from the first one on), in the order of their keys. */
export async function readPage(
  db: ReadableDb,
  table: CopiedTable,
  last: Row | null,
  pageRows: number,
): Promise<readonly Row[]> {
  const columns = sql`(${sql.join(keys[table].map((column) => sql.ref(column)))})`;
  const all = anyTable(db)
    .selectFrom(table)
    .selectAll()
    .$if(hasRowid(table), (rows) => rows.select("rowid"))
    .$if(last !== null, (rows) => rows.where(isAfter(columns, keyOf(table, last ?? {}))))
    .limit(rowsOfPage(table, pageRows));
  return await keys[table].reduce((rows, column) => rows.orderBy(column), all).execute();
}

export function isLastPage(table: CopiedTable, page: readonly Row[], pageRows: number): boolean {
  return page.length < rowsOfPage(table, pageRows);
}

export async function readLastKey(db: ReadableDb, table: CopiedTable): Promise<Row | null> {
  const all = anyTable(db)
    .selectFrom(table)
    .select([...keys[table]])
    .limit(1);
  const last = keys[table].reduce((rows, column) => rows.orderBy(column, "desc"), all);
  return (await last.executeTakeFirst()) ?? null;
}

export async function countRows(db: ReadableDb, table: CopiedTable): Promise<number> {
  const counted = anyTable(db)
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("rows"));
  return (await counted.executeTakeFirstOrThrow()).rows;
}

/** Inserts rows unchanged, including numbers that the database would otherwise assign. */
export async function insertRows(db: WritableDb, table: CopiedTable, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  const overriding = engineOf(db).file === null ? sql`OVERRIDING SYSTEM VALUE` : sql``;
  await anyTable(db)
    .insertInto(table)
    .columns(columns)
    .expression(sql`${overriding} VALUES ${sql.join(values)}`)
    .execute();
}

function hasRowid(table: CopiedTable): boolean {
  return keys[table].includes("rowid");
}

function rowsOfPage(table: CopiedTable, pageRows: number): number {
  return table === "popSessionFrames" ? Math.min(fewRows, pageRows) : pageRows;
}

function isAfter(columns: RawBuilder<unknown>, key: readonly unknown[]): RawBuilder<boolean> {
  return sql<boolean>`${columns} > (${sql.join(key)})`;
}

function anyTable(db: ReadableDb): Kysely<Record<string, Record<string, unknown>>> {
  return db as unknown as Kysely<Record<string, Record<string, unknown>>>;
}
