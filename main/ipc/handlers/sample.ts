import type { sampleContract } from "../../../core/contract/desktop/sample.ts";
import { isSampleLoaded, loadSample, removeSample } from "../../services/sample/sample-study.ts";
import type { DesktopParts, Handlers } from "../handlers.ts";

export function sampleHandlers({ context, queue }: DesktopParts): Handlers<keyof typeof sampleContract> {
  return {
    "sample.get": async () => ({ isLoaded: await isSampleLoaded(context) }),
    "sample.load": async ({ language }) => ({ films: await loadSample(context, language) }),
    "sample.remove": () => removeSample(context, queue),
  };
}
