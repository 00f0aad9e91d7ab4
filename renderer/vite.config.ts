import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Removes the style element that Sonner injects: the content security policy forbids it. See controls.css. */
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
    // One style sheet for all chunks, as the browser would not retry a chunk's own style sheet after a failure.
    cssCodeSplit: false,
  },
});
