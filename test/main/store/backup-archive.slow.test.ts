// Runs once: tests copies of the SQLite file.
import { createHash, randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { listArchives, unpackArchive, writeArchive } from "../../../main/store/backups/backup-archive.ts";
import {
  makeBackupKey,
  readBackupKey,
  writeBackupKey,
  type BackupKey,
} from "../../../main/store/backups/backup-cipher.ts";
import { backupsKept, findNewestGoodBackup, listBackups, makeBackup } from "../../../main/store/backups/backups.ts";
import { checkBackup } from "../../../main/store/backups/check-backup.ts";
import { makeStoreKey } from "../../../main/store/encryption/store-key.ts";
import { backupsDir, fileStamp } from "../../../main/store/files/store-files.ts";
import { weakKey } from "./weak-key.ts";
import { chargeCalls } from "./record-billable-measurement.ts";
import { useStore } from "../../fixtures/use-store.ts";

const store = useStore();
let folder = "";
let filmsDir = "";
/** Larger than one frame of the cipher. */
const film = randomBytes(2_500_000);
const filmName = createHash("sha256").update(film).digest("hex");
const at = new Date("2026-11-10T09:00:00Z");
const machine = { id: "0aa6ed0b-7d4f-4c7e-9d06-0a54ad6eb1a5", name: "Empfang 1" };

beforeEach(async () => {
  folder = path.join(store.dataDir, "other-disk");
  filmsDir = path.join(store.dataDir, "films");
  mkdirSync(folder);
  mkdirSync(filmsDir);
  writeFileSync(path.join(filmsDir, filmName), film);
  writeFileSync(path.join(filmsDir, "unfinished-1"), "half");
  await chargeCalls(store.db, 3);
});

async function archive(key: BackupKey | null, withFilms = true) {
  const backup = await makeBackup(store.db, store.dataDir, at);
  return writeArchive({ machine, backup, folder, filmsDir: withFilms ? filmsDir : null, key, storeKey: null });
}

const check = (file: string, passphrase: string | null) => checkBackup(store.dataDir, file, passphrase);

describe("an archive in the user's folder", () => {
  it.each([
    ["", null, true, 1],
    [" without films", null, false, 0],
  ])("passes the check as a plain file%s", async (_what, key, withFilms, films) => {
    const { path: file, name } = await archive(key, withFilms);
    expect(await check(file, null)).toEqual({ ledgerRows: 3, values: 3, films });
    expect([readdirSync(folder), listArchives(folder, machine).map((found) => found.name)]).toEqual([[name], [name]]);
    expect(readdirSync(store.dataDir).filter((left) => left.startsWith("."))).toEqual([]);
  });

  it("contains no plain text if encrypted, and opens with its passphrase only", async () => {
    const key = readBackupKey(writeBackupKey(makeBackupKey("Zoë")));
    const { path: file } = await archive(key);
    expect(readFileSync(file).includes("SQLite format")).toBe(false);
    await expect(check(file, null)).rejects.toMatchObject({ code: "BACKUP_LOCKED" });
    await expect(check(file, "zoe")).rejects.toMatchObject({ code: "BACKUP_LOCKED" });
    expect(await check(file, "Zoe\u0308")).toEqual({ ledgerRows: 3, values: 3, films: 1 });
  });

  it("does not open after it was truncated or one bit was changed", async () => {
    const spoilt = { code: expect.stringMatching(/^BACKUP_(LOCKED|DAMAGED)$/) as string };
    const { path: plain } = await archive(null);
    truncateSync(plain, statSync(plain).size - 1_000_000);
    await expect(check(plain, null)).rejects.toMatchObject(spoilt);
    const { path: encrypted } = await archive(weakKey("x"));
    const whole = readFileSync(encrypted);
    const betweenFrames = whole.subarray(0, 1_200_000);
    for (const bytes of [betweenFrames, flipped(whole, 1_800_000), flipped(whole, 30)]) {
      writeFileSync(encrypted, bytes);
      await expect(check(encrypted, "x")).rejects.toMatchObject(spoilt);
    }
  });

  it("is reported as damaged if bytes of its compressed store were changed", async () => {
    const { path: file } = await archive(null, false);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(255, 500, bytes.length - 500));
    await expect(check(file, null)).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
  });

  it("is reported as damaged if a film does not match its name", async () => {
    writeFileSync(path.join(filmsDir, filmName), "another film");
    const { path: file } = await archive(null);
    await expect(check(file, null)).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
  });

  it("is reported as damaged after a bit of another frame or a thumbnail was changed", async () => {
    const contents = [randomBytes(5000), randomBytes(5000)];
    for (const [index, name] of ["frame-1", "thumbnail.jpg"].entries())
      writeFileSync(path.join(filmsDir, `${filmName}.${name}`), contents[index]!);
    const { path: file } = await archive(null);
    expect(await check(file, null)).toMatchObject({ films: 3 });
    const bytes = readFileSync(file);
    for (const content of contents) {
      writeFileSync(file, flipped(bytes, bytes.indexOf(content) + 2000));
      await expect(check(file, null)).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
    }
  });

  it("is not created if a film disappears during the copy, while the program continues", async () => {
    const backup = await makeBackup(store.db, store.dataDir, at);
    const writing = writeArchive({ machine, backup, folder, filmsDir, key: null, storeKey: null });
    rmSync(path.join(filmsDir, filmName));
    await expect(writing).rejects.toMatchObject({ code: "ENOENT" });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("unpacks into a data directory, with the store's key only if it contains one", async () => {
    const { path: file } = await archive(weakKey("x"));
    const into = path.join(store.dataDir, "elsewhere");
    mkdirSync(into);
    expect(await unpackArchive(file, into, "x")).toEqual({ films: [filmName], storeKey: null });
    const withKey = {
      machine,
      backup: listBackups(store.dataDir)[0]!,
      folder,
      filmsDir: null,
      key: weakKey("x"),
    };
    const storeKey = makeStoreKey();
    const { path: other } = await writeArchive({ ...withKey, storeKey });
    expect(await unpackArchive(other, into, "x")).toEqual({ films: [], storeKey });
    expect([readdirSync(into).sort(), readFileSync(path.join(into, "films", filmName)).equals(film)]).toEqual([
      ["corvet.db", "films"],
      true,
    ]);
  });

  it("leaves no file if it is stopped", async () => {
    const backup = await makeBackup(store.db, store.dataDir, at);
    const make = (signal: AbortSignal) =>
      writeArchive({ machine, backup, folder, filmsDir, key: null, storeKey: null, signal });
    await expect(make(AbortSignal.abort())).rejects.toMatchObject({ code: "ABORTED" });
    const stopping = new AbortController();
    const making = make(stopping.signal);
    const watched = watch(folder, () => stopping.abort());
    await expect(making).rejects.toMatchObject({ code: "ABORTED" });
    watched.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("replaces old unfinished archives of its workstation, and no other file", async () => {
    const other = "Labor-b3b1c0de";
    const left = (owner: string) => `corvet-20261001T000000000Z-${owner}.zip.unfinished`;
    const younger = "corvet-20261002T000000000Z-Empfang_1-0aa6ed0b.corvet.unfinished";
    const kept = [left(other), younger, "photos.zip.unfinished"];
    for (const name of [left("Empfang_1-0aa6ed0b"), ...kept]) writeFileSync(path.join(folder, name), "half");
    for (const name of readdirSync(folder)) if (name !== younger) utimesSync(path.join(folder, name), 0, 0);
    const { name } = await archive(null);
    expect(readdirSync(folder).sort()).toEqual([name, ...kept].sort());
  });

  it("is refused while the folder is missing, which it does not create", async () => {
    rmSync(folder, { recursive: true });
    await expect(archive(null)).rejects.toMatchObject({ code: "BACKUP_FAILED" });
    expect(existsSync(folder)).toBe(false);
  });

  it("does not count or delete archives of other workstations in the same folder", async () => {
    const other = { id: "b3b1c0de-3f4e-4d52-8a7c-55a3c0b0b9f1", name: "Labor" };
    const backup = await makeBackup(store.db, store.dataDir, at);
    const make = (by: typeof machine, day: number) =>
      writeArchive({
        machine: by,
        backup: { ...backup, atMs: Date.UTC(2026, 9, day) },
        folder,
        filmsDir: null,
        key: null,
        storeKey: null,
      });
    writeFileSync(path.join(folder, "corvet-20260901T000000000Z.zip"), "of no workstation");
    await make(other, 1);
    for (let day = 2; day <= backupsKept + 2; day += 1) await make(machine, day);
    const archives = listArchives(folder, machine);
    expect(archives.filter(({ isOwn }) => !isOwn).map((archive) => archive.machine)).toEqual(["Labor"]);
    expect(archives.filter(({ isOwn }) => isOwn).map((archive) => archive.machine)).toEqual(
      Array.from({ length: backupsKept }, () => "Empfang_1"),
    );
    expect(readdirSync(folder)).toContain("corvet-20260901T000000000Z.zip");
    expect(archives[0]?.name).toBe("corvet-20261016T000000000Z-Empfang_1-0aa6ed0b.zip");
  });

  it("is reported as not found if it is missing", async () => {
    await expect(check(path.join(folder, "none.zip"), null)).rejects.toMatchObject({ code: "BACKUP_NOT_FOUND" });
  });
});

describe("a backup dated in the future", () => {
  it("neither counts as the newest nor displaces current ones", async () => {
    const future = await makeBackup(store.db, store.dataDir, new Date("2126-01-01T00:00:00Z"));
    const dayOf = (day: number) => new Date(Date.UTC(2026, 9, day));
    for (let day = 1; day <= backupsKept; day += 1)
      copyFileSync(future.path, path.join(backupsDir(store.dataDir), `corvet-${fileStamp(dayOf(day))}.db`));
    await makeBackup(store.db, store.dataDir, dayOf(backupsKept + 1));
    const names = readdirSync(backupsDir(store.dataDir));
    expect([names.length, names.includes(future.name), listBackups(store.dataDir)[0]?.name]).toEqual([
      backupsKept + 1,
      true,
      future.name,
    ]);
    // Of the others, the newest 14 are kept.
    expect(listBackups(store.dataDir).at(-1)?.atMs).toBe(Date.UTC(2026, 9, 2));
    expect(findNewestGoodBackup(store.dataDir, { now: new Date(Date.UTC(2026, 10, 1)) })?.atMs).toBe(
      Date.UTC(2026, 9, 15),
    );
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const spoilt = Buffer.from(bytes);
  spoilt[at] = (spoilt[at] ?? 0) ^ 1;
  return spoilt;
}
