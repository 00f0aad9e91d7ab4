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

test.each([
  ["keys", ["list", "--single", "1.80"], "list does not take --single"],
  ["backup", ["list", "--to", "elsewhere"], "list does not take --to"],
  ["folders", ["leave", ".", "--move"], "leave does not take --move"],
  ["patient", ["list", "--yes"], "list does not take --yes"],
  ["ledger", ["tariff", "--month=2026-11"], "tariff does not take --month"],
])(
  "%s %j is refused: an option that its verb would not read may have been meant for something",
  async (name, args, why) => {
    const command = spawn(process.execPath, [`main/commands/${name}.ts`, ...args], { cwd: programDir, stdio: "pipe" });
    const [messages, [status]] = await Promise.all([text(command.stderr), once(command, "exit")]);
    expect([messages.split("\n")[0], status]).toEqual([`${name}: ${why}`, 2]);
  },
);
