import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type RawBuilder,
  type DatabaseConnection,
  type Driver,
} from "kysely";
import { Pool, types, type PoolConfig } from "pg";
import type { WritableDb } from "../../connection.ts";
import type { Tables } from "../../tables.ts";
import { columnNames } from "../column-names.ts";
import { setEngine } from "../engine.ts";
import { createStoreDriver, type TransactionStatements } from "../store-driver.ts";
import { readPostgresAddress, type PostgresAddress } from "./postgres-address.ts";
import { createPostgresBus } from "./postgres-bus.ts";
import { HostClient, type HostPool } from "./host-client.ts";
import { postgresSchema } from "./postgres-schema.ts";
import { createTurns } from "../turns.ts";
import { postgresTimeouts, type PostgresTimeouts } from "./postgres-timeouts.ts";
import { beginConcurrent, beginReading, beginWriting, PostgresConnection } from "./postgres-connection.ts";

/** The wait for another writer exceeds the time for which a hanging writer can block others [ms]. */
const limits = { idleTimeoutMillis: 30_000, lock_timeout: 15_000 };
/** Timeouts of queries. The server's timeout is shorter than the client's, so that its error states the cause [ms]. */
const queryLimits = { statement_timeout: 30_000, query_timeout: 35_000 };

/** Of one program: one writes, the others read. */
const connections = 10;

export type PostgresStoreOptions = {
  readonly isTimeLimited?: boolean;
  readonly machineId?: string | null;
  readonly timeouts?: PostgresTimeouts;
};

/**
 * A store that connects on the first query and reconnects after a lost connection.
 *
 * @param options  `isTimeLimited`: false for work of any duration, such as migrations; `machineId`: this workstation's
 *   id in a shared store
 * @throws AppError STORE_UNAVAILABLE if the address is invalid
 */
export function createPostgresStore(
  url: string,
  { isTimeLimited = true, machineId = null, timeouts = postgresTimeouts }: PostgresStoreOptions = {},
): WritableDb {
  const address = readPostgresAddress(url);
  const pool = createPool(address, { isTimeLimited, timeouts });
  const driver = createStoreDriver(createPostgresDriver(pool, address.place), postgresTransactions);
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (queries) => new PostgresIntrospector(queries),
    },
    plugins: [columnNames],
  }) as WritableDb;
  setEngine(db, {
    driver,
    file: null,
    isInPlace: () => true,
    isWithoutLog: () => false,
    isOverwritten: () => false,
    giveUp: () => undefined,
    place: address.place,
    url,
    machineId,
    bus: machineId === null ? null : createPostgresBus(address, machineId),
    now: sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
    patientNumber: sql<string | null>`patient_number(facts)`,
    readableJson,
    async lastGiven(table) {
      const given = sql<{ seq: number }>`SELECT seq FROM last_given WHERE table_name = ${table}`;
      return (await given.execute(db)).rows[0]?.seq ?? 0;
    },
    // Rows that autovacuum has not removed and the server's logs are outside the program's control.
    forgetDeleted: () => Promise.resolve(),
    async hasTable(name) {
      const found = sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ${name}`;
      return (await found.execute(db)).rows.length > 0;
    },
    schema: postgresSchema(db),
  });
  return db;
}

/** Removes U+0000 and unpaired surrogates, which JSON allows but PostgreSQL cannot store as text. */
function readableJson(column: string): RawBuilder<unknown> {
  const unreadable = String.raw`(\\\\)|\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})`;
  const [json, mark, kept] = [sql.ref(column), sql.lit(String.raw`\u`), sql.lit(String.raw`\1`)];
  return sql`(CASE WHEN strpos(${json}::text, ${mark}) = 0 THEN ${json}
    ELSE regexp_replace(${json}::text, ${sql.lit(unreadable)}, ${kept}, 'g')::json END)`;
}

function createPool(
  address: PostgresAddress,
  { isTimeLimited, timeouts }: { readonly isTimeLimited: boolean; readonly timeouts: PostgresTimeouts },
): HostPool {
  const ofQueries = { ...queryLimits, idle_in_transaction_session_timeout: timeouts.idleInTransactionMs };
  const options = { ...address, ...limits, connectionTimeoutMillis: timeouts.connectMs, timeouts };
  const pool = new Pool({
    ...options,
    ...(isTimeLimited && ofQueries),
    application_name: "corvet",
    max: connections,
    keepAlive: true,
    types: { getTypeParser },
    // The pool's type does not allow clients whose constructor requires more options.
    Client: HostClient as unknown as NonNullable<PoolConfig["Client"]>,
  }) as HostPool;
  // The pool passes on the errors of its idle connections (`HostClient`).
  pool.on("error", () => undefined);
  return pool;
}

const asText = String;
const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, Number],
  [types.builtins.NUMERIC, Number],
  [types.builtins.BOOL, (text) => (text === "t" ? 1 : 0)],
  [types.builtins.JSON, asText],
  [types.builtins.JSONB, asText],
]);

/** Makes both engines return the same values: whole numbers as numbers, conditions as 0 and 1, JSON as its text. */
function getTypeParser(oid: number, format?: "text" | "binary") {
  return parsers.get(oid) ?? types.getTypeParser(oid, format);
}

const postgresTransactions: TransactionStatements = {
  write: { begin: [beginWriting] },
  unsynced: { begin: [beginWriting, "SET LOCAL synchronous_commit = off"] },
  beside: { begin: [beginConcurrent] },
  read: { begin: [beginReading] },
};

/**
 * A writing transaction first waits for its turn in this process, so that waiting writers do not occupy the connections
 * of readers. Concurrent writers (`beside`) have a separate queue, so that slow ones do not take all connections. A
 * single write is a transaction. Kysely's own driver has neither turns nor errors of the catalogue.
 */
function createPostgresDriver(pool: HostPool, place: string): Driver {
  const turns = new Map([beginWriting, beginConcurrent].map((begin) => [begin, createTurns()]));
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(new PostgresConnection(pool, place, turns)),
    beginTransaction: async (connection) => void (await own(connection).begin(beginWriting)),
    commitTransaction: (connection) => own(connection).commit(),
    rollbackTransaction: (connection) => own(connection).rollBack(),
    releaseConnection: (connection) => Promise.resolve(own(connection).release()),
    destroy: () => pool.end(),
  };
}

function own(connection: DatabaseConnection): PostgresConnection {
  if (connection instanceof PostgresConnection) return connection;
  throw new Error("the connection belongs to another driver");
}
