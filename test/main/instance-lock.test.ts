import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { lockDataDir } from "../../main/instance-lock.ts";

it("closes a folder of the user's own to others, and refuses one that is shared on purpose", ({
  skip,
  onTestFinished,
}) => {
  if (process.platform === "win32") skip("Windows has no such rights");
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-lock-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  chmodSync(dataDir, 0o777);
  lockDataDir(dataDir).release();
  expect(statSync(dataDir).mode & 0o777).toBe(0o755);
  chmodSync(dataDir, 0o1777);
  expect(() => lockDataDir(dataDir)).toThrow(`Other users can write to ${dataDir}`);
  expect(statSync(dataDir).mode & 0o7777).toBe(0o1777);
});
