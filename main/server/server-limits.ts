export type ServerLimits = {
  /** Time limit for the request line and headers [ms]. */
  readonly headersTimeoutMs: number;
  /** Time limit for receiving a request and computing its response (section 8) [ms]. */
  readonly requestTimeoutMs: number;
  /** Time in which a refused client may continue to send, or a slow client to read its response [ms]. */
  readonly lingerMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly handshakeTimeoutMs: number;
  /** Interval at which the two timeouts above are checked [ms]. */
  readonly checkIntervalMs: number;
  readonly connections: number;
  /** Limit for all request bodies in memory together [bytes]. */
  readonly bodiesBytes: number;
  /** Interval of the comments that keep an event stream open [ms]. */
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
