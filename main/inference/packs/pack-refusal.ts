import { AppError, because } from "../../../core/app-error.ts";

/** The refusal of a pack that fails in a way that only its networks' runtime, or nobody, foresaw. */
export function notRunnable(cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError("PACK_REFUSED", because("packNotRunnable", { why }), { cause });
}
