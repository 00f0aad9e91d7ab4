import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { desktopChannels } from "../core/contract/desktop.ts";

const contract = fileURLToPath(new URL("../core/contract/desktop.ts", import.meta.url));

/** Replaces the contract by its channel names, so that the preload script does not load zod for the schemas. */
const channelNames: Plugin = {
  name: "channel-names",
  load: (id) =>
    path.normalize(id) === contract ? `export const desktopChannels = ${JSON.stringify(desktopChannels)};` : null,
};

/** A sandboxed preload script must be a single CommonJS file that requires only Electron. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [channelNames],
  build: {
    outDir: "../dist/preload",
    emptyOutDir: false,
    minify: false,
    target: "node24",
    lib: { entry: "preload.ts", formats: ["cjs"], fileName: () => "preload.cjs" },
    rolldownOptions: { external: ["electron"] },
  },
});
