/** Messages between programs that share a database, without content: receivers query the store. */
export type Bus = {
  /** Queues messages while the connection is lost. @param text  at most `maxMessageBytes`; not queued twice */
  send(text: string): void;
  /** @returns once subscribed, or once the first attempt failed and retries run; the function unsubscribes */
  listen(listener: BusListener): Promise<() => Promise<void>>;
};

export type BusListener = {
  received(text: string): void;
  /** Messages may have been missed while the connection was lost: refetch everything shown. */
  missed(): void;
  /** The connection is lost or cannot be made. Called once per outage. */
  away(cause: unknown): void;
};

/** PostgreSQL allows less than 8,000 bytes, some of which the bus needs. */
export const maxMessageBytes = 7500;
