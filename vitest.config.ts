import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { hasPostgres } from "./test/fixtures/postgres/programs.ts";

// Tests start hundreds of processes; compiled code kept between them halves the cost of a start.
process.env["NODE_COMPILE_CACHE"] ??= path.join(tmpdir(), "corvet-compile-cache");

// Names what the workers of one run share.
process.env["CORVET_TEST_RUN"] = randomUUID();

const root = import.meta.dirname;
const core = "test/core/**/*.test.ts";
const [slow, long] = ["test/**/*.slow.test.{ts,tsx}", "test/**/*.long.test.{ts,tsx}"];

/** Test files of the store, run a second time on PostgreSQL unless their first line is "// Runs once: REASON". */
function runOnBothEngines(): string[] {
  const both = [
    "test/main/{store,services}/**/*.test.ts",
    "test/conformance/*.test.ts",
    "test/main/server/{hostile-clients,kill,lost-connections}*.test.ts",
  ];
  return globSync(both, { cwd: root }).filter(
    (file) => !file.includes(".long.") && !readFileSync(path.join(root, file), "utf8").startsWith("// Runs once: "),
  );
}

/** Resolves main/store/database.ts to the fixture that opens stores in PostgreSQL. */
function storeInPostgres(): Plugin {
  const store = path.join(root, "main", "store", "database.ts");
  const standIn = path.join(root, "test", "fixtures", "postgres", "store-in-postgres.ts");
  return {
    name: "store-in-postgres",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (importer === standIn || !source.endsWith("database.ts")) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found?.id === store ? standIn : null;
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: ["test/end-to-end/build-page.ts"],
    setupFiles: ["test/equal-bytes.ts"],
    pool: "forks",
    // One more than the smallest machine has processors: many tests wait for a program or a disk.
    maxWorkers: 3,
    // Generous, because a busy machine may be many times slower; tests about time name shorter limits.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: ["default"],
    alias: { electron: path.join(root, "test", "fixtures", "electron-stand-in.ts") },
    projects: [
      // Pure functions share a worker: half of their time is the start of workers.
      { extends: true, test: { name: "core", include: [core], isolate: false } },
      { extends: true, test: { name: "quick", include: ["test/**/*.test.{ts,tsx}"], exclude: [core, slow, long] } },
      { extends: true, test: { name: "slow", include: [slow] } },
      // Load and memory are measured: one file at a time.
      { extends: true, test: { name: "long", include: [long], fileParallelism: false } },
      {
        extends: true,
        plugins: [storeInPostgres()],
        test: {
          name: "postgres",
          include: hasPostgres ? runOnBothEngines() : [],
          env: { CORVET_TEST_ENGINE: "postgres" },
        },
      },
    ],
  },
});
