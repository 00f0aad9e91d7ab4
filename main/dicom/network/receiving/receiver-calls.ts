import type { AssociationEntry } from "../../../../core/contract/desktop/network/dicom.ts";
import type { NetworkLimits } from "../network-limits.ts";
import type { CertifiedKey } from "../../../certificates/certified-key.ts";
import type { Encryption } from "../secure-socket.ts";

export type ReceiverOptions = {
  /** Addresses to listen on; all but the first are skipped if the system lacks them. */
  readonly addresses: readonly string[];
  /** 0 for any free port */
  readonly port: number;
  /** Our AE title; associations that call another title are refused. */
  readonly aeTitle: string;
  /** null allows all titles */
  readonly allowedAeTitles: readonly string[] | null;
  /** Our certificate for TLS; `trusted`: certificates required of senders, "" requires none. null for no TLS. */
  readonly encryption: (Encryption & { readonly own: CertifiedKey }) | null;
  /** Addresses and networks (`192.168.1.0/24`, `fd00::/8`); null allows all addresses. */
  readonly allowedAddresses: readonly string[] | null;
  readonly folder: string;
  readonly isRefusing?: boolean;
  readonly limits: NetworkLimits;
};

export type AssociationReport = Readonly<Omit<AssociationEntry, "at" | "associations">>;

export type ReceiverMessage =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "not-listening"; readonly code: string }
  | { readonly kind: "received"; readonly fileName: string }
  | { readonly kind: "association"; readonly report: AssociationReport };

/** Calls of the receiver thread. `receive` returns when the thread stops listening. */
export type ReceiverCalls = {
  readonly receive: { readonly request: ReceiverOptions; readonly answer: null; readonly progress: ReceiverMessage };
  readonly refuseObjects: { readonly request: boolean; readonly answer: null };
  readonly ping: { readonly request: null; readonly answer: null };
};
