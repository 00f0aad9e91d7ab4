import type { Film } from "../../core/contract/desktop/films.ts";

/** Whether a film could not be measured because no pack was active; the film itself is fine. */
export function lacksPack({ state, failure }: Film): boolean {
  return state === "failed" && failure?.code === "MODELS_NOT_LOADED";
}
