import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { programDir } from "../../../main/program.ts";

test("exits with 0 when its reader closes the pipe", async () => {
  const command = spawn(process.execPath, ["main/commands/corvet.ts", "measure", "--help"], {
    cwd: programDir,
    stdio: ["ignore", "pipe", "pipe"],
  });
  command.stdout.destroy();
  const [messages, [status]] = await Promise.all([text(command.stderr), once(command, "exit")]);
  expect([messages, status]).toEqual(["", 0]);
});

test("names a file in the place of a folder, without a stack trace", async () => {
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

test.each([
  ["keys", ["list", "--single", "1.80"], "unknown option '--single'"],
  ["backup", ["list", "--to", "elsewhere"], "unknown option '--to'"],
  ["folders", ["leave", ".", "--move"], "unknown option '--move'"],
  ["patient", ["list", "--yes"], "unknown option '--yes'"],
  ["ledger", ["tariff", "--month=2026-11"], "unknown option '--month=2026-11'"],
])("rejects %s %j: an option of another subcommand", async (name, args, why) => {
  const command = spawn(process.execPath, ["main/commands/corvet.ts", name, ...args], {
    cwd: programDir,
    stdio: "pipe",
  });
  const [messages, [status]] = await Promise.all([text(command.stderr), once(command, "exit")]);
  expect([messages.split("\n")[0], status]).toEqual([`${name}: ${why}`, 2]);
});
