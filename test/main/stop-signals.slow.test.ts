import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { programDir } from "../../main/program.ts";

// SIGTERM is tested in headless.test.ts.
it.each(["SIGINT", "SIGHUP"] as const)("removes server.json and exits with 0 on %s", async (signal) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-signal-"));
  const serverFile = path.join(dataDir, "server.json");
  // Starts in half of the time without packs.
  const options = ["--port", "0", "--data-dir", dataDir, "--packs", path.join(dataDir, "no-packs")];
  const service = spawn(process.execPath, ["main/headless.ts", ...options], {
    cwd: programDir,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, CORVET_LOG_LEVEL: "silent" },
  });
  const exit = once(service, "exit");
  await Promise.race([once(service.stdout, "data"), exit]);
  expect(existsSync(serverFile)).toBe(true);
  service.kill(signal);
  expect(await exit).toEqual([0, null]);
  expect(existsSync(serverFile)).toBe(false);
  rmSync(dataDir, { recursive: true });
});
