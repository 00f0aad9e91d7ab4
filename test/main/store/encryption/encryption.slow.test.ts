// Runs once: tests the file of SQLite (format, migrations, encryption).
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { readFilmFile, saveFilmFile } from "../../../../main/services/desktop/film-files.ts";
import { convertFiles } from "../../../../main/services/program/encryption/convert-files.ts";
import {
  getEncryption,
  offerRecoveryKey,
  planEncryption,
  unlockStore,
} from "../../../../main/services/program/encryption/encryption.ts";
import { writeArchive } from "../../../../main/store/backups/backup-archive.ts";
import { listBackups, makeBackup } from "../../../../main/store/backups/backups.ts";
import { checkBackup } from "../../../../main/store/backups/check-backup.ts";
import { completeScheduledRestore, restoreBackup, scheduleRestore } from "../../../../main/store/backups/restore.ts";
import { openStore } from "../../../../main/store/database.ts";
import { encryptionNoteFile } from "../../../../main/store/encryption/encryption-note.ts";
import { placeOfKey } from "../../../../main/store/encryption/key-keeper.ts";
import { keyOfRecovery, makeStoreKey, recoveryKeyOf } from "../../../../main/store/encryption/store-key.ts";
import { convertStore } from "../../../../main/store/encryption/convert-store.ts";
import { verifyInThread } from "../../../../main/store/record/verification-thread-client.ts";
import { listSetAside, storeFile } from "../../../../main/store/files/store-files.ts";
import { answerCommand } from "../../../fixtures/process/corvet-command.ts";
import { weakKey } from "../weak-key.ts";
import { at, expectWhole, fillDirectory, films, imageOf, marker, plan, turn } from "./encrypted-directory.ts";
import { describeSwitchKills } from "./switch-kills.ts";
import { sqliteFileOf } from "../../../../main/store/engines/engine.ts";
import { machineOf } from "../../../../main/store/machines/machine.ts";
import { chargeCalls } from "../record-billable-measurement.ts";
import { folderForEach, folderForFile } from "../../../fixtures/folders.ts";

let [dataDir, keysDir, folder] = ["", "", ""];
const [folderOfData, folderOfKeys] = [folderForEach(), folderForEach()];
const [plain, encrypted] = [folderForFile(), folderForFile()];
let recoveryKey = "";

beforeAll(async () => {
  vi.stubEnv("CORVET_KEYS_DIR", plain);
  await fillDirectory(plain);
  cpSync(plain, encrypted, { recursive: true });
  recoveryKey = (await turn(encrypted, true)) ?? "";
  rmSync(placeOfKey(encrypted));
  vi.unstubAllEnvs();
});
beforeEach(() => {
  [dataDir, keysDir] = [folderOfData(), folderOfKeys()];
  folder = path.join(keysDir, "other-disk");
  mkdirSync(folder);
  vi.stubEnv("CORVET_KEYS_DIR", keysDir);
  cpSync(plain, dataDir, { recursive: true });
});
afterEach(() => void vi.unstubAllEnvs());

/** Uses the encrypted directory instead, whose key this process has not cached. */
function beginEncrypted(): void {
  rmSync(dataDir, { recursive: true });
  cpSync(encrypted, dataDir, { recursive: true });
  writeFileSync(placeOfKey(dataDir), recoveryKey);
}

const open = () => openStore(dataDir, { create: false, setAside: false });

const command = (name: string, args: readonly string[], input = "") =>
  answerCommand(input, name, ...args, "--data-dir", dataDir);

