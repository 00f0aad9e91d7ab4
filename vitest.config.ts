import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";

// Tests start hundreds of processes: compiled code is kept between them, half of what a start costs.
process.env["NODE_COMPILE_CACHE"] ??= path.join(tmpdir(), "corvet-compile-cache");

// Names what the workers of this run share, and no other run: one inside a test has its own.
process.env["CORVET_TEST_RUN"] = randomUUID();

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    globalSetup: ["test/end-to-end/build-page.ts"],
    setupFiles: ["test/equal-bytes.ts"],
    pool: "forks",
    // One more than the smallest machine has processors: many tests wait for a program, a disk or a clock of their own.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // No test is about these: a machine that is busy with other things may be many times slower.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is polled for is waited for: a second, the default, is less than a busy machine may stop for.
    expect: { poll: { timeout: 20_000 } },
    reporters: ["default"],
    alias: { electron: new URL("./test/fixtures/electron-stand-in.ts", import.meta.url).pathname },
  },
});
