import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listBackups, makeBackup } from "../../../main/store/backups/backups.ts";
import { scheduleRestore } from "../../../main/store/backups/restore.ts";
import { openStore, type WritableDb } from "../../../main/store/database.ts";
import { ensureAccount, listAccounts } from "../../../main/store/people/accounts.ts";
import { listDamagedFiles, scheduledRestoreFile } from "../../../main/store/store-files.ts";
import { temporaryDataDir } from "../store/sample-store.ts";

let [data, keys] = [temporaryDataDir(), temporaryDataDir()];
beforeEach(() => {
  [data, keys] = [temporaryDataDir(), temporaryDataDir()];
  vi.stubEnv("CORVET_KEYS_DIR", keys.dataDir);
});
afterEach(() => {
  vi.unstubAllEnvs();
  [data, keys].forEach(({ remove }) => remove());
});

function encryption(verb: string) {
  const file = fileURLToPath(new URL("../../../main/commands/corvet.ts", import.meta.url));
  return spawnSync(process.execPath, [file, "encryption", verb, "--data-dir", data.dataDir], { encoding: "utf8" });
}

async function open<T>(work: (db: WritableDb) => Promise<T>): Promise<T> {
  const db = await openStore(data.dataDir);
  return work(db).finally(() => db.destroy());
}
const enter = (db: WritableDb, name: string) => ensureAccount(db, { name, at: new Date() });
const names = () => open(async (db) => (await listAccounts(db)).map(({ name }) => name));

it.each([
  ["on", "The store is encrypted"],
  ["off", "The store is plain"],
])("finishes a restore that is scheduled before it turns encryption %s", async (verb, said) => {
  if (verb === "off") {
    await open((db) => enter(db, "restored"));
    expect(encryption("on")).toMatchObject({ status: 0 });
  }
  await open(async (db) => {
    await enter(db, "restored");
    await makeBackup(db, data.dataDir, new Date());
    await enter(db, "replaced");
  });
  await scheduleRestore(data.dataDir, listBackups(data.dataDir)[0]?.name ?? "");
  expect(encryption(verb)).toMatchObject({ status: 0, stdout: expect.stringContaining(said) as string });
  expect(existsSync(scheduledRestoreFile(data.dataDir))).toBe(false);
  expect([await names(), listDamagedFiles(data.dataDir)]).toEqual([["restored"], []]);
});
