// Runs once: tests the file of SQLite (format, migrations, encryption).
import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  listExternalBackups,
  saveBackupPlan,
  copyToExternalFolder,
} from "../../../../../main/services/program/backups/backup-plan.ts";
import { convertFiles } from "../../../../../main/services/program/encryption/convert-files.ts";
import { planEncryption } from "../../../../../main/services/program/encryption/encryption.ts";
import { readBackupKey } from "../../../../../main/store/backups/backup-cipher.ts";
import { makeBackup } from "../../../../../main/store/backups/backups.ts";
import { checkBackup } from "../../../../../main/store/backups/check-backup.ts";
import { openStore, type WritableDb } from "../../../../../main/store/database.ts";
import { encryptionNoteFile } from "../../../../../main/store/encryption/encryption-note.ts";
import { makeStoreKey, recoveryKeyOf } from "../../../../../main/store/encryption/store-key.ts";
import { backupKeyFile } from "../../../../../main/store/files/store-files.ts";
import { folderForEach } from "../../../../fixtures/folders.ts";

const [dataDir, keysDir, externalDir] = [folderForEach(), folderForEach(), folderForEach()];
const isPlain = () => readFileSync(backupKeyFile(dataDir())).includes('"salt"');

beforeEach(() => void vi.stubEnv("CORVET_KEYS_DIR", keysDir()));
afterEach(() => void vi.unstubAllEnvs());

async function open<T>(work: (db: WritableDb) => Promise<T>): Promise<T> {
  await using db = await openStore(dataDir());
  return await work(db);
}

const savePlan = (db: WritableDb, passphrase: string | null) =>
  saveBackupPlan(
    { db, dataDir: dataDir() },
    { folder: externalDir(), withFilms: false, isEncrypted: true },
    passphrase,
  );

async function turn(isWanted: boolean): Promise<void> {
  await open((db) => planEncryption(db, dataDir(), isWanted, isWanted ? recoveryKeyOf(makeStoreKey()) : null));
  await open(() => Promise.resolve());
  expect(await convertFiles(dataDir())).toEqual([]);
}

it("encrypts the key of outside backups while the store is encrypted, and can use it for the daily copy", async () => {
  await open((db) => savePlan(db, "a phrase"));
  expect(isPlain()).toBe(true);
  await turn(true);
  expect(isPlain()).toBe(false);
  await open(async (db) => {
    await copyToExternalFolder({ db, dataDir: dataDir() }, await makeBackup(db, dataDir(), new Date()));
    const [archive] = await listExternalBackups({ db, dataDir: dataDir() });
    expect(await checkBackup(dataDir(), archive!.path, "a phrase")).toMatchObject({ ledgerRows: 0 });
    await savePlan(db, "another phrase");
  });
  expect(isPlain()).toBe(false);
  await turn(false);
  expect([isPlain(), existsSync(encryptionNoteFile(dataDir()))]).toEqual([true, false]);
  expect(readBackupKey(readFileSync(backupKeyFile(dataDir()), "utf8"))).toMatchObject({ n: 65_536 });
});
