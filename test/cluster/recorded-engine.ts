import type { Engine } from "../../main/inference/engine-types.ts";
import { popFrame } from "../fixtures/pop-frames.ts";
import { scriptedEngine } from "../fixtures/scripted-engine.ts";
import { measured } from "../main/store/sample-store.ts";

/** Engine that returns the same result for every picture at once, to test the store and the service. */
export function recordedEngine(): Engine {
  const photograph = popFrame();
  return {
    ...scriptedEngine(),
    measure: async ({ sha256 }) => ({ ...measured, provenance: { ...measured.provenance, imageSha256: sha256 } }),
    measurePhotograph: async () => photograph,
    findCorners: async () => null,
  };
}
