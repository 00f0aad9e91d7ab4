import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { lockDataDir } from "../../../main/instance-lock.ts";
import { programDir } from "../../../main/program.ts";
import { createKey } from "../../../main/services/calls/keys.ts";
import { listAuditEvents } from "../../../main/store/audit/audit-events.ts";
import { openStore } from "../../../main/store/database.ts";
import { runCommand } from "../../fixtures/process/corvet-command.ts";
import { folderForTest } from "../../fixtures/folders.ts";

test("exits with 0 when its reader closes the pipe", async () => {
  const command = spawn(process.execPath, ["main/commands/corvet.ts", "measure", "--help"], {
    cwd: programDir,
    stdio: ["ignore", "pipe", "pipe"],
  });
  command.stdout.destroy();
  const [messages, [status]] = await Promise.all([text(command.stderr), once(command, "exit")]);
  expect([messages, status]).toEqual(["", 0]);
});

test("prints the same for `help COMMAND` as for `COMMAND --help`", async () => {
  const explained = await runCommand("help", "keys");
  expect(explained).toEqual(await runCommand("keys", "--help"));
  expect([explained.status, explained.stdout]).toEqual([0, expect.stringContaining("create")]);
});

test("reports a file in place of a folder without a stack trace", async () => {
  const dataDir = folderForTest();
  writeFileSync(path.join(dataDir, "tls"), "");
  const { status, stderr } = await runCommand("serve", "--port", "0", "--data-dir", dataDir);
  expect(stderr.trim().split("\n")).toEqual([expect.stringContaining(path.join(dataDir, "tls"))]);
  expect(status).toBe(1);
});

test.each([
  ["keys", ["list", "--single", "1.80"], "unknown option '--single'"],
  ["backup", ["list", "--to", "elsewhere"], "unknown option '--to'"],
  ["patient", ["list", "--yes"], "unknown option '--yes'"],
  ["ledger", ["tariff", "--month=2026-11"], "unknown option '--month=2026-11'"],
])("rejects an option of another subcommand: %s %j", async (name, args, why) => {
  const { status, stderr } = await runCommand(name, ...args);
  expect([stderr.split("\n")[0], status]).toEqual([`${name}: ${why}`, 2]);
});

test("prints no control characters of stored names, and records the caller of the service's command", async () => {
  const dataDir = folderForTest();
  const db = await openStore(dataDir);
  const key = { accountName: "Clinic", name: "PIMS \u001b[2J\r\u009b1m \u202enimda\u2066", at: new Date() };
  const { keyId } = await createKey(db, key);
  await db.destroy();
  vi.stubEnv("CORVET_CALLER", "anna");
  const run = async (...args: string[]) => (await runCommand(...args, "--data-dir", dataDir)).stdout;
  const listed = await run("keys", "list");
  await run("keys", "revoke", keyId);
  vi.unstubAllEnvs();
  await using after = await openStore(dataDir);
  const { rows } = await listAuditEvents(after, { actions: ["key.revoked"], limit: 1, offset: 0 });
  expect(listed).toContain("PIMS \ufffd[2J\ufffd\ufffd1m \ufffdnimda\ufffd");
  expect(listed).not.toMatch(/[^\P{Cc}\n]/u);
  expect(rows).toMatchObject([{ via: "command", who: "anna" }]);
});

test("reports the address that does not respond to `open`, without a stack trace", async () => {
  const dataDir = folderForTest();
  const authority = path.join(dataDir, "authority.pem");
  for (const file of [authority, path.join(dataDir, "running-program-token")]) writeFileSync(file, "");
  const lock = lockDataDir(dataDir);
  lock.announce({ url: "https://localhost:1", port: 1, pid: process.pid, authority });
  const { stderr } = await runCommand("open", "--number", "7", "--data-dir", dataDir);
  lock.release();
  expect(stderr).toMatch(/^open: https:\/\/localhost:1, which server\.json names, does not respond as Corvet.*\n$/);
});
