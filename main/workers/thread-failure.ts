import { AppError } from "../../core/app-error.ts";
import type { ThreadFailure } from "./thread-messages.ts";

/** Packs what was thrown for the way to another thread. */
export function packFailure(thrown: unknown): ThreadFailure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { code: thrown instanceof AppError ? thrown.code : null, error };
}

/** A failure of the catalogue as such again; anything else is a bug, and keeps its stack in the thread. */
export function unpackFailure({ code, error }: ThreadFailure): Error {
  return code === null ? error : new AppError(code, error.message);
}
