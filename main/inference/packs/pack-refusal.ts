import { AppError, because } from "../../../core/app-error.ts";

/** Refusal of a pack for an unforeseen failure of its networks. */
export function notRunnable(cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError("PACK_REFUSED", because("packNotRunnable", { why }), { cause });
}
