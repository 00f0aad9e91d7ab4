// Runs once: tests files of SQLite.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeBackup } from "../../../../main/store/backups/backups.ts";
import { restoreBackup } from "../../../../main/store/backups/restore.ts";
import { openStore } from "../../../../main/store/database.ts";
import { ensureAccount, listAccounts } from "../../../../main/store/people/accounts.ts";
import { listForeignLogs, storeFile } from "../../../../main/store/files/store-files.ts";
import { temporaryDataDir } from "../sample-store.ts";

const program = path.join(import.meta.dirname, "held-process.ts");

let directory = temporaryDataDir();
let backup = { name: "", path: "" };
const store = () => storeFile(directory.dataDir);
const older = () => `${store()}.older`;

beforeEach(async () => {
  directory = temporaryDataDir();
  const db = await openStore(directory.dataDir);
  await ensureAccount(db, { name: "old", at: new Date() });
  backup = await makeBackup(db, directory.dataDir, new Date());
  await db.destroy();
  copyFileSync(store(), older());
});
afterEach(() => directory.remove());

/** Adds the account "new" in a process that is killed after `change`. */
async function killAfter(change: () => void = () => undefined): Promise<void> {
  const child = spawn(process.execPath, [program, directory.dataDir, "new"], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  change();
  child.kill("SIGKILL");
  await once(child, "close");
  expect(statSync(`${store()}-wal`).size).toBeGreaterThan(0);
}

async function accountsOf(dataDir: string): Promise<readonly string[]> {
  const db = await openStore(dataDir);
  try {
    return (await listAccounts(db)).map(({ name }) => name).sort();
  } finally {
    await db.destroy();
  }
}

describe("a write-ahead log left by a killed program", () => {
  it.each([
    ["replaced by an older copy", () => renameSync(older(), store()), undefined],
    ["overwritten with a backup", () => copyFileSync(backup.path, store()), undefined],
    ["deleted, then replaced by a backup", () => rmSync(store()), () => copyFileSync(backup.path, store())],
    ["overwritten with a backup after the kill", undefined, () => copyFileSync(backup.path, store())],
    ["replaced by an older copy after the kill", undefined, () => renameSync(older(), store())],
  ])("is set aside instead of applied if the file was %s", async (_how, before, after) => {
    await killAfter(before);
    after?.();
    const untouched = readdirSync(directory.dataDir).sort();
    await expect(openStore(directory.dataDir, { setAside: false })).rejects.toMatchObject({ code: "STORE_REPLACED" });
    expect(readdirSync(directory.dataDir).sort()).toEqual(untouched);
    expect(await accountsOf(directory.dataDir)).toEqual(["old"]);
    expect(listForeignLogs(directory.dataDir)).toHaveLength(1);
  });

  it("is set aside if the file was emptied", async () => {
    await killAfter(() => truncateSync(store()));
    await expect(accountsOf(directory.dataDir)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    expect(listForeignLogs(directory.dataDir)).toHaveLength(1);
  });

  it("is not applied to the replacing file by a restore", async () => {
    await killAfter(() => renameSync(older(), store()));
    const aside = await restoreBackup(directory.dataDir, backup.name, new Date());
    mkdirSync(path.join(directory.dataDir, "other"));
    renameSync(aside ?? "", storeFile(path.join(directory.dataDir, "other")));
    expect(await accountsOf(path.join(directory.dataDir, "other"))).toEqual(["old"]);
  });

  it("is applied to its own file, also in a copy of the data directory", async () => {
    await killAfter();
    const copy = temporaryDataDir();
    cpSync(directory.dataDir, copy.dataDir, { recursive: true });
    expect(await accountsOf(copy.dataDir)).toEqual(["new", "old"]);
    copy.remove();
    expect(await accountsOf(directory.dataDir)).toEqual(["new", "old"]);
    expect(listForeignLogs(directory.dataDir)).toEqual([]);
  });
});
