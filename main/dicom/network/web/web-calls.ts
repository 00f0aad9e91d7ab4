import type { SendFailure, SendProgress } from "../../../../core/contract/desktop/network/dicom.ts";
import type { NetworkLimits } from "../network-limits.ts";
import type { FetchAnswer, FetchMessage, FindAnswer, Identifier } from "../query/query-calls.ts";
import type { CertifiedKey } from "../../../certificates/certified-key.ts";

export type WebSignIn =
  | { readonly kind: "none" }
  | { readonly kind: "basic"; readonly user: string; readonly password: string }
  | { readonly kind: "bearer"; readonly token: string };

export type ReachedWeb = {
  readonly url: string;
  readonly signIn: WebSignIn;
  readonly trusted: string;
  readonly own: CertifiedKey | null;
};

type Job = { readonly web: ReachedWeb; readonly limits: NetworkLimits };

/** A file to send, and the UID under which the server must confirm it. */
export type StoredFile = { readonly sopInstanceUid: string; readonly bytes: Uint8Array };

/** Calls of a web server thread; each thread serves one call. */
export type WebCalls = {
  readonly find: {
    readonly request: Job & { readonly identifier: Identifier; readonly maxMatches: number };
    readonly answer: FindAnswer;
    readonly progress: never;
  };
  readonly fetch: {
    readonly request: Job & { readonly identifier: Identifier; readonly folder: string };
    readonly answer: FetchAnswer;
    readonly progress: FetchMessage;
  };
  readonly store: {
    readonly request: Job & { readonly files: readonly StoredFile[] };
    /** `failure` is null if the server has confirmed all files. */
    readonly answer: { readonly failure: SendFailure | null };
    readonly progress: SendProgress;
  };
};
