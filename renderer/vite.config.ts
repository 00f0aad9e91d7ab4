import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Sonner adds a style element when it is loaded; the content security policy forbids that, and controls.css styles it. */
const withoutInjectedStyles = {
  name: "without-injected-styles",
  transform: (code: string, id: string) =>
    id.includes("/node_modules/sonner/") ? code.replace(/^__insertCSS\(".*$/m, "") : null,
};

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  base: "./",
  plugins: [react(), withoutInjectedStyles],
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
