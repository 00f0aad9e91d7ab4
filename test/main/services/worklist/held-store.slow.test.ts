// Runs once: tests the file of SQLite (format, migrations, encryption).
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createReceivedObjects } from "../../../../main/services/network/received-objects.ts";
import { createWatchedFolders } from "../../../../main/services/practice/watched-folders.ts";
import { createFilmQueue } from "../../../../main/services/worklist/film-queue.ts";
import { addFilmToWorklist } from "../../../../main/services/worklist/films.ts";
import { sqliteFileOf } from "../../../../main/store/engines/engine.ts";
import { notOpenedDir, receivedDir } from "../../../../main/store/files/store-files.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { useBench } from "../../../fixtures/use-bench.ts";

const retryMs = 10;

describe("while another program locks the store's file", () => {
  let root: string;
  const bench = useBench({ storeOptions: { busyMs: 50 } });
  let other: Sqlite.Database;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), "corvet-held-"));
    bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
    other = new Sqlite(sqliteFileOf(bench.context.db).name);
  });
  afterEach(() => {
    other.close();
    rmSync(root, { recursive: true, force: true });
  });

  const films = async () => (await bench.call("films.list", {})).films;
  /** Received objects in a folder other than the bench's, which imports leftovers itself. */
  const receivedObjects = () =>
    createReceivedObjects({ ...bench.desktop.context, dataDir: root }, () => Promise.resolve(), retryMs);
  const warned = (words: string) => () => bench.logged.filter((line) => line.startsWith(words)).length;

  it("a file of a watched folder waits and is not treated as broken", async () => {
    await bench.desktop.parts.folders.close();
    const watched = createWatchedFolders(bench.desktop.context, { patienceMs: 0 });
    await watched.save({
      folders: [{ path: root, afterwards: "move" }],
      outbox: null,
      formats: ["json"],
      allFilmsSince: null,
    });
    const number = "MSH|^~\\&|PMS||||20260101||ADT^A08|1|P|2.5\rPID|||P-1||Weber^Bella||20200101|F||\r";
    writeFileSync(path.join(root, "bella.dcm"), phantomFile({ instance: "1.2.3.4", patientId: "P-1" }));
    writeFileSync(path.join(root, "bella.hl7"), number);
    await watched.look();
    other.exec("BEGIN IMMEDIATE");
    await watched.look();
    expect(readdirSync(root).sort()).toEqual(["bella.dcm", "bella.hl7"]);
    expect((await watched.get()).folders[0]).toMatchObject({ opened: 0, failed: 0, waiting: 2 });
    other.exec("COMMIT");
    await watched.look();
    expect(readdirSync(root)).not.toContain("bella.dcm");
    expect((await watched.get()).folders[0]).toMatchObject({ failed: 0, waiting: 0 });
    expect(await films()).toHaveLength(1);
    await watched.close();
  });

  it("a received object waits and is neither set aside nor lost", async () => {
    const folder = receivedDir(root);
    mkdirSync(folder, { recursive: true });
    const received = receivedObjects();
    writeFileSync(path.join(folder, "object.dcm"), phantomFile({ instance: "1.2.3.4", patientId: "P-1" }));
    other.exec("BEGIN IMMEDIATE");
    void received.import("object.dcm");
    await expect.poll(warned("a received object waits")).toBeGreaterThanOrEqual(2);
    expect([await films(), readdirSync(folder), existsSync(notOpenedDir(root))]).toEqual([[], ["object.dcm"], false]);
    other.exec("COMMIT");
    await expect.poll(() => readdirSync(folder)).toEqual([]);
    expect(await films()).toHaveLength(1);
    expect(await received.setAside.list()).toEqual([]);
    await received.close();
  });

  it("a received object that cannot be shown waits and is then set aside with the reason", async () => {
    const folder = receivedDir(root);
    mkdirSync(folder, { recursive: true });
    const received = receivedObjects();
    writeFileSync(
      path.join(folder, "object.dcm"),
      phantomFile({ instance: "1.2.3.4", patientId: "P-1" }).subarray(0, -100),
    );
    other.exec("BEGIN IMMEDIATE");
    void received.import("object.dcm");
    await expect.poll(warned("a received object waits")).toBeGreaterThanOrEqual(2);
    other.exec("COMMIT");
    const setAside = () => received.setAside.list();
    await expect.poll(setAside).toMatchObject([{ failure: { reason: { name: "dicomFrameCutOff" } } }]);
    await received.close();
    const notOpened = notOpenedDir(root);
    expect(bench.faults).toEqual([]);
    expect([readdirSync(folder), readdirSync(notOpened)]).toEqual([[path.basename(notOpened)], ["object.dcm"]]);
  });

  it("a film waits and is measured afterwards", async () => {
    const queue = await createFilmQueue(bench.desktop.context, retryMs);
    const picture = { name: "bella.png", bytes: await smallPicture(1), origin: "file" } as const;
    await addFilmToWorklist({ ...bench.desktop.context, raise: () => undefined }, picture);
    other.exec("BEGIN IMMEDIATE");
    queue.wake();
    await expect.poll(() => bench.faults.map(({ code }) => code)).toContain("STORE_BUSY");
    expect((await films()).map(({ state }) => state)).toEqual(["queued"]);
    other.exec("COMMIT");
    await expect.poll(async () => (await films()).map(({ state }) => state)).toEqual(["done"]);
    await queue.close();
  });
});
