import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filmsDir } from "../../../../main/store/files/store-files.ts";
import {
  deleteFilmImages,
  hasFilmImage,
  readFilmImage,
  saveFilmImage,
} from "../../../../main/services/desktop/film-images.ts";
import { clearLeftovers } from "../../../../main/services/program/leftovers.ts";
import { chooseDatabase, databaseOf } from "../../../../main/services/program/store-location.ts";
import { selectOutdated } from "../../../../main/services/worklist/image-retention.ts";
import { engineOf, transaction } from "../../../../main/store/engines/engine.ts";
import { getFilm } from "../../../../main/store/films/films.ts";
import { restoreFilm } from "../../../../main/store/films/removed-films.ts";
import { openBench, smallPicture, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { text } from "../../dicom/dicom-writer.ts";
import { nativeFile, phantomFilm } from "../../dicom/pixels/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { isOnPostgres, onlyOn, rawly } from "../../../fixtures/raw-store.ts";
import { waitUntil } from "../../../fixtures/patience.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";

const bench = useBench();

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const add = (bytes: Buffer, at = bench) => at.addFile("film.png", bytes);
const images = (sha256: string, at = bench) =>
  Promise.all((["original", "thumbnail"] as const).map((image) => hasFilmImage(at.context, sha256, image)));

async function turnsLater(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}

describe("the images of films", () => {
  it("are kept with the store and deleted when the film is removed from the worklist", async () => {
    const bytes = await smallPicture(1);
    const film = await add(bytes);
    expect((await readFilmImage(bench.context, film.sha256, "original")).equals(bytes)).toBe(true);
    expect(existsSync(filmsDir(bench.dataDir))).toBe(!isOnPostgres);
    await bench.call("films.remove", { filmIds: [film.id] });
    expect(await images(film.sha256)).toEqual([false, false]);
    await expect(readFilmImage(bench.context, film.sha256, "original")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("of a DICOM file ignore a window that would hide the film, with a notice", async () => {
    const window = [text("00281050", "DS", "0"), text("00281051", "DS", "1")];
    const { dicom } = await bench.addFile("film.dcm", nativeFile(await phantomFilm(12), window));
    expect(dicom?.notices).toEqual([{ name: "dicomWindowIgnored", values: {} }]);
  });

  it("are kept if their film is added again during deletion", async () => {
    const bytes = await smallPicture(1);
    const { context, call } = bench;
    const { id, sha256 } = await add(bytes);
    const row = await getFilm(context.db, id);
    const comeBack = () =>
      transaction(context.db, async () => {
        const areThere = await hasFilmImage(context, sha256, "original");
        if (areThere) await restoreFilm(context.db, id, { ...row, state: "done" });
        return areThere;
      });
    for (let lead = -60; lead < 60; lead += 10) {
      await call("films.remove", { filmIds: [id] });
      for (const image of ["original", "thumbnail"] as const) await saveFilmImage(context, sha256, image, bytes);
      const [isBack] = await Promise.all([
        turnsLater(lead).then(comeBack),
        turnsLater(-lead).then(() => deleteFilmImages(context, row)),
      ]);
      expect(await images(sha256)).toEqual([isBack, isBack]);
    }
  });

  it("without a film are deleted at the next start; files of another store are kept", async () => {
    const [bytes, orphan] = [await smallPicture(1), await smallPicture(2)];
    const film = await add(bytes);
    await saveFilmImage(bench.context, sha256Of(orphan), "original", orphan);
    mkdirSync(filmsDir(bench.dataDir), { recursive: true });
    writeFileSync(path.join(filmsDir(bench.dataDir), "f".repeat(64)), "of a store that was a file");
    await clearLeftovers(bench.context);
    // In a database, another workstation may be about to add the film.
    expect((await images(sha256Of(orphan)))[0]).toBe(isOnPostgres);
    await rawly(bench.context.db, "UPDATE film_images SET saved_at_ms = saved_at_ms - 7200000");
    await clearLeftovers(bench.context);
    expect([await images(film.sha256), (await images(sha256Of(orphan)))[0]]).toEqual([[true, true], false]);
    expect(readdirSync(filmsDir(bench.dataDir)).includes("f".repeat(64))).toBe(isOnPostgres);
  });
});

/** Query for sessions of this database that wait for a lock. */
const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe.runIf(isOnPostgres)(onlyOn("PostgreSQL", "two workstations on one database"), () => {
  let other: DesktopBench;
  beforeEach(async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), "corvet-other-"));
    chooseDatabase(dataDir, databaseOf(bench.dataDir), null);
    other = await openBench({ dataDir });
  });
  afterEach(() => other.remove());

  it("see the same films", async () => {
    const bytes = await smallPicture(3);
    const { id, sha256 } = await add(bytes);
    expect((await other.call("films.get", { filmId: id })).film).toMatchObject({ hasImage: true });
    expect((await readFilmImage(other.context, sha256, "original")).equals(bytes)).toBe(true);
    await other.call("films.remove", { filmIds: [id] });
    expect(await images(sha256)).toEqual([false, false]);
  });

  it("keep the images of a film that one adds while the other removes it", async () => {
    const bytes = await smallPicture(4);
    const { db } = other.context;
    let added: Promise<unknown> = Promise.resolve();
    await transaction(db, async () => {
      added = add(bytes);
      await waitUntil(async () => (await rawly(db, waiting)).length > 0);
      expect(await images(sha256Of(bytes), other)).toEqual([true, true]);
      await rawly(db, "DELETE FROM film_images");
    });
    await added;
    expect(await images(sha256Of(bytes), other)).toEqual([true, true]);
  });

  it("leave no image of a film that one removes while the other measures it", async () => {
    const corners = pointsAt([10, 10], [90, 10], [90, 70], [10, 70]);
    bench.engine.answers({ ...measured, corners });
    bench.engine.hold();
    const { id } = await add(await smallPicture(7));
    await waitUntil(() => bench.engine.asked.length === 1);
    await other.call("films.remove", { filmIds: [id] });
    bench.engine.release();
    await bench.desktop.parts.queue.whenIdle();
    expect(await rawly(bench.context.db, "SELECT image FROM film_images")).toEqual([]);
  });

  it("keep images that are deleted on exit until Corvet runs on none of them", async () => {
    await add(await smallPicture(6));
    await bench.desktop.parts.queue.whenIdle();
    await bench.call("settings.save", { keepImages: "while_open" });
    const outdated = async () => (await selectOutdated(bench.desktop.context, true)).length;
    const { db } = bench.context;
    await db
      .insertInto("machines")
      .values({ id: "2", name: "", programVersion: "", seenAtMs: engineOf(db).now })
      .execute();
    expect(await outdated()).toBe(0);
    await db.updateTable("machines").set({ seenAtMs: 0 }).execute();
    expect(await outdated()).toBe(1);
  });

  it("add a film only once if both add it concurrently", async () => {
    const bytes = await smallPicture(5);
    const [one, two] = await Promise.all([add(bytes), add(bytes, other)]);
    expect(one.id).toBe(two.id);
    expect((await readFilmImage(other.context, one.sha256, "original")).equals(bytes)).toBe(true);
  });
});
