import type { Film } from "../../core/contract/desktop/films.ts";

/** Whether a film is unmeasured only because there was no pack to measure it with: nothing is wrong with it. */
export function lacksPack({ state, failure }: Film): boolean {
  return state === "failed" && failure?.code === "MODELS_NOT_LOADED";
}
