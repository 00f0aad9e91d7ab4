import type { Compilable, CompiledQuery, Insertable } from "kysely";
import type { ReadableDb, WritableDb } from "../connection.ts";
import type { Tables } from "../tables.ts";

type Executor = Pick<ReadableDb, "executeQuery">;

class Place {
  readonly name: PropertyKey;
  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * A query that is compiled once per store, for queries of every call, which take longer to compile than to execute.
 *
 * @param build  `place("name")` is the placeholder of the value of that name
 */
export function compiledOnce<Values extends object, Row, Db extends Executor = ReadableDb>(
  build: (db: Db, place: <Name extends keyof Values>(name: Name) => Values[Name]) => Compilable<Row>,
): (db: Db, values: Values) => Promise<readonly Row[]> {
  const compiled = new WeakMap<Db, CompiledQuery<Row>>();
  return async (db, values) => {
    const query = compiled.get(db) ?? build(db, (name) => new Place(name) as never).compile();
    compiled.set(db, query);
    return await run(db, query, values);
  };
}

const inserts = new WeakMap<ReadableDb, Map<string, CompiledQuery>>();

/** Inserts a row with a statement that is compiled once per table and set of columns. */
export async function insertRow<Table extends keyof Tables>(
  db: WritableDb,
  table: Table,
  row: Insertable<Tables[Table]>,
): Promise<void> {
  const ofStore = inserts.get(db) ?? new Map<string, CompiledQuery>();
  inserts.set(db, ofStore);
  const columns = Object.keys(row);
  const name = [table, ...columns].join(" ");
  const places = Object.fromEntries(columns.map((column) => [column, new Place(column)]));
  const statement =
    ofStore.get(name) ??
    db
      .insertInto(table)
      .values(places as never)
      .compile();
  ofStore.set(name, statement);
  await run(db, statement, row);
}

async function run<Row>(db: Executor, query: CompiledQuery<Row>, values: object): Promise<readonly Row[]> {
  const parameters = query.parameters.map((parameter) =>
    parameter instanceof Place ? (values as Record<PropertyKey, unknown>)[parameter.name] : parameter,
  );
  return (await db.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>)).rows;
}
