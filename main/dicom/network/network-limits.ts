/** Limits of a connection, listed in the conformance statement. */
export type NetworkLimits = {
  /** Maximum size of a received PDU [bytes], announced to the peer with the association. */
  readonly pduBytes: number;
  readonly associationRequestBytes: number;
  readonly commandBytes: number;
  readonly objectBytes: number;
  readonly connections: number;
  /** Time for the connection to open and its association to be requested [ms]. */
  readonly associationMs: number;
  /** Time for one PDU, from its first byte [ms]. */
  readonly pduMs: number;
  /** Time for one message, from its first fragment [ms]. */
  readonly messageMs: number;
  /** Time without a PDU in either direction [ms]. */
  readonly idleMs: number;
  /** Time to send the last bytes before a connection is destroyed, not in the statement [ms]. */
  readonly lastBytesMs: number;
};

export const networkLimits: NetworkLimits = {
  pduBytes: 131_072,
  associationRequestBytes: 65_536,
  commandBytes: 16_384,
  objectBytes: 256 * 1024 * 1024,
  connections: 16,
  associationMs: 10_000,
  pduMs: 30_000,
  messageMs: 600_000,
  idleMs: 60_000,
  lastBytesMs: 3000,
};
