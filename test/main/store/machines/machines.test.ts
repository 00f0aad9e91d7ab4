// Runs once: opens PostgreSQL or both engines directly.
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import type { WritableDb } from "../../../../main/store/database.ts";
import { openPostgresStore } from "../../../../main/store/engines/postgres/open-postgres-store.ts";
import {
  addFilm,
  type NewFilm,
  getFilm,
  requeueInterruptedFilms,
  takeNextFilm,
} from "../../../../main/store/films/films.ts";
import { saveSetAside, listSetAside } from "../../../../main/store/films/dicom/set-aside-objects.ts";
import {
  stoppedAfterMs,
  listMachines,
  findLostWork,
  recordMachineActive,
  recordMachineStopped,
  noteStoreMissed,
} from "../../../../main/store/machines/machines.ts";
import { changeSetting, getSetting, saveSetting, type Setting } from "../../../../main/store/settings.ts";
import { hasPostgres } from "../../../fixtures/postgres/programs.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../../../fixtures/postgres/temporary-database.ts";
import { rawly } from "../../../fixtures/raw-store.ts";
import { openStoreForTest } from "../../../fixtures/use-store.ts";

const film: NewFilm = {
  id: "film",
  fileName: "film.jpg",
  sha256: "ab".repeat(32),
  origin: "file",
  addedAtMs: 1,
  takenAtMs: 1,
  patientId: null,
  widthPx: 640,
  heightPx: 480,
  frameIndex: 0,
  place: 0,
  state: "queued",
};
const own: Setting<number> = { key: "updates", schema: z.int(), fallback: 0 };
const shared: Setting<number> = { key: "shared", schema: z.int(), fallback: 0 };

describe.runIf(hasPostgres)("workstations that share a database", () => {
  let database: TemporaryDatabase;
  const stores: WritableDb[] = [];
  beforeAll(async () => void (database = await temporaryDatabase()));
  afterEach(async () => {
    for (const table of ["films", "set_aside_objects", "settings", "machines"])
      await rawly(stores[0]!, `DELETE FROM ${table}`);
    for (const store of stores.splice(0)) await store.destroy();
  });
  afterAll(() => database.remove());
  const start = async (machineId: string) => {
    const db = await openPostgresStore(database.url, { machineId });
    stores.push(db);
    await recordMachineActive(db, { name: `Room ${machineId}`, programVersion: "1.0.0" });
    return db;
  };
  /** Backdates a workstation's heartbeat, as if its program had been killed. */
  const lose = async (db: WritableDb, machineId: string) => {
    const [{ seenAtMs } = { seenAtMs: 0 }] = (await listMachines(db)).filter(({ id }) => id === machineId);
    const longAgo = { seenAtMs: seenAtMs - stoppedAfterMs - 1 };
    await db.updateTable("machines").set(longAgo).where("id", "=", machineId).execute();
  };

  it("store settings of workstations separately and those of the practice once", async () => {
    const [one, other] = [await start("1"), await start("2")];
    await saveSetting(one, own, 1);
    await changeSetting(other, own, (value) => value + 2);
    await saveSetting(one, shared, 3);
    expect([await getSetting(one, own), await getSetting(other, own)]).toEqual([1, 2]);
    expect([await getSetting(one, shared), await getSetting(other, shared)]).toEqual([3, 3]);
  });

  it("do not take a film that another running program measures", async () => {
    const [one, other] = [await start("1"), await start("2")];
    const { id } = await addFilm(one, film);
    expect((await takeNextFilm(one))?.id).toBe(id);
    expect(await takeNextFilm(other)).toBeNull();
    expect(await requeueInterruptedFilms(other, { isStart: true })).toBe(0);
    await lose(other, "1");
    expect(await requeueInterruptedFilms(other, { isStart: false })).toBe(1);
    expect(await takeNextFilm(other)).toMatchObject({ id, state: "measuring" });
  });

  it("requeue their own films at the start, and those of stopped programs at any time", async () => {
    const [one, other] = [await start("1"), await start("2")];
    const { id } = await addFilm(one, film);
    await takeNextFilm(one);
    expect(await requeueInterruptedFilms(one, { isStart: false })).toBe(0);
    expect(await requeueInterruptedFilms(one, { isStart: true })).toBe(1);
    await takeNextFilm(one);
    await recordMachineStopped(one);
    expect(await requeueInterruptedFilms(other, { isStart: false })).toBe(1);
    expect((await getFilm(other, id)).state).toBe("queued");
  });

  it("take over set-aside objects after a change of the computer's name", async () => {
    const [former, renamed] = [await start("1"), await start("2")];
    const object = { id: "a", fileName: "a.dcm", sender: null, receivedAtMs: 1, facts: null, failure: "{}" };
    await saveSetAside(former, object);
    await saveSetAside(former, { ...object, id: "b", fileName: "b.dcm" });
    await saveSetAside(renamed, { ...object, id: "c" });
    await saveSetAside(renamed, { ...object, id: "d", fileName: "b.dcm" });
    expect((await listSetAside(renamed)).map(({ id }) => id)).toEqual(["b", "a"]);
    expect(await listSetAside(former)).toEqual([]);
  });

  it("count no program as stopped within 30 s of an outage", async () => {
    const [one] = [await start("1"), await start("2")];
    await lose(one, "2");
    const isLost = async () => (await findLostWork(one, { isStart: false }))("2");
    expect(await isLost()).toBe(true);
    noteStoreMissed(one);
    expect(await isLost()).toBe(false);
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(now + 30_001);
    onTestFinished(() => clock.mockRestore());
    expect(await isLost()).toBe(true);
  });

  it("list each other with their state", async () => {
    const one = await start("1");
    await start("2");
    await lose(one, "2");
    expect((await listMachines(one)).map(({ name, isAtWork }) => [name, isAtWork])).toEqual([
      ["Room 1", true],
      ["Room 2", false],
    ]);
    const isLost = await findLostWork(one, { isStart: false });
    // Work without a workstation was copied from a file.
    expect([isLost("1"), isLost("2"), isLost("3"), isLost(null)]).toEqual([false, true, true, true]);
  });
});

describe("a store in a file", () => {
  it("has one value per setting, and resumes interrupted work only at the start", async () => {
    const { db } = await openStoreForTest();
    await saveSetting(db, own, 1);
    expect(await db.selectFrom("settings").select("key").execute()).toEqual([{ key: "updates" }]);
    await addFilm(db, film);
    await takeNextFilm(db);
    expect(await requeueInterruptedFilms(db, { isStart: false })).toBe(0);
    expect(await requeueInterruptedFilms(db, { isStart: true })).toBe(1);
  });
});
