/** Timeouts of a store in PostgreSQL, which alone detect a network that drops packets [ms]. */
export type PostgresTimeouts = {
  readonly connectMs: number;
  /** Transactions that stay idle for longer are rolled back, so that a hanging program does not block others. */
  readonly idleInTransactionMs: number;
  /** Idle time after which a connection is checked with a query of at most `checkMs` before it is used. */
  readonly quietMs: number;
  readonly checkMs: number;
  /** After a failed attempt to connect of more than `slowMs`, no other one is made for `closedMs`. */
  readonly slowMs: number;
  readonly closedMs: number;
  /** Delay until a second connection checks whether the server still works on a query, and interval between checks. */
  readonly watchAfterMs: number;
  readonly watchEveryMs: number;
  readonly watchTimeoutMs: number;
};

/** @see docs/practice.md, which states when a query is abandoned */
export const postgresTimeouts: PostgresTimeouts = {
  connectMs: 5000,
  idleInTransactionMs: 10_000,
  quietMs: 2000,
  checkMs: 3000,
  slowMs: 1000,
  closedMs: 5000,
  watchAfterMs: 5000,
  watchEveryMs: 5000,
  watchTimeoutMs: 5000,
};
