import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** A sandboxed preload is one CommonJS file that may require nothing but Electron. */
// eslint-disable-next-line no-restricted-syntax -- the bundler asks for a default export
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  build: {
    outDir: "../dist/preload",
    emptyOutDir: false,
    minify: false,
    target: "node24",
    lib: { entry: "preload.ts", formats: ["cjs"], fileName: () => "preload.cjs" },
    rolldownOptions: { external: ["electron"] },
  },
});