describe("an encrypted data directory", () => {
  it("contains no plain text, is usable, and can be decrypted without loss", async () => {
    expect(await turn(dataDir, true)).toMatch(/^(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}$/);
    await expectWhole(dataDir, true);
    expect(statSync(placeOfKey(dataDir)).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
    expect(placeOfKey(dataDir).startsWith(dataDir)).toBe(false);
    await turn(dataDir, false);
    await expectWhole(dataDir, false);
    expect(existsSync(encryptionNoteFile(dataDir))).toBe(false);
  });

  it("can be backed up, checked, restored, and verified in a thread", async () => {
    beginEncrypted();
    const db = await openStore(dataDir);
    const { path: file } = await makeBackup(db, dataDir, new Date(at.getTime() + 1000));
    expect(await checkBackup(dataDir, file, null)).toMatchObject({ ledgerRows: 3 });
    await chargeCalls(db, 1);
    await db.destroy();
    await restoreBackup(dataDir, file, new Date());
    expect(await verifyInThread(dataDir)).toMatchObject({ fault: null, rows: 3, seals: expect.any(Number) as number });
    await expectWhole(dataDir, true);
  });

  it("does not open without its key, and stays unchanged", async () => {
    beginEncrypted();
    const place = placeOfKey(dataDir);
    rmSync(place);
    const before = readdirSync(dataDir);
    await expect(open()).rejects.toThrow("its key is not in");
    const { status, stderr } = await command("ledger", ["verify"]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`npx corvet encryption unlock --data-dir "${dataDir}"`),
    ]);
    const { stdout } = await command("encryption", ["status"]);
    expect([stdout.includes("its key is not in"), stdout.includes("is kept in")]).toEqual([true, false]);
    mkdirSync(place);
    await expect(open()).rejects.toThrow("cannot be read. Allow");
    expect(await command("encryption", ["status"])).toMatchObject({ status: 0, stderr: "" });
    rmSync(place, { recursive: true });
    writeFileSync(place, recoveryKeyOf(makeStoreKey()));
    await expect(open()).rejects.toThrow("belongs to another database");
    expect(readdirSync(dataDir)).toEqual(before);
    expect(() => unlockStore(dataDir, recoveryKeyOf(makeStoreKey()))).toThrow(locked);
    expect(await command("encryption", ["unlock"], recoveryKey.toLowerCase())).toMatchObject({ status: 0 });
    await expectWhole(dataDir, true);
  });

  it("is created and decrypted by the command, which prints the recovery key once", async () => {
    const turnedOn = await command("encryption", ["on"], "yes\n");
    expect(turnedOn).toMatchObject({ status: 0, stderr: 'Type "yes" once it is written down: ' });
    expect(turnedOn.stdout).toMatch(/(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/);
    expect((await command("encryption", ["on"])).stdout).not.toMatch(/Recovery key/);
    await expectWhole(dataDir, true);
    expect(await command("encryption", ["off"])).toMatchObject({ status: 0, stderr: "" });
    await expectWhole(dataDir, false);
  });

  it("is reported as damaged if it is, not as one whose key is missing", async () => {
    beginEncrypted();
    const bytes = readFileSync(storeFile(dataDir));
    bytes.fill(7, 4096, 12_000);
    writeFileSync(storeFile(dataDir), bytes);
    await expect(openStore(dataDir)).rejects.toThrow(expect.objectContaining({ code: "STORE_DAMAGED" }));
  });
});

describe("a key file named by CORVET_STORE_KEY_FILE", () => {
  let [file, other] = ["", ""];
  beforeEach(() => {
    file = path.join(folder, "shared.key");
    other = path.join(folder, "other");
    vi.stubEnv("CORVET_STORE_KEY_FILE", file);
  });

  it("is kept and reported when a copy of the data directory is decrypted", async () => {
    await turn(dataDir, true);
    cpSync(dataDir, other, { recursive: true });
    const [first, key] = [dataDir, readFileSync(file, "utf8")];
    dataDir = other;
    const { status, stdout } = await command("encryption", ["off"]);
    expect([status, stdout.includes("The store is plain."), stdout.includes(`A key stays in ${file}`)]).toEqual([
      0,
      true,
      true,
    ]);
    expect(readFileSync(file, "utf8")).toBe(key);
    dataDir = first;
    await expectWhole(dataDir, true);
  });

  it("is reused for a second encryption and a second data directory, with the same recovery key", async () => {
    const ownKey = await turn(dataDir, true);
    const [first, key] = [dataDir, readFileSync(file, "utf8")];
    cpSync(plain, other, { recursive: true });
    for (dataDir of [other, first]) {
      await turn(dataDir, false);
      expect(await turn(dataDir, true)).toBe(ownKey);
    }
    expect(readFileSync(file, "utf8")).toBe(key);
    for (dataDir of [other, first]) await expectWhole(dataDir, true);
  });

  it("is not overwritten if it contains another recovery key or other text", async () => {
    const ownKey = (await turn(dataDir, true)) ?? "";
    const refused = expect.objectContaining({ code: "STORE_LOCKED", message: expect.stringContaining(file) as string });
    for (const present of ["words of the user\n", recoveryKeyOf(makeStoreKey())]) {
      writeFileSync(file, present);
      expect(() => unlockStore(dataDir, ownKey)).toThrow(refused);
      expect(readFileSync(file, "utf8")).toBe(present);
    }
  });
});

const cutOff = (file: string) => writeFileSync(file, readFileSync(file, "utf8").slice(0, 40));
const deleted = (file: string) => rmSync(file);
const losses = [
  ["deleted", deleted],
  ["truncated", cutOff],
] as const;
const locked = expect.objectContaining({ code: "STORE_LOCKED" }) as Error;

