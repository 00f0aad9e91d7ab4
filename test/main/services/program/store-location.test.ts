// Runs once: opens PostgreSQL or both engines directly.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import {
  chooseDatabase,
  chosenDatabase,
  databaseOf,
  inFile,
  isDatabaseAway,
  openStoreOf,
} from "../../../../main/services/program/store-location.ts";
import { getDesktopSettings, machineSettings } from "../../../../main/services/desktop/desktop-settings.ts";
import { recordAudit } from "../../../../main/store/audit/audit-events.ts";
import { openStore } from "../../../../main/store/database.ts";
import { engineOf } from "../../../../main/store/engines/engine.ts";
import { saveWatchedOutcome, watchedOutcome } from "../../../../main/store/films/watched-files.ts";
import { readNotedHead } from "../../../../main/store/ledger/record-anchor.ts";
import { machineOf } from "../../../../main/store/machines/machine.ts";
import { getSetting, hostNamesSetting, recordNotedSetting, saveSetting } from "../../../../main/store/settings.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../../../fixtures/postgres/temporary-database.ts";
import { folderForEach } from "../../../fixtures/folders.ts";

const url = "postgres://vet:secret@db.clinic.example/practice";
const listed = { path: "/films/rex.dcm", sizeBytes: 10, changedAtMs: 1 };
const sealer = {
  seal: (plain: string) => Buffer.from(plain).reverse(),
  open: (sealed: Buffer) => Buffer.from(sealed).reverse().toString(),
};

