import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { programDir } from "../../../main/program.ts";

test("a command whose reader has gone ends quietly", async () => {
  const command = spawn(process.execPath, ["main/commands/measure.ts", "--help"], {
    cwd: programDir,
    stdio: ["ignore", "pipe", "pipe"],
  });
  command.stdout.destroy();
  const [messages, [status]] = await Promise.all([text(command.stderr), once(command, "exit")]);
  expect([messages, status]).toEqual(["", 0]);
});

test("a file where a folder belongs is named without a stack", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-refused-"));
  writeFileSync(path.join(dataDir, "tls"), "");
  const service = spawn(process.execPath, ["main/headless.ts", "--port", "0", "--data-dir", dataDir], {
    cwd: programDir,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [messages, [status]] = await Promise.all([text(service.stderr), once(service, "exit")]);
  rmSync(dataDir, { recursive: true });
  expect(messages.trim().split("\n")).toEqual([expect.stringContaining(path.join(dataDir, "tls"))]);
  expect(status).toBe(1);
});