describe.each(losses)("an encrypted data directory whose encryption.json is %s", (_how, lose) => {
  it("opens with the stored key, which restores the file", async () => {
    beginEncrypted();
    lose(encryptionNoteFile(dataDir));
    await (await openStore(dataDir)).destroy();
    expect(await convertFiles(dataDir)).toEqual([]);
    await expectWhole(dataDir, true);
  });

  it("is not set aside without its key, and opens with the recovery key", async () => {
    beginEncrypted();
    lose(encryptionNoteFile(dataDir));
    const place = placeOfKey(dataDir);
    for (const key of [null, recoveryKeyOf(makeStoreKey())]) {
      if (key === null) rmSync(place);
      else writeFileSync(place, key);
      const before = readFileSync(storeFile(dataDir));
      for (const setAside of [true, false]) {
        const refused = openStore(dataDir, { setAside });
        await expect(refused).rejects.toThrow(locked);
        await expect(refused).rejects.toThrow("either encrypted or damaged");
        await expect(refused).rejects.toThrow(place);
      }
      expect(() => unlockStore(dataDir, recoveryKeyOf(makeStoreKey()))).toThrow(locked);
      expect(readFileSync(storeFile(dataDir)).equals(before)).toBe(true);
      expect([...listSetAside(dataDir)]).toEqual([]);
    }
    unlockStore(dataDir, recoveryKey);
    expect(await convertFiles(dataDir)).toEqual([]);
    await expectWhole(dataDir, true);
  });
});

describe("an encrypted data directory without its encryption.json", () => {
  it("loses no rows of the write-ahead log", async () => {
    beginEncrypted();
    const db = await openStore(dataDir);
    await chargeCalls(db, 2);
    const copy = path.join(keysDir, "killed");
    cpSync(dataDir, copy, { recursive: true });
    await db.destroy();
    vi.stubEnv("CORVET_STORE_KEY_FILE", placeOfKey(dataDir));
    deleted(encryptionNoteFile(copy));
    expect(statSync(`${storeFile(copy)}-wal`).size).toBeGreaterThan(0);
    const opened = await openStore(copy);
    expect(sqliteFileOf(opened).prepare("SELECT count(*) FROM ledger").pluck().get()).toBe(5);
    await opened.destroy();
  });

  it("is restored from an encrypted backup", async () => {
    beginEncrypted();
    cutOff(encryptionNoteFile(dataDir));
    await restoreBackup(dataDir, listBackups(dataDir)[0]?.path ?? "", new Date());
    expect(await convertFiles(dataDir)).toEqual([]);
    await expectWhole(dataDir, true);
  });

  it("encrypts new films and backups and keeps its key if the file is lost while the store is open", async () => {
    beginEncrypted();
    const [key, note] = [readFileSync(placeOfKey(dataDir), "utf8"), readFileSync(encryptionNoteFile(dataDir), "utf8")];
    const db = await openStore(dataDir);
    deleted(encryptionNoteFile(dataDir));
    const film = Buffer.concat([Buffer.from(marker), randomBytes(1000)]);
    await saveFilmFile(dataDir, imageOf(film), film);
    expect(readFileSync(encryptionNoteFile(dataDir), "utf8")).toBe(note);
    cutOff(encryptionNoteFile(dataDir));
    await makeBackup(db, dataDir, new Date(at.getTime() + 1000));
    deleted(encryptionNoteFile(dataDir));
    expect(offerRecoveryKey(db, dataDir)).toBeNull();
    await db.destroy();
    expect(readFileSync(placeOfKey(dataDir), "utf8")).toBe(key);
    expect(await readFilmFile(dataDir, imageOf(film))).toEqual(film);
    await expectWhole(dataDir, true);
  });

  it.each([
    [true, cutOff],
    [false, deleted],
  ])("performs a conversion that was planned before the loss (encrypt: %s)", async (isWanted, lose) => {
    if (!isWanted) beginEncrypted();
    await plan(dataDir, isWanted);
    lose(encryptionNoteFile(dataDir));
    await (await openStore(dataDir)).destroy();
    expect(await convertFiles(dataDir)).toEqual([]);
    await expectWhole(dataDir, isWanted);
  });

  it("ignores a conversion planned in a restored backup, and keeps its form", async () => {
    beginEncrypted();
    await plan(dataDir, false);
    const db = await openStore(dataDir, { setAside: false });
    const { path: file } = await makeBackup(db, dataDir, new Date(at.getTime() + 1000));
    await planEncryption(db, dataDir, true);
    await db.destroy();
    await scheduleRestore(dataDir, file);
    await (await openStore(dataDir)).destroy();
    deleted(encryptionNoteFile(dataDir));
    await (await openStore(dataDir)).destroy();
    expect(getEncryption(dataDir)).toMatchObject({ isEncrypted: true, isWanted: true });
  });
});

