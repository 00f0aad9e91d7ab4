import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Plugin } from "vite";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import type { Reporter } from "vitest/node";
import { patienceMs, pollEveryMs } from "./test/fixtures/patience.ts";
import { hasPostgres } from "./test/fixtures/postgres/programs.ts";
import { recordingFolder } from "./test/fixtures/recording/recording-folder.ts";

// Tests start hundreds of processes; compiled code kept between them halves the cost of a start.
process.env["NODE_COMPILE_CACHE"] ??= path.join(tmpdir(), "corvet-compile-cache");

// Names what the workers of one run share.
process.env["CORVET_TEST_RUN"] = randomUUID();

// Sets the variable that the workers inherit, so that the inputs are read once.
recordingFolder();

const root = import.meta.dirname;
const [slow, long] = ["test/**/*.slow.test.{ts,tsx}", "test/**/*.long.test.{ts,tsx}"];
const page = "test/renderer/**/*.test.{ts,tsx}";

/** Comment lines that begin a test file. */
function headOf(file: string): string {
  return /^(?:\/\/.*\n)*/.exec(readFileSync(path.join(root, file), "utf8"))?.[0] ?? "";
}

/** Test files with a process each, which say "// Needs its own process: REASON"; all others share those of the workers. */
const alone = globSync("test/**/*.test.{ts,tsx}", { cwd: root }).filter((file) =>
  headOf(file).includes("// Needs its own process: "),
);

/** Test files of the store, run a second time on PostgreSQL unless they say "// Runs once: REASON". */
function runOnBothEngines(): string[] {
  return globSync("test/main/{store,services}/**/*.test.ts", { cwd: root }).filter(
    (file) => !file.includes(".long.") && !headOf(file).includes("// Runs once: "),
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

/**
 * Two projects of the same files: most share the processes of the workers and pay for modules, Chromium and prepared
 * stores once; the others (`NAME-alone`) need a process each.
 */
function suite(name: string, files: ProjectFiles, plugins: Plugin[] = []): TestProjectConfiguration[] {
  const { include, exclude = [], env = {} } = files;
  const isOf = (file: string) =>
    include.some((pattern) => path.matchesGlob(file, pattern)) &&
    !exclude.some((pattern) => path.matchesGlob(file, pattern));
  const shared = { name, include, exclude: [...exclude, ...alone, page], env, isolate: false };
  const own = { name: `${name}-alone`, include: alone.filter(isOf), env };
  return [shared, own].map((test) => ({ extends: true, plugins, test }));
}

/** The stores of the page are state of its modules: its tests share processes, but each file loads the modules anew. */
const pageTests: TestProjectConfiguration = {
  extends: true,
  test: {
    name: "quick-page",
    include: [page],
    exclude: alone,
    isolate: false,
    setupFiles: ["test/fresh-modules.ts"],
  },
};

type ProjectFiles = {
  readonly include: string[];
  readonly exclude?: string[];
  readonly env?: Record<string, string>;
};

/** Names the tests that passed only when they were repeated. */
const flakyTests: Reporter = {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) console.warn(`FLAKY: ${test.module.relativeModuleId} > ${test.fullName}`);
  },
};

export default defineConfig({
  test: {
    globalSetup: ["test/end-to-end/build-page.ts"],
    setupFiles: ["test/each-file.ts"],
    pool: "forks",
    // Twice the processors of the smallest machine: many tests wait for a program or a disk.
    maxWorkers: 4,
    // Limits end tests that hang; only tests about time name one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: patienceMs, interval: pollEveryMs } },
    // A failure by chance must not block a change; the nightly run repeats no test.
    retry: process.env["CI"] ? 1 : 0,
    reporters: ["default", flakyTests],
    slowTestThreshold: 10_000,
    projects: [
      ...suite("quick", { include: ["test/**/*.test.{ts,tsx}"], exclude: [slow, long] }),
      pageTests,
      ...suite("slow", { include: [slow] }),
      // Load and memory are measured: one file at a time.
      { extends: true, test: { name: "long", include: [long], fileParallelism: false, testTimeout: 3_600_000 } },
      ...suite(
        "postgres",
        { include: hasPostgres ? runOnBothEngines() : [], env: { CORVET_TEST_ENGINE: "postgres" } },
        [storeInPostgres()],
      ),
    ],
  },
});
