import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getEncryption, planEncryption } from "../../../../main/services/program/encryption/encryption.ts";
import { listBackups, makeBackup } from "../../../../main/store/backups/backups.ts";
import { scheduleRestore } from "../../../../main/store/backups/restore.ts";
import { openStore, type WritableDb } from "../../../../main/store/database.ts";
import { sqliteFileOf } from "../../../../main/store/engines/engine.ts";
import { placeOfKey } from "../../../../main/store/encryption/key-keeper.ts";
import { makeStoreKey, recoveryKeyOf } from "../../../../main/store/encryption/store-key.ts";
import { ensureAccount, listAccounts } from "../../../../main/store/people/accounts.ts";
import { listDamagedFiles, scheduledRestoreFile } from "../../../../main/store/files/store-files.ts";
import { answerCommand } from "../../../fixtures/process/corvet-command.ts";
import { temporaryDataDir } from "../../store/sample-store.ts";

let [data, keys] = [temporaryDataDir(), temporaryDataDir()];
beforeEach(() => {
  [data, keys] = [temporaryDataDir(), temporaryDataDir()];
  vi.stubEnv("CORVET_KEYS_DIR", keys.dataDir);
});
afterEach(() => {
  vi.unstubAllEnvs();
  [data, keys].forEach(({ remove }) => remove());
});

const encryption = (verb: string, input = "yes\n") =>
  answerCommand(input, "encryption", verb, "--data-dir", data.dataDir);

const isPlain = { isEncrypted: false, isWanted: false };
const isEncrypted = { isEncrypted: true, isWanted: true };

async function open<T>(work: (db: WritableDb) => Promise<T>): Promise<T> {
  await using db = await openStore(data.dataDir);
  return await work(db);
}
const enter = (db: WritableDb, name: string) => ensureAccount(db, { name, at: new Date() });
const names = () => open(async (db) => (await listAccounts(db)).map(({ name }) => name));

it.each([
  ["on", "The store is encrypted"],
  ["off", "The store is plain"],
])("completes a scheduled restore before it turns encryption %s", async (verb, said) => {
  if (verb === "off") {
    await open((db) => enter(db, "restored"));
    expect(await encryption("on")).toMatchObject({ status: 0 });
  }
  await open(async (db) => {
    await enter(db, "restored");
    await makeBackup(db, data.dataDir, new Date());
    await enter(db, "replaced");
  });
  await scheduleRestore(data.dataDir, listBackups(data.dataDir)[0]?.path ?? "");
  expect(await encryption(verb)).toMatchObject({ status: 0, stdout: expect.stringContaining(said) as string });
  expect(existsSync(scheduledRestoreFile(data.dataDir))).toBe(false);
  expect([await names(), listDamagedFiles(data.dataDir)]).toEqual([["restored"], []]);
});

it.each(["", "no\n"])("changes nothing before the recovery key is confirmed (%j)", async (answer) => {
  await open((db) => enter(db, "clinic"));
  expect(await encryption("on", answer)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/Recovery key[^]*Nothing was changed/) as string,
  });
  expect([getEncryption(data.dataDir), existsSync(placeOfKey(data.dataDir))]).toMatchObject([isPlain, false]);
});

const canMount = process.getuid?.() === 0 && existsSync("/proc/mounts");
if (!canMount) console.info("encryption on a nearly full disk: skipped, only root may mount a small one");

it.runIf(canMount)("refuses a full disk before it prints a key, and plans nothing", async () => {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=40m,mode=700", "tmpfs", data.dataDir]);
  const filler = path.join(data.dataDir, "filler");
  const fill = () => {
    const { bavail, bsize } = statfsSync(data.dataDir);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 6_000_000));
  };
  const refused = { status: 1, stdout: "", stderr: expect.stringMatching(/needs \d+ MB of free space/) as string };
  try {
    await open((db) => enter(db, "clinic"));
    fill();
    expect(await encryption("on")).toMatchObject(refused);
    expect([getEncryption(data.dataDir), existsSync(placeOfKey(data.dataDir))]).toMatchObject([isPlain, false]);
    rmSync(filler);
    expect(await encryption("on")).toMatchObject({ status: 0 });
    fill();
    expect(await encryption("off")).toMatchObject(refused);
    await open(() => Promise.resolve());
    expect(getEncryption(data.dataDir)).toMatchObject(isEncrypted);
  } finally {
    execFileSync("umount", ["-l", data.dataDir]);
  }
});

it.each([
  ["on", isPlain],
  ["off", isEncrypted],
])("withdraws the plan of a failed `%s`", async (verb, before) => {
  await open((db) => enter(db, "clinic"));
  if (verb === "off") expect(await encryption("on")).toMatchObject({ status: 0 });
  const obstacle = path.join(data.dataDir, "corvet.db.converted.unfinished");
  mkdirSync(obstacle);
  expect(await encryption(verb)).toMatchObject({ status: 1 });
  rmSync(obstacle, { recursive: true });
  await open(() => Promise.resolve());
  expect([getEncryption(data.dataDir), await names()]).toMatchObject([before, ["clinic"]]);
});

it("keeps neither key nor plan if the audit trail cannot be written", async () => {
  const plan = open((db) => {
    sqliteFileOf(db).exec(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON audit_events BEGIN SELECT RAISE(FAIL, 'full'); END",
    );
    return planEncryption(db, data.dataDir, true, recoveryKeyOf(makeStoreKey()));
  });
  await expect(plan).rejects.toThrow("full");
  expect([getEncryption(data.dataDir), existsSync(placeOfKey(data.dataDir))]).toMatchObject([isPlain, false]);
});

it("reports a missing key and how to proceed", async () => {
  await open((db) => enter(db, "clinic"));
  // Use a separate process, since this one would cache the key.
  const turnOn = ["main/commands/corvet.ts", "encryption", "on", "--data-dir", data.dataDir];
  expect(spawnSync(process.execPath, turnOn, { input: "yes\n" })).toMatchObject({ status: 0 });
  rmSync(placeOfKey(data.dataDir));
  const { status, stdout, stderr } = await encryption("status");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^The store is encrypted\.\n.*encryption unlock/);
});
