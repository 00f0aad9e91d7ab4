// Runs once: opens PostgreSQL or both engines directly.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { Client } from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openSource, openTarget } from "../../../../main/commands/running/copied-stores.ts";
import { lockDataDir } from "../../../../main/instance-lock.ts";
import { copyFilmImages } from "../../../../main/services/desktop/copy-film-images.ts";
import { convertFiles } from "../../../../main/services/program/encryption/convert-files.ts";
import { getEncryption, planEncryption } from "../../../../main/services/program/encryption/encryption.ts";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { copyStore } from "../../../../main/store/copying/copy-store.ts";
import { copyWorkstationData } from "../../../../main/store/copying/copy-workstation-data.ts";
import { readGivenNumbers } from "../../../../main/store/copying/given-numbers.ts";
import { openStore, type WritableDb } from "../../../../main/store/database.ts";
import { isPlainFile } from "../../../../main/store/encryption/database-file.ts";
import { isSealed } from "../../../../main/store/encryption/sealed-file.ts";
import { makeStoreKey, recoveryKeyOf } from "../../../../main/store/encryption/store-key.ts";
import { convertStore } from "../../../../main/store/encryption/convert-store.ts";
import { openPostgresStore } from "../../../../main/store/engines/postgres/open-postgres-store.ts";
import { filmsForOutbox } from "../../../../main/store/films/watched-files.ts";
import { appendCharge } from "../../../../main/store/ledger/ledger.ts";
import { verifyLedger } from "../../../fixtures/verify-ledger.ts";
import { readAnchor } from "../../../../main/store/ledger/record-anchor.ts";
import { filmsDir, storeFile } from "../../../../main/store/files/store-files.ts";
import { waitUntil } from "../../../fixtures/patience.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../../../fixtures/postgres/temporary-database.ts";
import { rawly, tamper } from "../../../fixtures/raw-store.ts";
import { contentOfStore, fillFilmFiles, fillStore, imagesOfStore } from "./full-store.ts";
import { folderForEach, folderForFile } from "../../../fixtures/folders.ts";

const at = new Date("2026-11-11T09:00:00Z");
const program = path.join(import.meta.dirname, "copying-process.ts");
let [from, to] = ["", ""];
let database: TemporaryDatabase;

