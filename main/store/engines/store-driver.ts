import { AsyncLocalStorage } from "node:async_hooks";
import { CompiledQuery, type DatabaseConnection, type Driver } from "kysely";

/**
 * `write` excludes other writers and is on disk once committed; `unsynced` may be lost in a power cut; `beside` does
 * not exclude other writers if the engine supports that; `read` sees one snapshot of the store.
 */
type TransactionMode = "write" | "unsynced" | "beside" | "read";

export type TransactionStatements = Readonly<
  Record<TransactionMode, { readonly begin: readonly string[]; readonly after?: readonly string[] }>
>;

export type StoreDriver = Driver & {
  transaction<T>(mode: TransactionMode, work: () => Promise<T>): Promise<T>;
  /** After the open transaction has committed, or at once outside a transaction. */
  afterCommit(act: () => Promise<void>): Promise<void>;
};

type Scope = {
  readonly connection: DatabaseConnection;
  readonly afterCommit: Set<() => Promise<void>>;
  /** Number of open savepoints. */
  depth: number;
  isOpen: boolean;
};

/**
 * The asynchronous context of a query, not a parameter, determines its transaction, at any depth. A transaction within
 * another one is a savepoint.
 */
export function createStoreDriver(inner: Driver, statements: TransactionStatements): StoreDriver {
  const scopes = new AsyncLocalStorage<Scope>();
  const borrowed = new WeakSet<DatabaseConnection>();
  const openScope = () => {
    const scope = scopes.getStore();
    return scope?.isOpen ? scope : null;
  };
  const within = async <T>(connection: DatabaseConnection, mode: TransactionMode, work: () => Promise<T>) => {
    const scope: Scope = { connection: wrap(connection), afterCommit: new Set(), depth: 0, isOpen: true };
    borrowed.add(scope.connection);
    try {
      for (const statement of statements[mode].begin) await run(connection, statement);
      const result = await scopes.run(scope, work);
      scope.isOpen = false;
      await inner.commitTransaction(connection);
      return { result, afterCommit: scope.afterCommit };
    } catch (error) {
      scope.isOpen = false;
      await inner.rollbackTransaction(connection);
      throw error;
    } finally {
      for (const statement of statements[mode].after ?? []) await run(connection, statement);
    }
  };
  return {
    ...inner,
    acquireConnection: async (options) => openScope()?.connection ?? (await inner.acquireConnection(options)),
    releaseConnection: async (connection, options) => {
      if (!borrowed.has(connection)) await inner.releaseConnection(connection, options);
    },
    async transaction(mode, work) {
      const outer = openScope();
      if (outer) return await withinSavepoint(outer, work);
      const connection = await inner.acquireConnection();
      let done;
      try {
        done = await within(connection, mode, work);
      } finally {
        await inner.releaseConnection(connection);
      }
      for (const act of done.afterCommit) await act();
      return done.result;
    },
    async afterCommit(act) {
      const scope = openScope();
      if (scope) scope.afterCommit.add(act);
      else await act();
    },
  };
}

async function withinSavepoint<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  scope.depth += 1;
  // Reuse names, so that their compiled statements do not displace others.
  const name = `within_${scope.depth}`;
  try {
    await run(scope.connection, `SAVEPOINT ${name}`);
    const result = await work();
    await run(scope.connection, `RELEASE SAVEPOINT ${name}`);
    return result;
  } catch (error) {
    await rollBackTo(scope.connection, name);
    throw error;
  } finally {
    scope.depth -= 1;
  }
}

async function rollBackTo(connection: DatabaseConnection, savepoint: string): Promise<void> {
  try {
    await run(connection, `ROLLBACK TO SAVEPOINT ${savepoint}`);
    await run(connection, `RELEASE SAVEPOINT ${savepoint}`);
  } catch {
    // The database has already rolled everything back (a full disk, a lost connection); the caller throws the cause.
  }
}

/** Marks the connection of a transaction, whose release after each query is ignored. */
function wrap(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: (query, options) => connection.executeQuery(query, options),
    streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
  };
}

async function run(connection: DatabaseConnection, sql: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(sql));
}
