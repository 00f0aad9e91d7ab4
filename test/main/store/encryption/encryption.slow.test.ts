// Runs once: tests the file of SQLite (format, migrations, encryption).
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { recordBillableMeasurement } from "../record-billable-measurement.ts";
import { readFilmFile, saveFilmFile } from "../../../../main/services/desktop/film-files.ts";
import { scheduleArchive } from "../../../../main/services/program/backups/backup-plan.ts";
import { convertFiles } from "../../../../main/services/program/encryption/convert-files.ts";
import {
  getEncryption,
  offerRecoveryKey,
  planEncryption,
  unlockStore,
} from "../../../../main/services/program/encryption/encryption.ts";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { writeArchive } from "../../../../main/store/backups/backup-archive.ts";
import { makeBackupKey } from "../../../../main/store/backups/backup-cipher.ts";
import { findNewestGoodBackup, listBackups, makeBackup } from "../../../../main/store/backups/backups.ts";
import { checkBackup } from "../../../../main/store/backups/check-backup.ts";
import { completeScheduledRestore, restoreBackup, scheduleRestore } from "../../../../main/store/backups/restore.ts";
import { openStore, type WritableDb } from "../../../../main/store/database.ts";
import { encryptionNoteFile } from "../../../../main/store/encryption/encryption-note.ts";
import { placeOfKey } from "../../../../main/store/encryption/key-keeper.ts";
import { keyOfRecovery, makeStoreKey, recoveryKeyOf } from "../../../../main/store/encryption/store-key.ts";
import { convertStore, type ConversionStep } from "../../../../main/store/encryption/convert-store.ts";
import { nameOfImage } from "../../../../main/store/film-images/film-images.ts";
import { verifyInThread } from "../../../../main/store/record/verification-thread-client.ts";
import { listSetAside, storeFile } from "../../../../main/store/files/store-files.ts";
import { meteredCall, temporaryDataDir } from "../sample-store.ts";
import { sqliteFileOf } from "../../../../main/store/engines/engine.ts";
import { machineOf } from "../../../../main/store/machines/machine.ts";

const at = new Date("2026-11-10T09:00:00Z");
const marker = "Clinic that a stolen disk must not show";
const films = Array.from({ length: 4 }, (_, index) =>
  Buffer.concat([Buffer.from(marker), randomBytes(50_000 + index)]),
);
const imageOf = (film: Buffer) => nameOfImage(nameOf(film), "original", 0);
const nameOf = (film: Buffer) => createHash("sha256").update(film).digest("hex");

let [dataDir, keysDir, folder] = ["", "", ""];
let removeAll = () => {};
/** What every test begins with, made once: three charges, a backup of them and four films, all plain. */
const prepared = temporaryDataDir();

