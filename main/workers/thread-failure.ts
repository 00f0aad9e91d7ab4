import { AppError } from "../../core/app-error.ts";
import type { ThreadFailure } from "./thread-messages.ts";

export function packFailure(thrown: unknown): ThreadFailure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  // The code from SQLite or the operating system is lost when an error is posted between threads.
  const systemCode = "code" in error && typeof error.code === "string" ? error.code : null;
  if (thrown instanceof AppError) return { code: thrown.code, reason: thrown.reason, error, systemCode };
  return { code: null, reason: null, error, systemCode };
}

/** Restores an AppError; any other error is a bug, and keeps its stack of the thread. */
export function unpackFailure({ code, reason, error, systemCode }: ThreadFailure): Error {
  if (code !== null) return new AppError(code, reason ?? error.message);
  return systemCode === null ? error : Object.assign(error, { code: systemCode });
}
