// Runs once: opens PostgreSQL or both engines directly.
import { createHash, randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { WritableDb } from "../../../../main/store/connection.ts";
import { ensureAccount } from "../../../../main/store/people/accounts.ts";
import { transactionBeside } from "../../../../main/store/engines/engine.ts";
import { openPostgresStore } from "../../../../main/store/engines/postgres/open-postgres-store.ts";
import {
  clearUnkeptImages,
  deleteUnkeptImages,
  hasImage,
  nameOfImage,
  readImage,
  saveImage,
} from "../../../../main/store/film-images/film-images.ts";
import { addFilm } from "../../../../main/store/films/films.ts";
import { removeFilm } from "../../../../main/store/films/removed-films.ts";
import { appendCharge } from "../../../../main/store/ledger/ledger.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../../../fixtures/postgres/temporary-database.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { engines, openTestStore } from "../engines/test-store.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

const at = new Date("2026-11-10T09:00:00Z");
const megabyte = 1024 * 1024;
const film = randomBytes(2 * megabyte + 5);
const other = randomBytes(3 * megabyte);
const sha256 = createHash("sha256").update(film).digest("hex");
const [original, thumbnail, secondThumbnail] = [
  nameOfImage(sha256, "original", 3),
  nameOfImage(sha256, "thumbnail", 0),
  nameOfImage(sha256, "thumbnail", 1),
];

/** Query for the connection that waits for the gate's lock. */
const waiting = `SELECT pid FROM pg_locks WHERE NOT granted AND objid = 1
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const putOnWorklist = async (db: WritableDb, frameIndex: number) => {
  const size = { widthPx: 1, heightPx: 1, place: 0 };
  const times = { addedAtMs: 0, takenAtMs: 0, patientId: null };
  const names = { id: `frame ${frameIndex}`, fileName: "film.dcm", sha256, frameIndex };
  return await addFilm(db, { ...names, ...times, ...size, origin: "file", state: "done" });
};
const kept = async (db: WritableDb) => {
  const images = [original, thumbnail, secondThumbnail];
  return await Promise.all(images.map((name) => hasImage(db, name)));
};
const grow = (db: WritableDb, hours: number) =>
  rawly(db, `UPDATE film_images SET saved_at_ms = saved_at_ms - ${hours * 3_600_000}`);

describe.each(engines)("images in a database on %s", (engine) => {
  let store: Awaited<ReturnType<typeof openTestStore>>;
  let db: WritableDb;
  beforeAll(async () => {
    store = await openTestStore(engine);
    ({ db } = store);
  });
  beforeEach(async () => {
    for (const table of ["film_images", "films"]) await rawly(db, `DELETE FROM ${table}`);
  });
  afterAll(() => store.remove());

  it("are returned unchanged at any length", async () => {
    for (const bytes of [film, film.subarray(0, 2 * megabyte), Buffer.from("small"), Buffer.alloc(0)]) {
      await saveImage(db, thumbnail, bytes);
      expect((await readImage(db, thumbnail))?.equals(bytes)).toBe(true);
    }
    expect([await readImage(db, original), await hasImage(db, thumbnail)]).toEqual([null, true]);
  });

  it("are separate for each frame, except the original file", async () => {
    await saveImage(db, original, film);
    await saveImage(db, nameOfImage(sha256, "original", 0), other);
    await saveImage(db, secondThumbnail, other);
    expect((await readImage(db, original))?.equals(film)).toBe(true);
    expect(await kept(db)).toEqual([true, false, true]);
  });

  it("are complete after concurrent saves", async () => {
    const saved = [film, other, film, other].map((bytes) => saveImage(db, thumbnail, bytes));
    await Promise.all([...saved, saveImage(db, original, film), saveImage(db, original, film)]);
    const last = await readImage(db, thumbnail);
    expect([film, other].some((bytes) => last?.equals(bytes))).toBe(true);
    expect((await readImage(db, original))?.equals(film)).toBe(true);
  });

  it("are deleted with their film, the file with its last film", async () => {
    for (const name of [original, thumbnail, secondThumbnail]) await saveImage(db, name, film);
    for (const frameIndex of [0, 1]) await putOnWorklist(db, frameIndex);
    await deleteUnkeptImages(db, { sha256, frameIndex: 1 });
    expect(await kept(db)).toEqual([true, true, true]);
    await removeFilm(db, "frame 1", 1);
    await deleteUnkeptImages(db, { sha256, frameIndex: 1 });
    expect(await kept(db)).toEqual([true, true, false]);
    await removeFilm(db, "frame 0", 1);
    await deleteUnkeptImages(db, { sha256, frameIndex: 0 });
    expect(await kept(db)).toEqual([false, false, false]);
  });

  it("are deleted if no film uses them, unless they are recent", async () => {
    for (const name of [original, thumbnail, secondThumbnail]) await saveImage(db, name, film);
    await putOnWorklist(db, 0);
    await grow(db, 1);
    await saveImage(db, nameOfImage(sha256, "rectified", 1), film);
    expect(await clearUnkeptImages(db, 30 * 60_000)).toBe(1);
    expect(await kept(db)).toEqual([true, true, false]);
    await grow(db, 1);
    expect(await clearUnkeptImages(db, 30 * 60_000)).toBe(1);
  });
});

describe.runIf(hasPostgres)("saveImage over a slow connection", () => {
  let database: TemporaryDatabase;
  const stores: WritableDb[] = [];
  const open = async (options = {}) => {
    const db = await openPostgresStore(database.url, options);
    stores.push(db);
    return db;
  };
  /** Blocks the second part of an image while `work` runs. */
  const whileStuck = async (work: () => Promise<void>) => {
    const gatekeeper = await open({ isTimeLimited: false });
    await rawly(
      gatekeeper,
      `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
       CREATE TRIGGER gate BEFORE INSERT ON film_images FOR EACH ROW WHEN (NEW.part = 1) EXECUTE FUNCTION wait()`,
    );
    await transactionBeside(gatekeeper, async () => {
      await rawly(gatekeeper, "SELECT pg_advisory_xact_lock(1)");
      await work();
    });
  };
  const stuck = (db: WritableDb) => waitUntil(async () => (await rawly(db, waiting))[0]?.["pid"]);
  beforeEach(async () => {
    database = await temporaryDatabase();
  });
  afterEach(async () => {
    for (const db of stores.splice(0)) await db.destroy();
    await database.remove();
  });

  it("delays neither a charge nor a reader on any workstation", async () => {
    const [here, there] = [await open(), await open()];
    const { id: accountId } = await ensureAccount(here, { name: "Clinic", at });
    let saved: Promise<void> = Promise.resolve();
    await whileStuck(async () => {
      saved = saveImage(here, original, film);
      await stuck(there);
      for (const [callId, db] of Object.entries({ here, there })) await charge(db, accountId, callId);
      expect([await hasImage(here, original), await readImage(there, original)]).toEqual([false, null]);
    });
    await saved;
    expect((await readImage(there, original))?.equals(film)).toBe(true);
  });

  it("leaves no partial image after an interruption", async () => {
    const [here, there] = [await open(), await open()];
    await whileStuck(async () => {
      const saved = saveImage(here, original, film);
      const failure = saved.catch((error: unknown) => error);
      await rawly(there, `SELECT pg_terminate_backend(${Number(await stuck(there))})`);
      expect(await failure).toMatchObject({ code: "STORE_UNAVAILABLE" });
    });
    expect(await rawly(there, "SELECT 1 FROM film_images")).toEqual([]);
    await saveImage(here, original, film);
    expect((await readImage(there, original))?.equals(film)).toBe(true);
  });
});

async function charge(db: WritableDb, accountId: string, callId: string) {
  const call = { callId, accountId, keyId: null, service: "usg", callType: "single", uuid: null, at } as const;
  return await appendCharge(db, { ...call, measurementId: null, agreements: { enterprise: null, usgCents: 300 } });
}
