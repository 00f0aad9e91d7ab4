import { AppError } from "./app-error.ts";
import type { ErrorCode } from "./contract/error-catalogue.ts";

/** Codes of the operating system and SQLite for faults of the computer, by catalogue code. */
const systemFaults: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: "DISK_FULL",
  EDQUOT: "DISK_FULL",
  SQLITE_FULL: "DISK_FULL",
  EMFILE: "TOO_MANY_FILES",
  ENFILE: "TOO_MANY_FILES",
};

/** Maximum depth of the chain of causes. */
const deepestCause = 5;

/**
 * Returns the catalogue error for a full disk or too many open files, found in an error or its causes; null for any
 * other error.
 */
export function systemFaultOf(error: unknown): AppError | null {
  let cause = error;
  for (let depth = 0; depth < deepestCause && cause instanceof Error; depth += 1) {
    const code = "code" in cause ? systemFaults[nameOf(String(cause.code), cause.message)] : undefined;
    if (code !== undefined) return new AppError(code, undefined, { cause: error });
    cause = cause.cause;
  }
  return null;
}

const storeAway: readonly ErrorCode[] = ["STORE_UNAVAILABLE", "STORE_BUSY", "STORE_REPLACED"];
const passing: readonly string[] = [...new Set(Object.values(systemFaults)), ...storeAway];

/** Pause before work that waits for a temporary fault is retried [ms]. */
export const temporaryFaultPauseMs = 15_000;

/** Whether the store could not be reached or written; false if it refused the request. */
export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof AppError && storeAway.includes(error.code);
}

/** Whether a code describes a temporary fault of the computer or the store, so that the file can be retried. */
export function isTemporary(code: string): boolean {
  return passing.includes(code);
}

/** Returns a temporary fault as a catalogue error; null for any other error. */
export function temporaryFaultOf(error: unknown): AppError | null {
  const known = error instanceof AppError ? error : systemFaultOf(error);
  return known !== null && isTemporary(known.code) ? known : null;
}

/** If a worker thread cannot start or a package cannot be loaded, Node.js reports the cause only in the message. */
function nameOf(code: string, message: string): string {
  switch (code) {
    case "ERR_WORKER_INIT_FAILED":
      return /\bE[A-Z]+\b/.exec(message)?.[0] ?? code;
    case "ERR_INVALID_PACKAGE_CONFIG":
      return message.includes("too many open files") ? "EMFILE" : code;
    default:
      return code;
  }
}
