// Runs once: files next to the store.
import { mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ensureTlsCredentials } from "../../../main/server/tls/tls.ts";
import { openSecrets } from "../../../main/services/desktop/secrets.ts";
import { readFilmFile } from "../../../main/services/desktop/film-files.ts";
import { convertFiles } from "../../../main/services/program/encryption/convert-files.ts";
import { databaseOf } from "../../../main/services/program/store-location.ts";
import { openStore } from "../../../main/store/database.ts";
import { saveStoreKey, placeOfKey, storeKeyOf } from "../../../main/store/encryption/key-keeper.ts";
import { writeEncryptionNote } from "../../../main/store/encryption/encryption-note.ts";
import { fingerprintOfKey, makeStoreKey } from "../../../main/store/encryption/store-key.ts";
import { nameOfImage } from "../../../main/store/film-images/film-images.ts";
import { statementKey } from "../../../main/store/ledger/continue-record.ts";
import { machineOf } from "../../../main/store/machines/machine.ts";
import { folderForEach } from "../../fixtures/folders.ts";

const folder = folderForEach();
beforeEach(() => void vi.stubEnv("CORVET_KEYS_DIR", path.join(folder(), "keys")));
afterEach(() => void vi.unstubAllEnvs());

/** Creates a link to itself: it cannot be read by any user, but replaced. */
function makeUnreadable(file: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  symlinkSync(path.basename(file), file);
  return file;
}

const secrets = () => openSecrets(folder(), null);
const open = async () => (await openStore(folder())).destroy();

it.runIf(process.platform !== "win32").each<[string, string, string, () => unknown]>([
  ["the local authority", "tls/authority.pem", "ELOOP", () => ensureTlsCredentials(folder(), [], new Date())],
  ["other secrets when one is added", "secrets.json", "NOT_AVAILABLE", () => secrets().keep("a", "b")],
  ["other secrets when one is removed", "secrets.json", "NOT_AVAILABLE", () => secrets().forget("a")],
  ["secrets when one is read", "secrets.json", "NOT_AVAILABLE", () => secrets().get("a")],
  ["the workstation's identity", "machine.json", "ELOOP", () => machineOf(folder())],
  ["the choice of a database", "database.json", "STORE_UNAVAILABLE", () => databaseOf(folder())],
  ["the key of statements", "statement.key", "ELOOP", () => statementKey(folder())],
  ["the store", "corvet.db", "STORE_UNAVAILABLE", open],
  ["the note of encryption", "encryption.json", "STORE_LOCKED", open],
  ["the note of the record", "record-head", "STORE_UNAVAILABLE", open],
  ["a scheduled restore", "corvet.db.restore-at-start", "STORE_UNAVAILABLE", open],
])("reports %s and does not replace it if its file cannot be read", async (_what, name, code, act) => {
  const file = makeUnreadable(path.join(folder(), name));
  await expect((async () => await act())()).rejects.toMatchObject({ code });
  expect(readlinkSync(file)).toBe(path.basename(name));
});

it.runIf(process.platform !== "win32")("reports an unreadable key as unreadable, not as missing", () => {
  const dataDir = folder();
  const key = makeStoreKey();
  const note = { store: "encrypted", wanted: "encrypted", isReplacing: false, isDone: true } as const;
  writeEncryptionNote(dataDir, { ...note, fingerprint: fingerprintOfKey(makeStoreKey()) });
  saveStoreKey(dataDir, key);
  makeUnreadable(placeOfKey(dataDir));
  expect(() => storeKeyOf(dataDir)).toThrow(
    expect.objectContaining({ reason: expect.objectContaining({ name: "storeKeyUnreadable" }) as unknown }),
  );
});

it.runIf(process.platform !== "win32")("keeps the key of films that cannot be decrypted at the moment", async () => {
  const dataDir = folder();
  const key = makeStoreKey();
  const note = { store: "plain", wanted: "plain", isReplacing: false, isDone: false } as const;
  writeEncryptionNote(dataDir, { ...note, fingerprint: fingerprintOfKey(key) });
  saveStoreKey(dataDir, key);
  makeUnreadable(path.join(dataDir, "films"));
  await expect(convertFiles(dataDir)).rejects.toMatchObject({ code: "ELOOP" });
  expect(storeKeyOf(dataDir)).toBe(key);
});

it.runIf(process.platform !== "win32")("reports a film that cannot be read as unreadable, not as missing", async () => {
  const film = nameOfImage("a".repeat(64), "original", 0);
  expect(await readFilmFile(folder(), film)).toBeNull();
  makeUnreadable(path.join(folder(), "films", film.sha256));
  await expect(readFilmFile(folder(), film)).rejects.toMatchObject({ reason: { name: "fileUnreadable" } });
});

it.runIf(process.platform !== "win32")("reports a database whose address cannot be read as unavailable", () => {
  const dataDir = folder();
  openSecrets(dataDir, null).keep("database", "postgres://corvet:secret@db/corvet");
  writeFileSync(path.join(dataDir, "database.json"), JSON.stringify({ place: "db/corvet" }));
  makeUnreadable(path.join(dataDir, "secrets.json"));
  expect(() => databaseOf(dataDir)).toThrow(expect.objectContaining({ code: "STORE_UNAVAILABLE" }));
});
