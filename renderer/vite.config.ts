import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [react()],
  build: { outDir: "../dist/renderer", emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 900 },
});
