/** Limits of one listener; tests shorten the times. */
export type ServerLimits = {
  /** Time limit for the request line and headers [ms]. */
  readonly headersTimeoutMs: number;
  /** Time limit for receiving the whole request and computing its response (section 8) [ms]. */
  readonly requestTimeoutMs: number;
  /** A refused client may go on sending, and a late one taking its answer, for this long [ms]. */
  readonly lingerMs: number;
  /** An idle connection is closed after this [ms]. */
  readonly keepAliveTimeoutMs: number;
  readonly handshakeTimeoutMs: number;
  /** Interval at which the two timeouts above are checked [ms]. */
  readonly checkIntervalMs: number;
  /** Connections at a time; more are closed at once. */
  readonly connections: number;
  /** All request bodies in memory together [bytes]. */
  readonly bodiesBytes: number;
  /** A comment goes down a waiting event stream this often [ms]. */
  readonly heartbeatMs: number;
};

export const defaultLimits: ServerLimits = {
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 300_000,
  lingerMs: 10_000,
  keepAliveTimeoutMs: 60_000,
  handshakeTimeoutMs: 10_000,
  checkIntervalMs: 2_000,
  connections: 2_000,
  bodiesBytes: 450 * 1024 * 1024,
  heartbeatMs: 15_000,
};
