import { AppError, because } from "../../../core/app-error.ts";

export function notRunnable(cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError("PACK_REFUSED", because("packNotRunnable", { why }), { cause });
}