describe("a plain store with a truncated encryption.json", () => {
  it("is refused with the remedy, and the recovery key opens films that are still encrypted", async () => {
    beginEncrypted();
    await plan(dataDir, false);
    convertStore(dataDir);
    cutOff(encryptionNoteFile(dataDir));
    rmSync(placeOfKey(dataDir));
    const { status, stderr } = await command("ledger", ["verify"]);
    expect([status, stderr.includes("films may be"), stderr.includes("delete")]).toEqual([1, true, true]);
    expect(await command("encryption", ["unlock"], recoveryKey)).toMatchObject({ status: 0 });
    await (await openStore(dataDir)).destroy();
    expect(await convertFiles(dataDir)).toEqual([]);
    await expectWhole(dataDir, false);
  });
});

describe("a plain store that was never encrypted", () => {
  const overwrite = (start: number, end: number | undefined, fill: () => Buffer) => {
    const bytes = readFileSync(storeFile(dataDir));
    fill().copy(bytes, start, 0, (end ?? bytes.length) - start);
    writeFileSync(storeFile(dataDir), bytes);
  };
  const noise = () => randomBytes(statSync(storeFile(dataDir)).size);

  it.each([
    ["its first bytes", 16],
    ["its first page", 4096],
    ["its first three pages", 3 * 4096],
  ])("is reported as damaged and set aside after noise has overwritten %s", async (_what, end) => {
    overwrite(0, end, noise);
    await expect(openStore(dataDir)).rejects.toThrow(expect.objectContaining({ code: "STORE_DAMAGED" }));
    expect(listSetAside(dataDir)).toHaveLength(1);
  });

  it("opens after an unreadable encryption.json was deleted", async () => {
    writeFileSync(encryptionNoteFile(dataDir), "{}");
    await expect(openStore(dataDir)).rejects.toThrow(locked);
    rmSync(encryptionNoteFile(dataDir));
    await expectWhole(dataDir, false);
  });

  it("is not set aside, and both causes are reported, if it may be an encrypted one", async () => {
    overwrite(0, undefined, noise);
    await expect(openStore(dataDir)).rejects.toThrow(
      expect.objectContaining({ code: "STORE_LOCKED", message: expect.stringContaining("restore a backup") as string }),
    );
    expect(listSetAside(dataDir)).toEqual([]);
    await restoreBackup(dataDir, listBackups(dataDir)[0]?.path ?? "", new Date());
    await expectWhole(dataDir, false);
  });
});

describe("a copy of an encrypted store in another folder", () => {
  const archive = async (passphrase: string | null) => {
    const db = await openStore(dataDir);
    const backup = await makeBackup(db, dataDir, new Date(at.getTime() + 1000));
    await db.destroy();
    const key = passphrase === null ? null : weakKey(passphrase);
    const storeKey = keyOfRecovery(readFileSync(placeOfKey(dataDir), "utf8"));
    return writeArchive({
      machine: machineOf(dataDir),
      backup,
      folder,
      filmsDir: path.join(dataDir, "films"),
      key,
      storeKey,
    });
  };

  it.each([
    ["an encrypted archive with its passphrase only", "a pass phrase"],
    ["a plain archive with the recovery key", null],
  ])("is restored on another computer from %s", async (_how, passphrase) => {
    beginEncrypted();
    const { path: file } = await archive(passphrase);
    rmSync(dataDir, { recursive: true });
    rmSync(placeOfKey(dataDir));
    mkdirSync(dataDir);
    expect(readFileSync(file).includes(marker)).toBe(false);
    await expect(scheduleRestore(dataDir, file, passphrase && "another one")).rejects.toMatchObject({
      code: "BACKUP_LOCKED",
    });
    expect(await checkBackup(dataDir, file, passphrase ?? recoveryKey)).toMatchObject({ films: films.length });
    await scheduleRestore(dataDir, file, passphrase ?? recoveryKey);
    completeScheduledRestore(dataDir, new Date());
    const db = await openStore(dataDir);
    expect(sqliteFileOf(db).prepare("SELECT count(*) FROM ledger").pluck().get()).toBe(3);
    await db.destroy();
    for (const film of films) expect(await readFilmFile(dataDir, imageOf(film))).toEqual(film);
  });
});

describeSwitchKills([
  ["replaced", 1, true],
  ["film", 2, false],
]);

it("parses a recovery key regardless of case, spacing and confusable letters, and rejects a typing error", () => {
  const key = makeStoreKey();
  const typed = recoveryKeyOf(key);
  expect(keyOfRecovery(typed.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l"))).toBe(key);
  const other = typed[0] === "7" ? "6" : "7";
  expect([keyOfRecovery(other + typed.slice(1)), keyOfRecovery("hello"), keyOfRecovery("")]).toEqual([
    null,
    null,
    null,
  ]);
});
