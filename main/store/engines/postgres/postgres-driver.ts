import type { DatabaseConnection, Driver } from "kysely";
import type { TransactionStatements } from "../store-driver.ts";
import { createTurns } from "../turns.ts";
import type { HostPool } from "./host-client.ts";
import { beginBeside, beginReading, beginWriting, PostgresConnection } from "./postgres-connection.ts";

/** Statements that begin transactions: a writer has the database to itself, a reader sees one state of it. */
export const postgresTransactions: TransactionStatements = {
  write: { begin: [beginWriting] },
  unsynced: { begin: [beginWriting, "SET LOCAL synchronous_commit = off"] },
  beside: { begin: [beginBeside] },
  read: { begin: [beginReading] },
};

/**
 * Kysely's driver for a pool of connections. A transaction takes a connection when it begins; a writing one first waits
 * for its turn in this process, so that writers waiting for the lock do not occupy the connections of readers.
 * Concurrent writers (`beside`) have separate turns, so that slow ones do not take all connections. A single write is a
 * transaction. Kysely's driver has neither turns nor errors of the catalogue.
 *
 * @param place  the database as shown to users
 */
export function createPostgresDriver(pool: HostPool, place: string): Driver {
  const turns = new Map([beginWriting, beginBeside].map((begin) => [begin, createTurns()]));
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
  throw new Error("the connection is of another driver");
}
