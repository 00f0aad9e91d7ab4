import path from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { coalescedChannels } from "../core/contract/coalesced-channels.ts";

/**
 * Sonner adds a style element when it is loaded; the content security policy forbids that, and controls.css styles it.
 */
const withoutInjectedStyles = {
  name: "without-injected-styles",
  transform: (code: string, id: string) =>
    id.includes("/node_modules/sonner/") ? code.replace(/^__insertCSS\(".*$/m, "") : null,
};

/** The page needs names of the contract only; with its schemas, zod would be loaded into each page. */
const channelNames = {
  name: "channel-names",
  load: (id: string) =>
    path.normalize(id) === here("../core/contract/coalesced-channels.ts")
      ? `export const coalescedChannels = ${JSON.stringify(coalescedChannels)};`
      : null,
};

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  base: "./",
  plugins: [react(), withoutInjectedStyles, channelNames],
  resolve: { alias: { "react-style-singleton": here("./ui/no-style-injection.ts") } },
  build: {
    outDir: "../dist/renderer",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // A part that comes later has its styles already: those that fail to arrive once are not asked for again.
    cssCodeSplit: false,
  },
});