describe.runIf(hasPostgres)("the copy of a store", () => {
  const filled = folderForFile();
  const folder = folderForEach();
  beforeAll(async () => {
    await inStore(filled, fillStore);
    await fillFilmFiles(filled);
  });
  beforeEach(async () => {
    [from, to] = [path.join(folder(), "from"), path.join(folder(), "to")];
    vi.stubEnv("CORVET_KEYS_DIR", path.join(folder(), "keys"));
    cpSync(filled, from, { recursive: true });
    database = await temporaryDatabase();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await database.remove();
  });

  it("copies all rows and images to PostgreSQL and back, and reports missing and damaged images", async () => {
    const there = await copy(from, database.url, { pageRows: smallPages });
    const back = await copy(database.url, to, { pageRows: smallPages });
    const [content, numbers] = await inStore(from, (db) => contentAndNumbers(db));
    const [missing, damaged] = [[expect.stringMatching(/\/0\/thumbnail$/)], [expect.stringMatching(/\/0\/original$/)]];
    const images = { images: 19, missing, damaged };
    expect([there, back]).toMatchObject([{ images }, { images }]);
    const digests = await imagesIn(from);
    expect(digests.filter((image) => image !== null)).toHaveLength(20);
    expect([await imagesIn(database.url), await imagesIn(to)]).toEqual([digests, digests]);
    expect([there.rows, back.rows]).toEqual(Array(2).fill(Object.values(content).flat().length));
    expect(Object.keys(content).filter((table) => content[table]?.length === 0)).toEqual(["erasing"]);
    expect(numbers).toMatchObject({ ledger: 13, measurements: 99 });
    for (const place of [database.url, to])
      await inStore(place, async (db) => {
        expect(await contentAndNumbers(db)).toEqual([content, numbers]);
        await writeOn(db);
        expect(await verifyLedger(db)).toMatchObject({ isIntact: true, rows: 14 });
      });
    expect(readAnchor(to)).toMatchObject({ ledgerSeq: 14 });
  });

  it("assigns results of watched films to the joining workstation, and back to a file", async () => {
    await copy(from, database.url);
    const db = await openPostgresStore(database.url, { machineId: "reception" });
    const films = db.selectFrom("watchedFilms").select("filmId").where("machineId", "=", "reception");
    expect(await films.execute()).toEqual([]);
    await copyWorkstationData(db, from);
    expect(await films.execute()).toHaveLength(3);
    const pending = { decidedSinceMs: 0, otherFilmsSinceMs: null };
    const waiting = await filmsForOutbox(db, pending);
    await db.destroy();
    await copy(database.url, to);
    expect(await inStore(to, (there) => filmsForOutbox(there, pending))).toEqual(waiting);
  });

  it("refuses to join a database while the workstation's data cannot be read, and copies it later", async () => {
    await copy(from, database.url);
    const db = await openPostgresStore(database.url, { machineId: "reception" });
    const films = db.selectFrom("watchedFilms").select("filmId").where("machineId", "=", "reception");
    const [file, aside] = [storeFile(from), `${storeFile(from)}.aside`];
    renameSync(file, aside);
    mkdirSync(file);
    const unreadable = { code: expect.stringMatching(/^SQLITE_(?:CANTOPEN|IOERR)/) as string };
    await expect(copyWorkstationData(db, from)).rejects.toThrow(expect.objectContaining(unreadable));
    rmdirSync(file);
    writeFileSync(file, "damaged".repeat(1000));
    await copyWorkstationData(db, from);
    renameSync(aside, file);
    await copyWorkstationData(db, from);
    expect(await films.execute()).toHaveLength(3);
    await db.destroy();
  });

  it("reports an image that differs in the copy", async () => {
    await inStore(database.url, (db) =>
      rawly(
        db,
        `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.bytes = 'x'; RETURN NEW; END $$;
         CREATE TRIGGER spoilt BEFORE INSERT ON film_images FOR EACH ROW WHEN (NEW.image = 'rectified') EXECUTE FUNCTION spoil()`,
      ),
    );
    await expect(copy(from, database.url)).rejects.toThrow(/differs from its source: film_images\/\w+\/0\/rectified/);
    await expect(openPostgresStore(database.url)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("resumes after a kill, and creates no usable store before it is complete", async () => {
    await killed(from, database.url, [3, 60]);
    await expect(openPostgresStore(database.url)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await copy(from, database.url);
    await killed(database.url, to, [50]);
    expect(existsSync(storeFile(to))).toBe(false);
    await copy(database.url, to);
    const content = await inStore(from, contentOfStore);
    expect([await inStore(database.url, contentOfStore), await inStore(to, contentOfStore)]).toEqual([
      content,
      content,
    ]);
    const images = await imagesIn(from);
    expect([await imagesIn(database.url), await imagesIn(to)]).toEqual([images, images]);
  });

  it("reports a difference in a resumed copy", async () => {
    await interrupted(from, database.url, 60);
    await inUnfinished((db) => tamper(db, `UPDATE settings SET value = '1' WHERE key LIKE '% 2'`));
    await expect(copy(from, database.url)).rejects.toThrow(/settings\/.* 2 differs in value\. /s);
    await inUnfinished((db) => tamper(db, "DELETE FROM people WHERE id = '0-person'"));
    await expect(copy(from, database.url)).rejects.toThrow("the rows differ from people/0-person on");
  });

  it.each([
    ["a measurement", "UPDATE measurements SET vhs = 9 WHERE id = 2", "measurements/2"],
    ["a charge", "UPDATE ledger SET amount_cents = 1 WHERE seq = 2", "2"],
  ])("reports %s that was tampered with in the source, and copies nothing", async (_what, statement, name) => {
    await inStore(from, (db) => tamper(db, statement));
    await expect(copy(from, database.url)).rejects.toThrow(new RegExp(`^${from}: .*${name}`));
    expect(await inStore(database.url, (db) => rawly(db, "SELECT * FROM accounts"))).toEqual([]);
  });

  it("refuses a target with other content", async () => {
    await inStore(database.url, (db) => ensureAccount(db, { name: "Clinic", at }));
    await expect(copy(from, database.url)).rejects.toThrow("is not empty: there are rows in accounts");
    await inStore(to, () => Promise.resolve());
    await expect(copy(from, to)).rejects.toThrow(`There is a store in ${to} already`);
  });

  it("refuses to resume a copy of another store or another state", async () => {
    await interrupted(from, database.url, 20);
    await inStore(to, (db) => ensureAccount(db, { name: "Clinic", at }));
    await expect(copy(to, database.url)).rejects.toThrow(`unfinished copy of ${from}.`);
    await inStore(from, writeOn);
    await expect(copy(from, database.url)).rejects.toThrow(`unfinished copy of ${from} as it was earlier`);
  });

  it("reports a row that the target refuses", async () => {
    const trigger = "broken BEFORE INSERT ON patients FOR EACH ROW WHEN (NEW.id = '14-patient')";
    await inStore(database.url, (db) => rawly(db, `CREATE TRIGGER ${trigger} EXECUTE FUNCTION refuse('not this one')`));
    await expect(copy(from, database.url)).rejects.toThrow("The target refuses patients/14-patient: not this one");
    await inUnfinished((db) => rawly(db, "DROP TRIGGER broken ON patients"));
    await copy(from, database.url);
  });

  it("reports a text that PostgreSQL cannot store", async () => {
    await inStore(from, (db) => ensureAccount(db, { name: "with\0zero", at }));
    await expect(copy(from, database.url)).rejects.toThrow(/refuses accounts\/.*U\+0000/);
  });

  it("refuses a store that a program uses, but waits for one that is ending", async () => {
    const lock = lockDataDir(from);
    await expect(copy(from, database.url)).rejects.toMatchObject({ code: "STORE_BUSY" });
    lock.release();
    const running = await openPostgresStore(database.url);
    await rawly(running, "SELECT 1");
    await expect(openTarget(database.url)).rejects.toMatchObject({ code: "STORE_BUSY" });
    const [target] = await Promise.all([openTarget(database.url), running.destroy()]);
    await target.close();
    await expect(copy(path.join(folder(), "none"), database.url)).rejects.toMatchObject({ code: "STORE_NOT_FOUND" });
    const source = await openSource(from);
    expect(() => lockDataDir(from)).toThrow("already running");
    await source.close();
    lockDataDir(from).release();
  });

  it("copies from and to encrypted data directories", async () => {
    for (const dataDir of [from, to]) {
      await inStore(dataDir, (db) => planEncryption(db, dataDir, true, recoveryKeyOf(makeStoreKey())));
      convertStore(dataDir);
    }
    expect(await convertFiles(from)).toEqual([]);
    await copy(from, database.url);
    const [content, images] = [await inStore(from, contentOfStore), await imagesIn(from)];
    expect([await inStore(database.url, contentOfStore), await imagesIn(database.url)]).toEqual([content, images]);
    mkdirSync(path.join(folder(), "old"));
    renameSync(storeFile(to), path.join(folder(), "old", "corvet.db"));
    await copy(database.url, to);
    expect([await inStore(to, contentOfStore), isPlainFile(storeFile(to))]).toEqual([content, false]);
    expect(await imagesIn(to)).toEqual(images);
    const files = readdirSync(filmsDir(to)).map((name) => isSealed(readFileSync(path.join(filmsDir(to), name))));
    expect(files).toEqual(Array(19).fill(true));
    expect(getEncryption(to)).toMatchObject({ isEncrypted: true });
  });
});

type Paging = { readonly pageRows?: number; readonly onProgress?: () => void };

/** Smaller than the tables. */
const smallPages = 5;

async function copy(one: string, other: string, { onProgress = () => undefined, ...paging }: Paging = {}) {
  await disconnected();
  const source = await openSource(one);
  try {
    const target = await openTarget(other);
    try {
      let images = {};
      const copyImages = async () => {
        images = await copyFilmImages(filmsOf(source), filmsOf(target), onProgress);
      };
      const copied = await copyStore({ source, target, copyImages, onProgress, ...paging });
      await target.complete();
      return { ...copied, images };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function filmsOf({ db, place }: Pick<Awaited<ReturnType<typeof openTarget>>, "db" | "place">) {
  return { db, dataDir: place };
}

const imagesIn = (dataDir: string) => inStore(dataDir, (db) => imagesOfStore({ db }));

async function interrupted(one: string, other: string, pages: number): Promise<void> {
  let left = pages;
  const stop = () => {
    left -= 1;
    if (left === 0) throw new Error("interrupted");
  };
  await expect(copy(one, other, { pageRows: smallPages, onProgress: stop })).rejects.toThrow("interrupted");
}

async function killed(one: string, other: string, pages: readonly number[]): Promise<void> {
  for (const page of pages) {
    await disconnected();
    const { signal, stderr } = spawnSync(process.execPath, [program, one, other, String(page)], { encoding: "utf8" });
    expect([signal, stderr]).toEqual(["SIGKILL", ""]);
  }
}

/** Waits until the server has ended the sessions of closed stores and killed programs, which block a copy. */
async function disconnected(): Promise<void> {
  const [name = ""] = /test_\w+/.exec(database.url) ?? [];
  const client = new Client(database.url.replace(name, "postgres"));
  await client.connect();
  const isOver = async () =>
    (await client.query("SELECT 1 FROM pg_stat_activity WHERE datname = $1", [name])).rowCount === 0;
  await waitUntil(isOver, "no session of the database");
  await client.end();
}

async function inStore<T>(place: string, act: (db: WritableDb) => Promise<T>): Promise<T> {
  await using db = await (place.startsWith("postgres:") ? openPostgresStore(place) : openStore(place));
  return await act(db);
}

async function inUnfinished(act: (db: WritableDb) => Promise<unknown>): Promise<void> {
  await using db = await openPostgresStore(database.url, { takesUnfinishedCopy: true });
  await act(db);
}

async function contentAndNumbers(db: WritableDb) {
  return [await contentOfStore(db), Object.fromEntries(await readGivenNumbers(db))] as const;
}

/** Writes to a copied store: new rows continue the numbering of the source. */
async function writeOn(db: WritableDb): Promise<void> {
  const { id: accountId } = await ensureAccount(db, { name: "Clinic", at });
  const columns = "file_name, sha256, origin, added_at_ms, taken_at_ms, state, width_px, height_px, has_image";
  await rawly(
    db,
    `INSERT INTO films (id, ${columns}) SELECT 'next', file_name, '${"f".repeat(64)}', origin, added_at_ms, taken_at_ms, state,
       width_px, height_px, has_image FROM films WHERE id = '0-film'`,
  );
  const [{ next, last } = {}] = await rawly(
    db,
    "SELECT (SELECT rowid FROM films WHERE id = 'next') AS next, (SELECT max(rowid) FROM films WHERE id <> 'next') AS last",
  );
  expect(next).toBe(Number(last) + 1);
  const call = { callId: "next", accountId, keyId: null, service: "usg", callType: "single", uuid: null, at } as const;
  await appendCharge(db, { ...call, measurementId: null, agreements: { enterprise: null, usgCents: 300 } });
}