beforeAll(async () => {
  const db = await openStore(prepared.dataDir);
  await charge(db, 3);
  await makeBackup(db, prepared.dataDir, at);
  await db.destroy();
  for (const film of films) await saveFilmFile(prepared.dataDir, imageOf(film), film);
});
afterAll(() => prepared.remove());
beforeEach(() => {
  const [data, keys] = [temporaryDataDir(), temporaryDataDir()];
  ({ dataDir } = data);
  keysDir = keys.dataDir;
  folder = path.join(keysDir, "other-disk");
  mkdirSync(folder);
  removeAll = () => [data, keys].forEach(({ remove }) => remove());
  vi.stubEnv("CORVET_KEYS_DIR", keysDir);
  cpSync(prepared.dataDir, dataDir, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  removeAll();
});

async function charge(db: WritableDb, calls: number): Promise<void> {
  const accountId = (await ensureAccount(db, { name: marker, at })).id;
  for (let call = 0; call < calls; call += 1)
    await recordBillableMeasurement(db, meteredCall({ accountId, at }), (fault) => expect.unreachable(fault.message));
}

async function plan(isWanted: boolean): Promise<string | null> {
  const db = await openStore(dataDir, { setAside: false });
  try {
    const recoveryKey = isWanted ? (offerRecoveryKey(db, dataDir)?.recoveryKey ?? null) : null;
    await planEncryption(db, dataDir, isWanted, recoveryKey);
    return recoveryKey;
  } finally {
    await db.destroy();
  }
}

async function turn(isWanted: boolean): Promise<string | null> {
  const recoveryKey = await plan(isWanted);
  convertStore(dataDir);
  expect(await convertFiles(dataDir)).toEqual([]);
  return recoveryKey;
}

/** Everything is there and verifies; `isEncrypted`: and the disk shows none of it. */
async function expectWhole(isEncrypted: boolean): Promise<void> {
  const db = await openStore(dataDir, { create: false, setAside: false });
  expect(sqliteFileOf(db).prepare("SELECT count(*) FROM ledger").pluck().get()).toBe(3);
  await db.destroy();
  expect(await verifyInThread(dataDir)).toMatchObject({ fault: null, rows: 3, seals: expect.any(Number) as number });
  for (const film of films) expect(await readFilmFile(dataDir, imageOf(film))).toEqual(film);
  expect(findNewestGoodBackup(dataDir)?.name).toBe(listBackups(dataDir)[0]?.name);
  const shown = filesOf(dataDir).filter((file) => readFileSync(file).includes(marker));
  expect(shown.length > 0).toBe(!isEncrypted);
  expect(getEncryption(dataDir)).toMatchObject({ isEncrypted, isWanted: isEncrypted, isDone: true, plainCopies: [] });
  expect(existsSync(placeOfKey(dataDir))).toBe(isEncrypted);
}

function command(name: string, args: readonly string[], input = "") {
  const file = fileURLToPath(new URL("../../../../main/commands/corvet.ts", import.meta.url));
  return spawnSync(process.execPath, [file, name, ...args, "--data-dir", dataDir], { encoding: "utf8", input });
}

function filesOf(where: string): string[] {
  return readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

describe("an encrypted data directory", () => {
  it("leaves no plain text on the disk, works, and is decrypted without loss", async () => {
    const recoveryKey = await turn(true);
    expect(recoveryKey).toMatch(/^(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}$/);
    await expectWhole(true);
    expect(statSync(placeOfKey(dataDir)).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
    expect(placeOfKey(dataDir).startsWith(dataDir)).toBe(false);
    await turn(false);
    await expectWhole(false);
    expect(existsSync(encryptionNoteFile(dataDir))).toBe(false);
  });

  it("is backed up, checked and restored", async () => {
    await turn(true);
    const db = await openStore(dataDir);
    const { name, path: file } = await makeBackup(db, dataDir, new Date(at.getTime() + 1000));
    expect(await checkBackup(dataDir, file, null)).toMatchObject({ ledgerRows: 3 });
    await charge(db, 1);
    await db.destroy();
    await restoreBackup(dataDir, name, new Date());
    await expectWhole(true);
    await turn(false);
    await expectWhole(false);
  });

  it("refuses to open without its key and moves nothing", async () => {
    const recoveryKey = (await turn(true)) ?? "";
    rmSync(placeOfKey(dataDir));
    const before = readdirSync(dataDir);
    const open = () => command("ledger", ["verify"]);
    expect(open()).toMatchObject({ status: 1, stderr: expect.stringContaining("its key is not in") as string });
    expect(open().stderr).toContain(`npx corvet encryption unlock --data-dir "${dataDir}"`);
    const status = command("encryption", ["status"]).stdout;
    expect([status.includes("its key is not in"), status.includes("is kept in")]).toEqual([true, false]);
    mkdirSync(placeOfKey(dataDir));
    expect(open()).toMatchObject({ status: 1, stderr: expect.stringContaining("cannot be read. Allow") as string });
    expect(command("encryption", ["status"])).toMatchObject({ status: 0, stderr: "" });
    rmSync(placeOfKey(dataDir), { recursive: true });
    writeFileSync(placeOfKey(dataDir), recoveryKeyOf(makeStoreKey()));
    expect(open()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("belongs to another database") as string,
    });
    expect(readdirSync(dataDir)).toEqual(before);
    expect(command("encryption", ["unlock"], recoveryKeyOf(makeStoreKey()))).toMatchObject({ status: 1 });
    expect(command("encryption", ["unlock"], recoveryKey.toLowerCase())).toMatchObject({ status: 0 });
    expect(open()).toMatchObject({ status: 0, stderr: "" });
    await expectWhole(true);
  });

  it("is switched by the command, which prints the recovery key once", async () => {
    const turnedOn = command("encryption", ["on"], "yes\n");
    expect(turnedOn).toMatchObject({ status: 0, stderr: 'Type "yes" once it is written down: ' });
    expect(turnedOn.stdout).toMatch(/(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/);
    expect(command("encryption", ["on"]).stdout).not.toMatch(/Recovery key/);
    await expectWhole(true);
    expect(command("encryption", ["off"])).toMatchObject({ status: 0, stderr: "" });
    await expectWhole(false);
  });

  it("that is damaged is still found damaged, and not taken for a lost key", async () => {
    await turn(true);
    const bytes = readFileSync(storeFile(dataDir));
    bytes.fill(7, 4096, 12_000);
    writeFileSync(storeFile(dataDir), bytes);
    await expect(openStore(dataDir)).rejects.toThrow(expect.objectContaining({ code: "STORE_DAMAGED" }));
  });
});

describe("a key file that CORVET_STORE_KEY_FILE names", () => {
  let [file, other] = ["", ""];
  beforeEach(() => {
    file = path.join(folder, "shared.key");
    other = path.join(folder, "other");
    vi.stubEnv("CORVET_STORE_KEY_FILE", file);
  });

  it("stays when a copy of the data directory is decrypted, which names it", async () => {
    await turn(true);
    cpSync(dataDir, other, { recursive: true });
    const [first, key] = [dataDir, readFileSync(file, "utf8")];
    dataDir = other;
    const { status, stdout } = command("encryption", ["off"]);
    expect([status, stdout.includes("The store is plain."), stdout.includes(`A key stays in ${file}`)]).toEqual([
      0,
      true,
      true,
    ]);
    expect(readFileSync(file, "utf8")).toBe(key);
    dataDir = first;
    await expectWhole(true);
  });

  it("serves a second encryption and a second data directory, whose recovery key is the same", async () => {
    const recoveryKey = await turn(true);
    const [first, key] = [dataDir, readFileSync(file, "utf8")];
    cpSync(prepared.dataDir, other, { recursive: true });
    for (dataDir of [other, first]) {
      await turn(false);
      expect(await turn(true)).toBe(recoveryKey);
    }
    expect(readFileSync(file, "utf8")).toBe(key);
    for (dataDir of [other, first]) await expectWhole(true);
  });

  it.each(["recovery key of another", "no recovery key"])("is never overwritten: %s", async (content) => {
    const recoveryKey = (await turn(true)) ?? "";
    const present = content === "no recovery key" ? "words of the user\n" : recoveryKeyOf(makeStoreKey());
    writeFileSync(file, present);
    const refused = expect.objectContaining({ code: "STORE_LOCKED", message: expect.stringContaining(file) as string });
    expect(() => unlockStore(dataDir, recoveryKey)).toThrow(refused);
    expect(readFileSync(file, "utf8")).toBe(present);
  });
});

const cutOff = (file: string) => writeFileSync(file, readFileSync(file, "utf8").slice(0, 40));
const losses: readonly (readonly [string, (file: string) => void])[] = [
  ["deleted", (file) => rmSync(file)],
  ["cut off", cutOff],
];
const locked = expect.objectContaining({ code: "STORE_LOCKED" }) as Error;

describe.each(losses)("an encrypted data directory whose encryption.json is %s", (_how, lose) => {
  it("opens with the key that is here, and has the file again", async () => {
    await turn(true);
    lose(encryptionNoteFile(dataDir));
    await (await openStore(dataDir)).destroy();
    expect(await convertFiles(dataDir)).toEqual([]);
    await expectWhole(true);
  });

  it("is never set aside without its key, and opens by the recovery key", async () => {
    const recoveryKey = (await turn(true)) ?? "";
    lose(encryptionNoteFile(dataDir));
    const place = placeOfKey(dataDir);
    for (const key of [null, recoveryKeyOf(makeStoreKey())]) {
      if (key === null) rmSync(place);
      else writeFileSync(place, key);
      const before = readFileSync(storeFile(dataDir));
      for (const setAside of [true, false]) await expect(openStore(dataDir, { setAside })).rejects.toThrow(locked);
      const { status, stderr } = command("ledger", ["verify"]);
      expect([status, stderr.includes("either encrypted or damaged"), stderr.includes(place)]).toEqual([1, true, true]);
      expect(() => unlockStore(dataDir, recoveryKeyOf(makeStoreKey()))).toThrow(locked);
      expect(readFileSync(storeFile(dataDir)).equals(before)).toBe(true);
      expect([...listSetAside(dataDir)]).toEqual([]);
    }
    expect(command("encryption", ["unlock"], recoveryKey)).toMatchObject({ status: 0, stderr: "Recovery key: " });
    expect(await convertFiles(dataDir)).toEqual([]);
    await expectWhole(true);
  });

  it("loses nothing that is still in the write-ahead log", async () => {
    await turn(true);
    const db = await openStore(dataDir);
    await charge(db, 2);
    const copy = path.join(keysDir, "killed");
    cpSync(dataDir, copy, { recursive: true });
    await db.destroy();
    vi.stubEnv("CORVET_STORE_KEY_FILE", placeOfKey(dataDir));
    lose(encryptionNoteFile(copy));
    expect(statSync(`${storeFile(copy)}-wal`).size).toBeGreaterThan(0);
    const opened = await openStore(copy);
    expect(sqliteFileOf(opened).prepare("SELECT count(*) FROM ledger").pluck().get()).toBe(5);
    await opened.destroy();
  });

  it("is restored from an encrypted backup", async () => {
    await turn(true);
    lose(encryptionNoteFile(dataDir));
    await restoreBackup(dataDir, listBackups(dataDir)[0]?.name ?? "", new Date());
    expect(await convertFiles(dataDir)).toEqual([]);
    await expectWhole(true);
  });
});

describe.each(losses)("encryption.json is %s while the store is open", (_how, lose) => {
  it("seals what comes new all the same, backs it up, and makes no second key", async () => {
    await turn(true);
    const [key, note] = [readFileSync(placeOfKey(dataDir), "utf8"), readFileSync(encryptionNoteFile(dataDir), "utf8")];
    const db = await openStore(dataDir);
    lose(encryptionNoteFile(dataDir));
    const film = Buffer.concat([Buffer.from(marker), randomBytes(1000)]);
    await saveFilmFile(dataDir, imageOf(film), film);
    expect(readFileSync(encryptionNoteFile(dataDir), "utf8")).toBe(note);
    lose(encryptionNoteFile(dataDir));
    await makeBackup(db, dataDir, new Date(at.getTime() + 1000));
    lose(encryptionNoteFile(dataDir));
    expect(offerRecoveryKey(db, dataDir)).toBeNull();
    await db.destroy();
    expect(readFileSync(placeOfKey(dataDir), "utf8")).toBe(key);
    expect(await readFilmFile(dataDir, imageOf(film))).toEqual(film);
    await expectWhole(true);
  });
});

describe.each(losses)("a wish whose encryption.json is %s before the next start", (_how, lose) => {
  it.each([true, false])("is still fulfilled, encrypting: %s", async (isWanted) => {
    if (!isWanted) await turn(true);
    await plan(isWanted);
    lose(encryptionNoteFile(dataDir));
    await (await openStore(dataDir)).destroy();
    expect(await convertFiles(dataDir)).toEqual([]);
    await expectWhole(isWanted);
  });

  it("is not taken from a restored copy: the store keeps its form", async () => {
    await turn(true);
    await plan(false);
    const db = await openStore(dataDir, { setAside: false });
    const { name } = await makeBackup(db, dataDir, new Date(at.getTime() + 1000));
    await planEncryption(db, dataDir, true);
    await db.destroy();
    await scheduleRestore(dataDir, name);
    await (await openStore(dataDir)).destroy();
    lose(encryptionNoteFile(dataDir));
    await (await openStore(dataDir)).destroy();
    expect(getEncryption(dataDir)).toMatchObject({ isEncrypted: true, isWanted: true });
  });
});

describe("encryption.json is cut off beside a plain store", () => {
  it("names the remedy; the recovery key opens films that are still sealed", async () => {
    const recoveryKey = (await turn(true)) ?? "";
    await plan(false);
    convertStore(dataDir);
    cutOff(encryptionNoteFile(dataDir));
    rmSync(placeOfKey(dataDir));
    const { status, stderr } = command("ledger", ["verify"]);
    expect([status, stderr.includes("films may be"), stderr.includes("delete")]).toEqual([1, true, true]);
    expect(command("encryption", ["unlock"], recoveryKey)).toMatchObject({ status: 0 });
    await (await openStore(dataDir)).destroy();
    expect(await convertFiles(dataDir)).toEqual([]);
    await expectWhole(false);
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
  ])("is reported as damaged and moved after noise overwrote %s", async (_what, end) => {
    overwrite(0, end, noise);
    await expect(openStore(dataDir)).rejects.toThrow(expect.objectContaining({ code: "STORE_DAMAGED" }));
    expect(listSetAside(dataDir)).toHaveLength(1);
  });

  it("opens once an encryption.json that cannot be read is deleted", async () => {
    writeFileSync(encryptionNoteFile(dataDir), "{}");
    await expect(openStore(dataDir)).rejects.toThrow(locked);
    rmSync(encryptionNoteFile(dataDir));
    await expectWhole(false);
  });

  it("stays, with both explanations, if it cannot be distinguished from an encrypted one", async () => {
    overwrite(0, undefined, noise);
    await expect(openStore(dataDir)).rejects.toThrow(
      expect.objectContaining({ code: "STORE_LOCKED", message: expect.stringContaining("restore a backup") as string }),
    );
    expect(listSetAside(dataDir)).toEqual([]);
    await restoreBackup(dataDir, listBackups(dataDir)[0]?.name ?? "", new Date());
    await expectWhole(false);
  });
});

describe("a copy of an encrypted store in another folder", () => {
  const archive = async (passphrase: string | null) => {
    const db = await openStore(dataDir);
    const backup = await makeBackup(db, dataDir, new Date(at.getTime() + 1000));
    await db.destroy();
    const key = passphrase === null ? null : makeBackupKey(passphrase);
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
    ["by its pass phrase alone where it is encrypted", "a pass phrase"],
    ["by the recovery key where it is a plain archive", null],
  ])("is restored on another computer %s", async (_how, passphrase) => {
    const recoveryKey = await turn(true);
    const { path: file } = await archive(passphrase);
    rmSync(dataDir, { recursive: true });
    rmSync(placeOfKey(dataDir));
    mkdirSync(dataDir);
    expect(readFileSync(file).includes(marker)).toBe(false);
    await expect(scheduleArchive(dataDir, file, passphrase && "another one")).rejects.toMatchObject({
      code: "BACKUP_LOCKED",
    });
    expect(await checkBackup(dataDir, file, passphrase ?? recoveryKey)).toMatchObject({ films: films.length });
    await scheduleArchive(dataDir, file, passphrase ?? recoveryKey);
    completeScheduledRestore(dataDir, new Date());
    const db = await openStore(dataDir);
    expect(sqliteFileOf(db).prepare("SELECT count(*) FROM ledger").pluck().get()).toBe(3);
    await db.destroy();
    for (const film of films) expect(await readFilmFile(dataDir, imageOf(film))).toEqual(film);
  });
});

const program = fileURLToPath(new URL("switching-process.ts", import.meta.url));
const kills: readonly (readonly [ConversionStep, number])[] = [
  ["copied", 1],
  ["noted", 1],
  ["replaced", 1],
  ["stored", 1],
  ["film", 2],
  ["copies", 1],
];

describe("a kill -9 in the middle of a switch", () => {
  it.each(kills.flatMap(([step, times]) => [true, false].map((isOn) => [step, times, isOn] as const)))(
    "after %s (%i) loses nothing, encrypting: %s",
    async (step, times, isOn) => {
      if (!isOn) await turn(true);
      await plan(isOn);
      const killed = spawnSync(process.execPath, [program, dataDir, step, String(times)], { encoding: "utf8" });
      expect([killed.signal, killed.stderr]).toEqual(["SIGKILL", ""]);
      // A command beside the program opens whichever of the two counts, and writes to it.
      await (await openStore(dataDir, { create: false, setAside: false })).destroy();
      convertStore(dataDir);
      expect(await convertFiles(dataDir)).toEqual([]);
      await expectWhole(isOn);
    },
  );
});

it("a recovery key is read however it was typed, and a slip of the pen is found", () => {
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
