/**
 * Timeouts of a store in PostgreSQL, which alone detect a network that drops packets [ms]. docs/practice.md states when
 * a query is abandoned.
 */
export const postgresTimeouts = {
  connectMs: 5000,
  /** Transactions that stay idle for longer are rolled back, so that a hanging program does not block others. */
  idleInTransactionMs: 10_000,
  /** Idle time after which a connection is checked with a query of at most `checkMs` before it is used. */
  quietMs: 2000,
  checkMs: 3000,
  /** After a failed attempt to connect of more than `slowMs`, no other one is made for `closedMs`. */
  slowMs: 1000,
  closedMs: 5000,
  /** Delay until a second connection checks whether the server still works on a query, and interval between checks. */
  watchAfterMs: 5000,
  watchEveryMs: 5000,
  watchTimeoutMs: 5000,
};

export type PostgresTimeouts = Readonly<typeof postgresTimeouts>;
