import { AppError } from "./app-error.ts";
import type { ErrorCode } from "./contract/error-catalogue.ts";

/** What an operating system or SQLite calls a fault that is the machine's, by catalogue code. */
const systemFaults: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: "DISK_FULL",
  EDQUOT: "DISK_FULL",
  SQLITE_FULL: "DISK_FULL",
  EMFILE: "TOO_MANY_FILES",
  ENFILE: "TOO_MANY_FILES",
};

/** Causes that are followed: an error wraps a few others at most. */
const deepestCause = 5;

/** Catalogue error for a full disk or too many open files, from an error or its cause; null for any other error. */
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

/** When what had to wait for a fault to pass is tried again [ms]. */
export const passingFaultPauseMs = 15_000;

/** Whether the store could not be reached or written, as opposed to a refused request. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof AppError && storeAway.includes(error.code);
}

/** Whether a code describes the machine or the store, not the file at hand: the file can be retried. */
export function willPass(code: string): boolean {
  return passing.includes(code);
}

/** The fault where it will pass; null for any other error. */
export function passingFaultOf(error: unknown): AppError | null {
  const known = error instanceof AppError ? error : systemFaultOf(error);
  return known !== null && willPass(known.code) ? known : null;
}

/**
 * For a worker thread that cannot start or a package that cannot be loaded, Node.js names the cause only in the
 * message.
 */
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
