import type { ProtocolFault } from "./message-fragments.ts";
import type { NetworkLimits } from "./network-limits.ts";

/** How a receiver is set up. */
export type ReceiverOptions = {
  /** Address to listen on. */
  readonly address: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Our own application entity title; an association that calls another one is refused. */
  readonly aeTitle: string;
  /** null lets every title in. */
  readonly allowedAeTitles: readonly string[] | null;
  /** IPv4 addresses and networks (`192.168.1.0/24`); null lets every address in. */
  readonly allowedAddresses: readonly string[] | null;
  /** Where received objects lie until somebody takes them. */
  readonly folder: string;
  readonly limits: NetworkLimits;
};

/** Why an association was refused or ended early. */
export type AssociationFault =
  | "address-not-allowed" | "calling-ae-not-allowed" | "called-ae-wrong" | "too-many-connections" | "nothing-acceptable" | "connection-lost" | ProtocolFault;

/** What became of one connection. No patient, no object. */
export type AssociationReport = {
  readonly address: string;
  /** null when the connection ended before it said so. */
  readonly callingAeTitle: string | null;
  readonly calledAeTitle: string | null;
  readonly storedObjects: number;
  /** Objects that were answered with a failure: damaged, or the disk is full. */
  readonly refusedObjects: number;
  readonly echoes: number;
  /** null for an association that ended as it should. */
  readonly fault: AssociationFault | null;
};

/** What the thread tells. */
export type ReceiverMessage =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "not-listening"; readonly code: string }
  | { readonly kind: "received"; readonly fileName: string }
  | { readonly kind: "association"; readonly report: AssociationReport };