const dataDir = folderForEach();
beforeEach(() => {
  vi.stubEnv("CORVET_DATABASE_URL", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the location of a store", () => {
  it("can be unavailable only if a database is configured, even with an invalid address", () => {
    const refused = new AppError("STORE_UNAVAILABLE");
    expect(isDatabaseAway(refused, dataDir(), {})).toBe(false);
    expect(isDatabaseAway(refused, dataDir(), { database: url })).toBe(true);
    expect(isDatabaseAway(refused, dataDir(), { database: "no address" })).toBe(true);
    chooseDatabase(dataDir(), url, null);
    expect(isDatabaseAway(refused, dataDir(), {})).toBe(true);
    expect(isDatabaseAway(refused, dataDir(), { database: inFile })).toBe(false);
    expect(isDatabaseAway(new AppError("INTERNAL"), dataDir(), {})).toBe(false);
  });

  it("is unknown if database.json cannot be read, and does not fall back to the file", () => {
    chooseDatabase(dataDir(), url, null);
    writeFileSync(path.join(dataDir(), "database.json"), "{");
    const refused = expect.objectContaining({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("database.json"),
    });
    expect(() => databaseOf(dataDir())).toThrow(refused);
    expect(isDatabaseAway(new AppError("STORE_UNAVAILABLE"), dataDir(), {})).toBe(true);
    expect(databaseOf(dataDir(), { database: url })).toBe(url);
    expect(databaseOf(dataDir(), { database: inFile })).toBeNull();
  });

  it("is a file unless settings, environment or command line specify a database", () => {
    expect(databaseOf(dataDir())).toBeNull();
    chooseDatabase(dataDir(), url, null);
    expect(databaseOf(dataDir())).toBe(url);
    vi.stubEnv("CORVET_DATABASE_URL", "postgres:///environment");
    expect(databaseOf(dataDir())).toBe("postgres:///environment");
    expect(databaseOf(dataDir(), { database: "postgres:///argument" })).toBe("postgres:///argument");
    expect(databaseOf(dataDir(), { database: "file" })).toBeNull();
  });

  it("is shown without user and password, and only the user can read its address", () => {
    chooseDatabase(dataDir(), url, null);
    expect(chosenDatabase(dataDir())).toBe("postgres://db.clinic.example:5432/practice");
    for (const name of ["secrets.json", "database.json"])
      expect(statSync(path.join(dataDir(), name)).mode & 0o077).toBe(0);
    chooseDatabase(dataDir(), null, null);
    expect([chosenDatabase(dataDir()), databaseOf(dataDir())]).toEqual([null, null]);
  });

  it("does not fall back to the file if its address can be decrypted only by the operating system", () => {
    chooseDatabase(dataDir(), url, sealer);
    expect(databaseOf(dataDir(), { sealer })).toBe(url);
    expect(() => databaseOf(dataDir())).toThrow(/db\.clinic\.example.*CORVET_DATABASE_URL/);
  });
});

describe("a workstation", () => {
  it("keeps its id, unless its data directory was copied to a computer with another name", () => {
    const { id } = machineOf(dataDir(), "reception");
    expect(machineOf(dataDir(), "reception").id).toBe(id);
    expect(machineOf(dataDir(), "surgery").id).not.toBe(id);
  });

  it("keeps its id in another network that changes the domain of its name", () => {
    const { id } = machineOf(dataDir(), "Annas-MacBook.local");
    for (const name of ["Annas-MacBook.fritz.box", "Annas-MacBook", "Annas-MacBook.local"])
      expect(machineOf(dataDir(), name).id).toBe(id);
    const address = machineOf(dataDir(), "192.168.1.5");
    expect(machineOf(dataDir(), "192.168.1.6").id).not.toBe(address.id);
  });
});

describe.runIf(hasPostgres)("a store in a database", () => {
  let database: TemporaryDatabase;
  beforeEach(async () => void (database = await temporaryDatabase()));
  afterEach(() => database.remove());
  const open = () => openStoreOf(dataDir(), { database: database.url });

  it("is opened with the settings of the workstation", async () => {
    const db = await open();
    expect(engineOf(db).machineId).toBe(machineOf(dataDir()).id);
    await saveSetting(db, hostNamesSetting, ["reception.clinic.example"]);
    await db.destroy();
    await using again = await open();
    expect(await getSetting(again, hostNamesSetting)).toEqual(["reception.clinic.example"]);
  });

  it("copies the workstation's own settings and the state of watched files once from the file store", async () => {
    const file = await openStore(dataDir());
    await saveSetting(file, hostNamesSetting, ["reception.clinic.example"]);
    await saveSetting(file, machineSettings, { theme: "light", clinicName: "Of the file" });
    await saveSetting(file, recordNotedSetting, true);
    await saveWatchedOutcome(file, listed, { outcome: "opened", filmIds: [], atMs: 1 });
    await file.destroy();
    const before = readFileSync(path.join(dataDir(), "corvet.db"));
    const db = await open();
    expect(await getSetting(db, hostNamesSetting)).toEqual(["reception.clinic.example"]);
    expect(await getDesktopSettings(db)).toMatchObject({ theme: "light", clinicName: "" });
    expect(await getSetting(db, recordNotedSetting)).toBe(false);
    expect(await watchedOutcome(db, listed)).toBe("opened");
    expect(readFileSync(path.join(dataDir(), "corvet.db"))).toEqual(before);
    await saveSetting(db, hostNamesSetting, []);
    await db.destroy();
    await using again = await open();
    expect(await getSetting(again, hostNamesSetting)).toEqual([]);
  });

  it("keeps its stored head under another address of the same database", async () => {
    const other = await temporaryDatabase();
    onTestFinished(() => other.remove());
    const notedAt = async (url: string) => {
      await using db = await openStoreOf(dataDir(), { database: url });
      const noted = readNotedHead(db);
      await recordAudit(db, { action: "key.created", subject: "clinic" });
      return noted?.sealSeq;
    };
    // All addresses refer to the same socket folder.
    const addresses = [database.url, `${database.url}/`, database.url, `${database.url}//`];
    const noted: unknown[] = [];
    for (const address of [...addresses, other.url]) noted.push(await notedAt(address));
    expect(noted).toEqual([undefined, 1, 1, 3, undefined]);
  });

  it("opens next to an unreadable file", async () => {
    writeFileSync(path.join(dataDir(), "corvet.db"), "no database");
    await using db = await open();
    expect(await getSetting(db, hostNamesSetting)).toEqual([]);
  });
});
