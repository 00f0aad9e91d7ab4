import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeDataDir, startOwnService, type OwnService } from "../../../tools/own-service.ts";
import { programDir } from "../../../main/program.ts";

/** Covers keys, trust, errors and the documented clients. CONTRIBUTING.md describes a manual run of the whole suite. */
const files = ["clients", "section-5-and-9", "section-7-errors", "section-8-billing"].map(
  (name) => `test/conformance/${name}.test.ts`,
);
const own = await makeDataDir("elsewhere");
let service: OwnService;

beforeAll(async () => {
  service = await startOwnService(own.dataDir);
});
afterAll(async () => {
  await service.stop();
  own.remove();
});

async function runSuite(
  environment: NodeJS.ProcessEnv,
  parts: readonly string[] = files,
): Promise<{ readonly isGreen: boolean; readonly report: string }> {
  const vitest = path.join(programDir, "node_modules", "vitest", "vitest.mjs");
  const env = { ...process.env, NO_COLOR: "1", ...environment };
  const {
    stdout = "",
    stderr = "",
    code = 0,
  } = await promisify(execFile)(process.execPath, [vitest, "run", "--reporter=verbose", ...parts], {
    cwd: programDir,
    env,
    maxBuffer: 1e8,
  }).then(
    (output) => ({ ...output, code: 0 }),
    (error: { stdout?: string; stderr?: string; code?: number }) => error,
  );
  return { isGreen: code === 0, report: `${stdout}\n${stderr}` };
}

it("passes against a separate service, also a second time with the same key, and explains skipped tests", async () => {
  const environment = {
    CORVET_BASE_URL: `${service.url}/`,
    CORVET_API_KEY: own.key,
    CORVET_CA: path.join(own.dataDir, "tls", "authority.pem"),
  };
  const { isGreen, report } = await runSuite(environment);
  expect(isGreen, report).toBe(true);
  const skipped = report.split("\n").filter((line) => line.includes("↓"));
  expect(skipped.length).toBeGreaterThan(30);
  expect(skipped.filter((line) => !/\(needs .*\)|\[.+\]$/.test(line))).toEqual([]);
  const again = await runSuite(environment, files.slice(0, 1));
  expect(again.isGreen, again.report).toBe(true);
  expect(again.report).toMatch(/✓ test\/conformance\/clients\.test\.ts > docs\/clients\/'curl\.md' > a batch/);
});
it("fails without a key and names the variable", async () => {
  const { isGreen, report } = await runSuite({ CORVET_BASE_URL: service.url, CORVET_API_KEY: "" }, files.slice(0, 1));
  expect(isGreen).toBe(false);
  expect(report).toContain("CORVET_API_KEY must hold a key of it");
});
