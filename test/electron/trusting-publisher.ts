import { registerHooks } from "node:module";

// Loaded before a program; makes it trust the publisher in TRUSTED_PUBLISHER, since Corvet has no release key yet.
export * from "../../main/services/updates/release-origin.ts";
export const releaseKeys = [process.env["TRUSTED_PUBLISHER"]];

registerHooks({
  resolve: (name, context, next) =>
    name.endsWith("/release-origin.ts") && context.parentURL !== import.meta.url
      ? { url: import.meta.url, format: "module-typescript", shortCircuit: true }
      : next(name, context),
});
