/**
 * Messages between programs that share a database. They report changes without content: receivers query the store.
 */
export type Bus = {
  /**
   * Publishes to the other programs; messages are queued while the connection is lost. Never throws.
   *
   * @param text  at most `maxMessageBytes`; a text that is already queued is sent once
   */
  send(text: string): void;
  /**
   * Subscribes to the messages of other programs.
   *
   * @returns once subscribed, or once the first attempt failed and retries run; the function unsubscribes
   */
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
