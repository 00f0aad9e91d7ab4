import type { Kysely } from "kysely";
import type { ReadableDb } from "../connection.ts";
import { compiledOnce } from "../engines/compiled-queries.ts";
import type { Tables } from "../tables.ts";

export type SealedSource = Tables["valueSeals"]["source"];

/** Tables whose rows are sealed, with the column that identifies a row. */
export const sealedSources = {
  measurements: "id",
  readings: "id",
  usg_predictions: "call_id",
  audit_events: "seq",
  annotations: "id",
} as const satisfies Record<SealedSource, string>;

/** Identifiers are not sealed, because erasure replaces them by a pseudonym; neither is the order of insertion. */
const unsealedColumns = new Set(["uuid", "uuid_nfc", "clinic_code", "clinic_code_nfc", "rowid"]);

/** Sources with numeric keys, which PostgreSQL compares with numbers only. */
const numberedSources: ReadonlySet<SealedSource> = new Set(["measurements", "audit_events"]);

type StoredTables = Record<SealedSource, Readonly<Record<string, unknown>>> & {
  readonly value_seals: { readonly source: SealedSource; readonly row_key: string };
};

const plain = new WeakMap<ReadableDb, Kysely<StoredTables>>();

/** Sealed tables with column names as in the database, because seals cover the names. */
export function storedTables(db: ReadableDb): Kysely<StoredTables> {
  const tables = plain.get(db) ?? (db.withoutPlugins() as unknown as Kysely<StoredTables>);
  plain.set(db, tables);
  return tables;
}

export async function contentOf(db: ReadableDb, source: SealedSource, rowKey: string): Promise<string | null> {
  return (await contentsOf(db, source, [rowKey])).get(rowKey) ?? null;
}

/** Values by column name, per key. Null columns are left out, so that adding a column changes no content. */
export async function contentsOf(
  db: ReadableDb,
  source: SealedSource,
  rowKeys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // A tampered seal can name any table.
  if (!Object.hasOwn(sealedSources, source)) return new Map();
  const key = sealedSources[source];
  const validKeys = numberedSources.has(source) ? rowKeys.filter((rowKey) => /^\d{1,15}$/.test(rowKey)) : rowKeys;
  if (validKeys.length === 0) return new Map();
  const tables = storedTables(db);
  const [rowKey] = validKeys;
  const rows =
    validKeys.length === 1 && rowKey !== undefined
      ? await rowNamed[source](tables, { rowKey })
      : await tables.selectFrom(source).selectAll().where(key, "in", validKeys).execute();
  const measured = source === "readings" ? await measuredOf(db, validKeys) : null;
  return new Map(
    rows.map((row) => {
      const rowKey = String(row[key]);
      const values = Object.entries(row)
        .filter(([name, value]) => value !== null && !unsealedColumns.has(name))
        .sort(([one], [other]) => (one < other ? -1 : 1));
      return [rowKey, JSON.stringify([...values, ...(measured?.get(rowKey) ?? [])])];
    }),
  );
}

const rowNamed = {
  measurements: queryFor("measurements"),
  readings: queryFor("readings"),
  usg_predictions: queryFor("usg_predictions"),
  audit_events: queryFor("audit_events"),
  annotations: queryFor("annotations"),
} as const;

function queryFor(source: SealedSource) {
  return compiledOnce<{ readonly rowKey: string }, Readonly<Record<string, unknown>>, Kysely<StoredTables>>(
    (tables, place) => tables.selectFrom(source).selectAll().where(sealedSources[source], "=", place("rowKey")),
  );
}

type Measured = readonly [measure: string, value: number];

async function measuredOf(
  db: ReadableDb,
  readingIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Measured[]>> {
  const values = db.selectFrom("readingValues").selectAll().where("readingId", "in", readingIds).orderBy("measure");
  const ofReadings = Map.groupBy(await values.execute(), ({ readingId }) => readingId);
  return new Map(
    Array.from(ofReadings, ([id, rows]) => [id, rows.map(({ measure, value }) => [measure, value] as const)]),
  );
}
