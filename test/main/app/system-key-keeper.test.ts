import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { SafeStorage } from "electron";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { folderForEach } from "../../fixtures/folders.ts";
import { systemKeyKeeper } from "../../../main/app/system-key-keeper.ts";
import { fileKeeper } from "../../../main/store/encryption/key-keeper.ts";
import { makeStoreKey, recoveryKeyOf } from "../../../main/store/encryption/store-key.ts";

const folder = folderForEach();
const named = () => path.join(folder(), "named.key");
beforeEach(() => void vi.stubEnv("CORVET_STORE_KEY_FILE", named()));
afterEach(() => void vi.unstubAllEnvs());

const storage = {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => "gnome_libsecret",
  encryptString: (text: string) => Buffer.from(text).toReversed(),
  decryptString: (bytes: Buffer) => Buffer.from(bytes.toReversed()).toString(),
} as unknown as SafeStorage;
const openKeeper = () => systemKeyKeeper(storage, () => path.join(folder(), "sealed"));

test("moves a key that was unlocked on the command line to the key store", () => {
  vi.stubEnv("CORVET_STORE_KEY_FILE", "");
  vi.stubEnv("CORVET_KEYS_DIR", folder());
  const [keeper, key, file] = [openKeeper(), makeStoreKey(), fileKeeper.place(folder())];
  writeFileSync(file, recoveryKeyOf(key));
  expect(keeper.read(folder())).toBe(key);
  keeper.keep(folder(), key);
  expect([existsSync(file), keeper.read(folder())]).toEqual([false, key]);
});

test.each(["the same", "another"])(
  "keeps a configured key file with %s key when a key is stored and deleted",
  (which) => {
    const [keeper, key] = [openKeeper(), makeStoreKey()];
    const present = recoveryKeyOf(which === "another" ? makeStoreKey() : key);
    writeFileSync(named(), present);
    keeper.keep(folder(), key);
    expect(keeper.read(folder())).toBe(key);
    keeper.forget(folder());
    expect(readFileSync(named(), "utf8")).toBe(present);
  },
);
