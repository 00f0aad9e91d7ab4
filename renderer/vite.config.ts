import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  base: "./",
  plugins: [react()],
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
