import type { NetworkLimits } from "./network-limits.ts";

/** A program to which objects are sent. */
export type DicomPeer = { readonly host: string; readonly port: number; readonly aeTitle: string };

/** An object as it travels. */
export type SentObject = { readonly sopClassUid: string; readonly sopInstanceUid: string; readonly transferSyntaxUid: string; readonly dataSet: Uint8Array };

/** What the thread is to do: send objects, or only ask whether the peer is there (none). */
export type SendJob = { readonly peer: DicomPeer; readonly aeTitle: string; readonly objects: readonly SentObject[]; readonly limits: NetworkLimits };

/** Why a peer has not taken everything. */
export const sendFaults = [
  "unknown-host", "unreachable", "no-answer", "called-ae-refused", "calling-ae-refused", "association-refused", "kind-refused", "object-refused", "connection-lost", "cancelled",
] as const;
export type SendFault = (typeof sendFaults)[number];

/** `detail` is the peer's or the system's own code, "" when there is none. */
export type SendFailure = { readonly reason: SendFault; readonly detail: string };

export type SendProgress = { readonly sentBytes: number; readonly totalBytes: number; readonly sentObjects: number; readonly objects: number };

export type SendMessage = { readonly kind: "progress"; readonly progress: SendProgress } | { readonly kind: "ended"; readonly failure: SendFailure | null };
