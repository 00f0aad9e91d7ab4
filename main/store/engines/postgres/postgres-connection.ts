import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { QueryResult as PgResult } from "pg";
import type { HostPool } from "./host-client.ts";
import { openSession, type Session } from "./postgres-session.ts";

/** Key of the advisory lock that serialises writers: "CORV". */
const writersLock = 0x434f5256;

/** Waits until no other transaction writes; the queries see all changes committed before. @see decision 0007 */
export const beginWriting = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SELECT pg_advisory_xact_lock(${writersLock})`;
export const beginConcurrent = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
export const beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

const beginnings: readonly string[] = [beginWriting, beginConcurrent, beginReading];

/** Queues in which transactions of this process wait, by the statement that begins them. */
type Turns = ReadonlyMap<string, () => Promise<() => void>>;

/** Kysely connection that holds a connection of the pool only during a transaction. */
export class PostgresConnection implements DatabaseConnection {
  readonly #pool: HostPool;
  readonly #place: string;
  readonly #turns: Turns;
  #session: Session | null = null;
  #endTurn: (() => void) | null = null;

  constructor(pool: HostPool, place: string, turns: Turns) {
    this.#pool = pool;
    this.#place = place;
    this.#turns = turns;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.#execute(query);
    const hasWritten = ["INSERT", "UPDATE", "DELETE"].includes(command);
    return { rows: rows as Row[], ...(hasWritten && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  async begin(statement: string): Promise<PgResult> {
    this.#endTurn = (await this.#turns.get(statement)?.()) ?? null;
    const { session, result } = await openSession(this.#pool, this.#place, statement);
    this.#session = session;
    return result;
  }

  async commit(): Promise<void> {
    const result = await this.#session?.execute("COMMIT");
    if (result?.command !== "COMMIT")
      throw new Error("nothing was committed: an earlier error in the transaction was ignored");
  }

  async rollBack(): Promise<void> {
    await this.#session?.rollBack();
  }

  release(): void {
    this.#session?.end();
    this.#session = null;
    this.#endTurn?.();
    this.#endTurn = null;
  }

  streamQuery(): never {
    throw new Error("streaming is not supported; read in pages");
  }

  async #execute(query: CompiledQuery): Promise<PgResult> {
    const { sql, parameters } = query;
    if (this.#session) return await this.#session.execute(sql, parameters);
    if (beginnings.includes(sql)) return await this.begin(sql);
    return await (isReading(query) ? this.#readAlone(sql, parameters) : this.#writeAlone(sql, parameters));
  }

  async #readAlone(sql: string, parameters: readonly unknown[]): Promise<PgResult> {
    const { session, result } = await openSession(this.#pool, this.#place, sql, parameters);
    session.end();
    return result;
  }

  async #writeAlone(sql: string, parameters: readonly unknown[]): Promise<PgResult> {
    await this.begin(beginWriting);
    try {
      const result = await this.#execute({ sql, parameters } as CompiledQuery);
      await this.commit();
      return result;
    } catch (error) {
      await this.rollBack();
      throw error;
    } finally {
      this.release();
    }
  }
}

/** Whether a query only reads and needs no turn outside a transaction. Classifies raw SQL by its first keyword. */
function isReading({ query, sql }: CompiledQuery): boolean {
  return (
    query.kind === "SelectQueryNode" || (query.kind === "RawNode" && /^\s*(SELECT|SHOW|TABLE|VALUES|WITH)\b/i.test(sql))
  );
}
