import { Client, type ClientConfig, type Pool, type PoolClient } from "pg";
import type { Hosts, PostgresHost } from "./hosts.ts";
import type { PostgresTimeouts } from "./postgres-timeouts.ts";

/** Connects to the current host of an address; the driver supports one host. */
export class HostClient extends Client {
  readonly at: PostgresHost;
  readonly #hosts: Hosts;

  constructor(options: ClientConfig & { readonly hosts: Hosts }) {
    const at = options.hosts.current();
    // The pool makes the password non-enumerable, so the spread omits it.
    super({ ...options, ...at, password: options.password });
    this.at = at;
    this.#hosts = options.hosts;
    // The next query reports a lost connection; without a listener, the event would end the program. The pool adds one
    // only when `connect` has called back, and the server may end the connection before.
    this.on("error", () => undefined);
  }

  override connect(): Promise<Client>;
  override connect(callback: Parameters<Client["connect"]>[0]): void;
  override connect(callback?: Parameters<Client["connect"]>[0]): Promise<Client> | void {
    const connecting = this.#connect();
    if (!callback) return connecting;
    const done = callback as (error: Error | null, client?: Client) => void;
    connecting.then(
      (client) => done(null, client),
      (error: unknown) => done(error as Error),
    );
  }

  async #connect(): Promise<Client> {
    try {
      await super.connect();
      if (this.#hosts.isReadWrite) await this.#assertReadWrite();
      return this;
    } catch (error) {
      this.#hosts.leave(this.at);
      throw error;
    }
  }

  async #assertReadWrite(): Promise<void> {
    const { rows } = await this.query<{ transaction_read_only: string }>("SHOW transaction_read_only");
    if (rows[0]?.transaction_read_only === "off") return;
    await this.end();
    throw new Error("the server is read-only");
  }
}

export type HostPool = Pool & { readonly options: { readonly hosts: Hosts; readonly timeouts: PostgresTimeouts } };

/** Tries each host at most once. */
export async function connectToAnyHost(pool: HostPool): Promise<PoolClient> {
  for (let left = pool.options.hosts.count; ; left -= 1)
    try {
      return await pool.connect();
    } catch (error) {
      const isFull = pool.totalCount >= pool.options.max;
      if (left <= 1 || isFull) throw error;
    }
}
