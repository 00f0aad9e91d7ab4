/**
 * Messages between the programs that share a database. They say that something changed, never what: whoever hears one
 * asks the store.
 */
export type Bus = {
  /**
   * Tells the other programs; what cannot be sent now is sent when the connection is back. Never throws.
   *
   * @param text  at most `longestMessageBytes`; the same text that still waits is sent once
   */
  send(text: string): void;
  /**
   * Hears from now on what others send.
   *
   * @returns once it hears, or cannot yet and goes on trying; the function ends it
   */
  listen(listener: BusListener): Promise<() => Promise<void>>;
};

/** Whom a bus tells. */
export type BusListener = {
  heard(text: string): void;
  /** Something may have been sent while the connection was away: whatever is shown has to be asked for again. */
  missed(): void;
  /** The connection is lost, or does not come about. Told once for each time that it is away. */
  away(cause: unknown): void;
};

/** PostgreSQL takes less than 8,000 bytes, some of which are the bus's own. */
export const longestMessageBytes = 7500;
