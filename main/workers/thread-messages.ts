import type { Reason } from "../../core/app-error.ts";
import type { ErrorCode } from "../../core/contract/error-catalogue.ts";

export type ThreadCalls = Readonly<Record<string, ThreadCall>>;

type ThreadCall = { readonly request: unknown; readonly answer: unknown; readonly progress?: unknown };

export type ThreadMessage = { readonly id: number; readonly name: string; readonly request: unknown } | "close";

/** A message from the thread. `isSpent` requests a replacement of the thread, which uses too much memory. */
export type ThreadReply =
  | { readonly kind: "started" }
  | { readonly kind: "progress"; readonly id: number; readonly progress: unknown }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown; readonly isSpent: boolean }
  | { readonly kind: "failure"; readonly id: number; readonly failure: ThreadFailure; readonly isSpent: boolean };

/**
 * A failure posted between threads, which preserves an error's message and stack but not its class. `code` is null for
 * a bug.
 */
export type ThreadFailure = {
  readonly code: ErrorCode | null;
  readonly reason: Reason | null;
  readonly error: Error;
  readonly systemCode: string | null;
};
