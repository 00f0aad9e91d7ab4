// Runs once: tests files of SQLite.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeBackup } from "../../../../main/store/backups/backups.ts";
import { restoreBackup } from "../../../../main/store/backups/restore.ts";
import { openStore } from "../../../../main/store/database.ts";
import { ensureAccount, listAccounts } from "../../../../main/store/people/accounts.ts";
import { backupsDir, listForeignLogs, storeFile } from "../../../../main/store/files/store-files.ts";
import { folderForFile, folderForTest } from "../../../fixtures/folders.ts";

const program = path.join(import.meta.dirname, "held-process.ts");

const prepared = folderForFile();
let backup = "";

/** A store that a program holds open when it is killed. `change` replaces its files before the kill. */
function heldStore(change: (store: string) => void = () => undefined) {
  const dataDir = folderForFile();
  return { dataDir, store: storeFile(dataDir), change };
}
type HeldStore = ReturnType<typeof heldStore>;

const older = (store: string) => `${store}.older`;
const backupOf = (store: string) => path.join(backupsDir(path.dirname(store)), backup);
const rename = (store: string) => renameSync(older(store), store);
const overwrite = (store: string) => copyFileSync(backupOf(store), store);

const held = {
  renamed: heldStore(rename),
  overwritten: heldStore(overwrite),
  deleted: heldStore((store) => rmSync(store)),
  overwrittenLater: heldStore(),
  renamedLater: heldStore(),
  emptied: heldStore((store) => truncateSync(store)),
  restored: heldStore(rename),
  unchanged: heldStore(),
};
const all = Object.values(held);

// One program adds the account "new" to all stores; starting it takes longer than the tests.
beforeAll(async () => {
  const db = await openStore(prepared);
  await ensureAccount(db, { name: "old", at: new Date() });
  backup = (await makeBackup(db, prepared, new Date())).name;
  await db.destroy();
  copyFileSync(storeFile(prepared), older(storeFile(prepared)));
  for (const { dataDir } of all) cpSync(prepared, dataDir, { recursive: true });
  const child = spawn(process.execPath, [program, "new", ...all.map(({ dataDir }) => dataDir)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  for (const { store, change } of all) change(store);
  child.kill("SIGKILL");
  await once(child, "close");
  for (const { store } of all) expect(statSync(`${store}-wal`).size).toBeGreaterThan(0);
});

async function accountsOf(dataDir: string): Promise<readonly string[]> {
  await using db = await openStore(dataDir);
  return (await listAccounts(db)).map(({ name }) => name).sort();
}

describe("a write-ahead log left by a killed program", () => {
  it.each<[string, HeldStore, ((store: string) => void)?]>([
    ["replaced by an older copy", held.renamed],
    ["overwritten with a backup", held.overwritten],
    ["deleted, then replaced by a backup", held.deleted, overwrite],
    ["overwritten with a backup after the kill", held.overwrittenLater, overwrite],
    ["replaced by an older copy after the kill", held.renamedLater, rename],
  ])("is set aside instead of applied if the file was %s", async (_how, { dataDir, store }, after) => {
    after?.(store);
    const untouched = readdirSync(dataDir).sort();
    await expect(openStore(dataDir, { setAside: false })).rejects.toMatchObject({ code: "STORE_REPLACED" });
    expect(readdirSync(dataDir).sort()).toEqual(untouched);
    expect(await accountsOf(dataDir)).toEqual(["old"]);
    expect(listForeignLogs(dataDir)).toHaveLength(1);
  });

  it("is set aside if the file was emptied", async () => {
    const { dataDir } = held.emptied;
    await expect(accountsOf(dataDir)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    expect(listForeignLogs(dataDir)).toHaveLength(1);
  });

  it("is not applied to the replacing file by a restore", async () => {
    const { dataDir } = held.restored;
    const aside = await restoreBackup(dataDir, path.join(backupsDir(dataDir), backup), new Date());
    mkdirSync(path.join(dataDir, "other"));
    renameSync(aside ?? "", storeFile(path.join(dataDir, "other")));
    expect(await accountsOf(path.join(dataDir, "other"))).toEqual(["old"]);
  });

  it("is applied to its own file, also in a copy of the data directory", async () => {
    const { dataDir } = held.unchanged;
    const copy = folderForTest();
    cpSync(dataDir, copy, { recursive: true });
    expect(await accountsOf(copy)).toEqual(["new", "old"]);
    expect(await accountsOf(dataDir)).toEqual(["new", "old"]);
    expect(listForeignLogs(dataDir)).toEqual([]);
  });
});
