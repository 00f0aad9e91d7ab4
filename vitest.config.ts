import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is polled for is waited for: a second, the default, is less than a busy machine may stop for.
    expect: { poll: { timeout: 20_000 } },
    reporters: ["default"],
    alias: { electron: new URL("./test/fixtures/electron-stand-in.ts", import.meta.url).pathname },
  },
});
