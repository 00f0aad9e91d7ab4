import type { DatabaseConnection, Driver } from "kysely";
import type { TransactionStatements } from "../store-driver.ts";
import { createTurns } from "../turns.ts";
import type { HostPool } from "./postgres-hosts.ts";
import { beginBeside, beginReading, beginWriting, PostgresConnection } from "./postgres-connection.ts";

/** How transactions begin: who writes has the database to itself, who reads sees one state of it. */
export const postgresTransactions: TransactionStatements = {
  write: { begin: [beginWriting] },
  unsynced: { begin: [beginWriting, "SET LOCAL synchronous_commit = off"] },
  beside: { begin: [beginBeside] },
  read: { begin: [beginReading] },
};

/**
 * Kysely's driver for a pool of connections. A transaction takes one when it begins; one that writes waits for its turn
 * in this process before, so that those who wait for the lock do not keep the connections from those who read. Those who
 * write beside have turns of their own, so that slow ones do not take all connections. A write that stands alone is a
 * transaction of its own. Kysely's own driver has neither turns nor faults of the catalogue.
 *
 * @param place  the database as people may see it
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
