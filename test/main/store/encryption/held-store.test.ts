// Runs once: tests the file of SQLite (format, migrations, encryption).
// Needs its own process: mocks a module
import type * as fs from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { planEncryption } from "../../../../main/services/program/encryption/encryption.ts";
import { openStore, type WritableDb } from "../../../../main/store/database.ts";
import { readEncryptionNote } from "../../../../main/store/encryption/encryption-note.ts";
import { makeStoreKey, recoveryKeyOf } from "../../../../main/store/encryption/store-key.ts";
import { ensureAccount, listAccounts } from "../../../../main/store/people/accounts.ts";
import { folderForEach } from "../../../fixtures/folders.ts";

/**
 * Operation that fails: renaming the converted copy, renaming the note afterwards (both as with a virus scanner on
 * Windows), or reading the note once when the copy is complete.
 */
let held: "rename" | "note" | "reading" | null = null;
vi.mock("node:fs", async (load) => {
  const real = await load<typeof fs>();
  const refuse = () => {
    throw Object.assign(new Error("EBUSY: resource busy or locked"), { code: "EBUSY", syscall: "rename" });
  };
  return {
    ...real,
    readFileSync(file: string, encoding: "utf8") {
      const copy = String(file).replace("encryption.json", "corvet.db.converted");
      if (copy !== String(file) && held === "reading" && real.existsSync(copy)) {
        held = null;
        throw Object.assign(new Error("EIO: i/o error"), { code: "EIO", syscall: "open" });
      }
      return real.readFileSync(file, encoding);
    },
    renameSync(from: string, to: string) {
      const isTaken = from.endsWith("corvet.db.converted") && held === "rename";
      const isNoted = !real.existsSync(to.replace("encryption.json", "corvet.db.converted")) && held === "note";
      if (isTaken || (isNoted && to.endsWith("encryption.json"))) refuse();
      real.renameSync(from, to);
    },
  };
});

const [dataDir, keysDir] = [folderForEach(), folderForEach()];
beforeEach(() => void vi.stubEnv("CORVET_KEYS_DIR", keysDir()));
afterEach(() => {
  held = null;
  vi.unstubAllEnvs();
});

async function open<T>(work: (db: WritableDb) => Promise<T>): Promise<T> {
  await using db = await openStore(dataDir());
  return await work(db);
}

const namesOf = async (db: WritableDb) => (await listAccounts(db)).map(({ name }) => name);
const enter = (name: string) => (db: WritableDb) => ensureAccount(db, { name, at: new Date() });

it("keeps rows written after the converted copy could not replace the store", async () => {
  await open(enter("before"));
  await open((db) => planEncryption(db, dataDir(), true, recoveryKeyOf(makeStoreKey())));
  held = "rename";
  await open(enter("that day"));
  expect(readEncryptionNote(dataDir())).toMatchObject({ store: "plain", wanted: "encrypted", isReplacing: false });
  held = null;
  expect(await open(namesOf)).toEqual(["before", "that day"]);
  expect(readEncryptionNote(dataDir())).toMatchObject({ store: "encrypted" });
});

it("refuses to open the store while its form is not recorded", async () => {
  await open(enter("before"));
  await open((db) => planEncryption(db, dataDir(), true, recoveryKeyOf(makeStoreKey())));
  held = "note";
  await expect(open(namesOf)).rejects.toThrow();
  held = null;
  expect(await open(namesOf)).toEqual(["before"]);
});

it("keeps planned encryption after a failed read of the note", async () => {
  await open((db) => planEncryption(db, dataDir(), true, recoveryKeyOf(makeStoreKey())));
  held = "reading";
  await open(enter("that day"));
  expect([held, readEncryptionNote(dataDir())]).toMatchObject([null, { store: "plain", wanted: "encrypted" }]);
  expect(await open(namesOf)).toEqual(["that day"]);
  expect(readEncryptionNote(dataDir())).toMatchObject({ store: "encrypted" });
});
