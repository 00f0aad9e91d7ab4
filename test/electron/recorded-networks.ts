import { registerHooks } from "node:module";
import { openCorvet as open, type Corvet, type CorvetOptions } from "../../main/compose.ts";
import { recordingEngine } from "../fixtures/recording/recording-engine.ts";

// Loaded before a program; replaces its networks by recorded measurements.
export const openCorvet = async (options: CorvetOptions): Promise<Corvet> =>
  open({ ...options, engine: await recordingEngine() });

registerHooks({
  resolve: (name, context, next) =>
    name.endsWith("/compose.ts") && context.parentURL !== import.meta.url
      ? { url: import.meta.url, format: "module-typescript", shortCircuit: true }
      : next(name, context),
});
