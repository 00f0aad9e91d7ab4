import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { folderForTest } from "../../../fixtures/folders.ts";
import { programDir } from "../../../../main/program.ts";
import { lockDataDir } from "../../../../main/instance-lock.ts";
import { recordAudit } from "../../../../main/store/audit/audit-events.ts";
import { makeBackup } from "../../../../main/store/backups/backups.ts";
import { planEncryption } from "../../../../main/services/program/encryption/encryption.ts";
import { openStore } from "../../../../main/store/database.ts";
import { makeStoreKey, recoveryKeyOf } from "../../../../main/store/encryption/store-key.ts";
import { backupsDir, storeFile } from "../../../../main/store/files/store-files.ts";
import { runCommand } from "../../../fixtures/process/corvet-command.ts";
import { temporaryStore } from "../../store/sample-store.ts";
import { sqliteFileOf } from "../../../../main/store/engines/engine.ts";

let store: Awaited<ReturnType<typeof temporaryStore>>;
beforeEach(async () => {
  store = await temporaryStore();
});
afterEach(() => store.remove());

/** Large enough for the copy to be running when a signal arrives [bytes]. */
const ballastBytes = 60_000_000;

function files(folder = backupsDir(store.dataDir)): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function run(...args: string[]) {
  const { stdout, stderr, status } = await runCommand("backup", ...args, "--data-dir", store.dataDir);
  return [stdout, stderr, status] as const;
}

/** Interrupts a command in a separate process while it writes into a folder; repeats it if it had finished by then. */
async function interrupt(folder: string, ...args: string[]) {
  for (let tries = 1; ; tries += 1) {
    for (const name of files(folder)) rmSync(path.join(folder, name));
    const program = ["main/commands/corvet.ts", "backup", ...args, "--data-dir", store.dataDir];
    const command = spawn(process.execPath, program, { cwd: programDir, stdio: ["ignore", "pipe", "pipe"] });
    const ended = Promise.all([text(command.stdout), text(command.stderr), once(command, "exit")]);
    while (command.exitCode === null && !files(folder).some((name) => name.endsWith(".unfinished"))) await wait(1);
    command.kill("SIGINT");
    const [stdout, stderr, [status]] = await ended;
    if (status !== 0 || tries === 10) return [stdout, stderr, status as number | null];
  }
}

test("prints the path of a backup, and leaves no file after Ctrl+C", async () => {
  sqliteFileOf(store.db).exec(
    `CREATE TABLE ballast (content BLOB); INSERT INTO ballast VALUES (zeroblob(${ballastBytes}))`,
  );
  const outcome = await interrupt(backupsDir(store.dataDir), "make");
  expect([outcome, files()]).toEqual([["", "backup: The backup was stopped and left no file\n", 1], []]);

  const [printed, messages, status] = await run("make");
  expect([messages, status, files().map((name) => printed.trim().endsWith(name))]).toEqual(["", 0, [true]]);
});

test("leaves no file in a chosen folder after Ctrl+C", async () => {
  const [folder, films] = ["chosen", "films"].map((name) => path.join(store.dataDir, name)) as [string, string];
  for (const made of [folder, films]) mkdirSync(made, { recursive: true });
  const film = path.join(films, "a".repeat(64));
  writeFileSync(film, "");
  truncateSync(film, 8 * ballastBytes);
  const outcome = await interrupt(folder, "make", "--to", folder, "--films");
  const message = `backup: The backup was stopped and left no file in ${folder}\n`;
  expect([outcome, files(folder)]).toEqual([["", message, 1], []]);
});

test("replaces a store only while it can lock the data directory", async () => {
  const { name } = await makeBackup(store.db, store.dataDir, new Date());
  await store.db.destroy();
  // Lock it like a program that is starting and has not opened its store yet.
  const lock = lockDataDir(store.dataDir);
  const refused = ["", `backup: Corvet is already running on ${store.dataDir}. Stop it first.\n`, 1];
  expect(await run("restore", name)).toEqual(refused);
  rmSync(storeFile(store.dataDir));
  expect(await run("start-empty")).toEqual(refused);
  lock.release();
  expect(await run("restore", name)).toEqual([`${name} is the store now.\n`, "", 0]);
  lockDataDir(store.dataDir).release();
});

test("checks and restores a backup encrypted with another key only with that key", async () => {
  const keys = path.join(store.dataDir, "keys");
  vi.stubEnv("CORVET_KEYS_DIR", keys);
  const recoveryKey = recoveryKeyOf(makeStoreKey());
  await planEncryption(store.db, store.dataDir, true, recoveryKey);
  await store.db.destroy();
  const db = await openStore(store.dataDir);
  const { path: backup, name } = await makeBackup(db, store.dataDir, new Date());
  await db.destroy();
  const keyFile = path.join(folderForTest(), "key");
  writeFileSync(keyFile, recoveryKey);
  for (const left of readdirSync(store.dataDir))
    if (left !== "backups") rmSync(path.join(store.dataDir, left), { recursive: true });
  for (const given of [name, backup]) {
    expect(await run("restore", given)).toMatchObject(["", expect.stringMatching(/key/), 1]);
    expect(await run("check", given, "--passphrase-file", keyFile)).toMatchObject([
      expect.stringMatching(/is sound/),
      "",
      0,
    ]);
    expect(await run("restore", given, "--passphrase-file", keyFile)).toMatchObject([
      expect.stringMatching(/is the store now/),
      "",
      0,
    ]);
  }
  vi.unstubAllEnvs();
});

test("refuses a backup with a changed row, naming the backup", async () => {
  await recordAudit(store.db, { action: "key.created", subject: "clinic" });
  const { path: backup, name } = await makeBackup(store.db, store.dataDir, new Date());
  await store.db.destroy();
  const copy = new Database(backup);
  copy.exec("DROP TRIGGER audit_events_refuse_update; UPDATE audit_events SET subject = 'other'");
  copy.close();
  const refused = new RegExp(`^backup: The backup ${name} is damaged: .* does not match its seal\\.\\n$`);
  for (const act of ["check", "restore"]) expect(await run(act, name)).toEqual(["", expect.stringMatching(refused), 1]);
});
