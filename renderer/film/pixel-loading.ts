import { ProgramError } from "../state/connection.ts";
import { showFault } from "../state/faults.ts";

export type PixelLoading = "nothing" | "loading" | "ready" | "failed" | "missing";

export function isUnloaded(loading: PixelLoading): boolean {
  return loading === "failed" || loading === "missing";
}

/** State after a failure. Shows the fault, unless the file is missing. */
export function unloadedBy(error: unknown): PixelLoading {
  if (error instanceof ProgramError && error.code === "NOT_FOUND") return "missing";
  showFault(error);
  return "failed";
}
