import path from "node:path";
import { mergeConfig } from "vitest/config";
import tests from "../../vitest.config.ts";

export default mergeConfig(tests, {
  test: {
    setupFiles: [path.join(import.meta.dirname, "children.mjs")],
    coverage: {
      enabled: true,
      provider: "v8",
      include: ["core/**/*.ts", "main/**/*.ts", "renderer/**/*.{ts,tsx}"],
      exclude: ["renderer/vite.config.ts", "**/*.d.ts"],
      reporter: ["json"],
      reportsDirectory: path.join(process.env["CORVET_COVERAGE"], "workers"),
      reportOnFailure: true,
    },
  },
});
