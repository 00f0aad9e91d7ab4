import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../../core/app-error.ts";
import { hasFilmImage } from "../../../../main/services/desktop/film-images.ts";
import { queueLimit } from "../../../../main/services/measuring/work-queue.ts";
import { createFilmQueue } from "../../../../main/services/worklist/film-queue.ts";
import { addFilmToWorklist } from "../../../../main/services/worklist/films.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { measured, measuredAt, rejected } from "../../store/sample-store.ts";
import { isOnPostgres } from "../../../fixtures/raw-store.ts";
import { waitFor, waitUntil } from "../../../fixtures/patience.ts";
import { restart, useBench } from "../../../fixtures/use-bench.ts";

const bench = useBench();

const add = async (number: number) => bench.addFile(`film-${number}.png`, await smallPicture(number));
const idle = () => bench.desktop.parts.queue.whenIdle();
/** Waits until the networks measure the first film, which has then been read and decoded. */
const firstAsked = () => waitUntil(() => bench.engine.asked.length === 1);
const images = (sha256: string) =>
  Promise.all((["original", "thumbnail"] as const).map((image) => hasFilmImage(bench.context, sha256, image)));
const filmNow = async (filmId: string) => (await bench.call("films.get", { filmId })).film;

describe("the queue of films", () => {
  it("measures films in the order in which they were opened and publishes each step", async () => {
    bench.engine.answers(measuredAt(9.1), measuredAt(10.2), rejected);
    bench.engine.hold();
    const films = [await add(1), await add(2), await add(3)];
    expect((await bench.call("films.list", {})).films.map(({ fileName, state }) => [fileName, state])).toEqual([
      ["film-3.png", "queued"],
      ["film-2.png", "queued"],
      ["film-1.png", "measuring"],
    ]);
    expect((await bench.call("films.queue", {})).filmIds).toEqual([films[1]!.id, films[2]!.id]);
    bench.engine.release();
    await idle();
    expect(bench.engine.asked).toEqual(films.map((film) => film.sha256));
    const done = (await bench.call("films.list", {})).films;
    expect(done.map(({ state, reading }) => [state, reading?.vhs, reading?.resultCode])).toEqual([
      ["done", null, 6],
      ["done", 10.2, 1],
      ["done", 9.1, 1],
    ]);
    const states = bench
      .eventsOf("film.changed")
      .filter(({ film }) => film.id === films[0]!.id)
      .map(({ film }) => film.state);
    expect([...new Set(states)]).toEqual(["queued", "measuring", "done"]);
    expect((await bench.call("films.list", {})).films.map((film) => film.state)).toEqual(["done", "done", "done"]);
  });

  it("retries a film once the disk has space again, without a failure", async () => {
    const queue = await createFilmQueue(bench.desktop.context, 50);
    const picture = { name: "bella.png", bytes: await smallPicture(1), origin: "file" } as const;
    await addFilmToWorklist({ ...bench.desktop.context, raise: () => undefined }, picture);
    bench.engine.answers(Object.assign(new Error("no space left on device"), { code: "ENOSPC" }), measured);
    queue.wake();
    await waitUntil(() => bench.faults.length > 0);
    expect(bench.faults.map(({ code }) => code)).toEqual(["DISK_FULL"]);
    const stateNow = async () => (await bench.call("films.list", {})).films[0]?.state;
    await waitUntil(async () => (await stateNow()) === "done");
    await queue.close();
  });

  it("stores the networks' points, votes and provenance, and the kind of a rejected image", async () => {
    const votes = [measured.landmarks, measured.landmarks];
    bench.engine.answers({ ...measured, votes }, { ...rejected, takenFor: "abdomen" }, rejected);
    const films = [await add(1), await add(2), await add(3)];
    await idle();
    const readingsOf = async ({ id }: { id: string }) => (await bench.call("films.get", { filmId: id })).readings;
    const [stored, named, unnamed] = await Promise.all(films.map(readingsOf));
    expect(named).toMatchObject([{ resultCode: 6, takenFor: "abdomen" }]);
    expect(unnamed![0]).not.toHaveProperty("takenFor");
    const { heart_top, heart_bottom, heart_right, heart_left, VLAS } = measured.landmarks;
    const heart = { heart_top, heart_bottom, heart_right, heart_left, VLAS };
    expect(stored).toEqual([
      expect.objectContaining({
        version: 1,
        source: "model",
        verdict: null,
        who: null,
        resultCode: 1,
        tier: "optimal",
        spread: measured.spread,
        heart,
        edges: measured.edges,
        ruler: measured.ruler,
        score: measured.score,
        votes: [heart, heart],
        provenance: measured.provenance,
        frame: { widthPx: 1080, heightPx: 900 },
      }),
    ]);
  });

  it("cancels a pending film and one in progress, and measures them on retry", async () => {
    bench.engine.answers(measured);
    bench.engine.hold();
    const [first, second] = [await add(1), await add(2)];
    await firstAsked();
    await bench.call("films.cancel", { filmIds: [first.id, second.id] });
    expect([(await filmNow(first.id)).state, (await filmNow(second.id)).state]).toEqual(["cancelled", "cancelled"]);
    await idle();
    expect((await filmNow(first.id)).reading).toBeNull();
    bench.engine.release();
    await bench.call("films.retry", { filmIds: [second.id, first.id] });
    await idle();
    expect([(await filmNow(first.id)).state, (await filmNow(second.id)).state]).toEqual(["done", "done"]);
    expect(bench.engine.asked).toEqual([first.sha256, second.sha256, first.sha256]);
  });

  it("measures pending and interrupted films after the next start", async () => {
    bench.engine.answers(measured);
    bench.engine.hold();
    const films = [await add(1), await add(2)];
    await restart(bench, { start: false });
    bench.engine.answers(measured);
    expect((await bench.call("films.list", {})).films.map((film) => film.state)).toEqual(["queued", "queued"]);
    await bench.desktop.start();
    await idle();
    expect(bench.engine.asked).toEqual(films.map((film) => film.sha256));
    expect((await bench.call("films.list", {})).films.map((film) => film.state)).toEqual(["done", "done"]);
  });

  it("reports a failure and continues with the next film", async () => {
    bench.engine.answers(new AppError("MODELS_NOT_LOADED"), new TypeError("out of memory at 0x7f"), measured);
    const films = [await add(1), await add(2), await add(3)];
    await idle();
    const after = await Promise.all(films.map((film) => filmNow(film.id)));
    expect(after.map(({ state, failure }) => [state, failure])).toEqual([
      ["failed", { code: "MODELS_NOT_LOADED", message: "Models not available" }],
      ["failed", { code: "INTERNAL", message: "Internal server error" }],
      ["done", null],
    ]);
    expect(bench.faults.map((fault) => fault.code)).toEqual(["INTERNAL"]);
    expect(bench.logged.join("\n")).not.toContain("film-2.png");
  });

  it("waits while API calls occupy all places of the inference queue", async () => {
    bench.engine.answers(measured);
    const places = bench.context.queue.reserve(queueLimit);
    const film = await add(1);
    await waitFor(async () => expect((await filmNow(film.id)).state).toBe("measuring"));
    expect(bench.engine.asked).toEqual([]);
    places.release();
    await idle();
    expect((await filmNow(film.id)).state).toBe("done");
  });

  it("cancels a film that is removed while it is measured, and deletes its images", async () => {
    bench.engine.answers(measured);
    bench.engine.hold();
    const film = await add(1);
    await firstAsked();
    expect(await images(film.sha256)).toEqual([true, true]);
    await bench.call("films.remove", { filmIds: [film.id, "unknown"] });
    bench.engine.release();
    await idle();
    expect(await images(film.sha256)).toEqual([false, false]);
    await expect(filmNow(film.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(bench.eventsOf("film.removed")).toEqual([{ filmIds: [film.id] }]);
  });

  it("does not measure films on arrival if the settings disable it", async () => {
    await bench.call("settings.save", { measuresOnArrival: false });
    const film = await add(1);
    expect([film.state, film.reading]).toEqual(["cancelled", null]);
    await idle();
    expect(bench.engine.asked).toEqual([]);
  });
});

describe("adding a film", () => {
  it("stores the bytes unchanged and recognises duplicates", async () => {
    bench.engine.answers(measured);
    const bytes = await smallPicture(7);
    await bench.addFile("a.png", bytes);
    await Promise.all([bench.addFile("b.png", bytes), bench.addFile("c.png", bytes)]);
    const { films, total } = await bench.call("films.list", {});
    expect([total, films[0]!.fileName, films[0]!.sha256]).toEqual([
      1,
      "a.png",
      createHash("sha256").update(bytes).digest("hex"),
    ]);
    expect(await images(films[0]!.sha256)).toEqual([true, true]);
    if (isOnPostgres || process.platform === "win32") return;
    expect(statSync(path.join(bench.dataDir, "films", films[0]!.sha256)).mode & 0o777).toBe(0o600);
  });

  it("rejects texts, truncated films and empty files, and stores nothing", async () => {
    for (const [bytes, code] of [
      [Buffer.from("not an image"), "UNSUPPORTED_IMAGE"],
      [(await smallPicture(3)).subarray(0, 200), "INVALID_IMAGE"],
      [Buffer.alloc(0), "UNSUPPORTED_IMAGE"],
    ] as const)
      await expect(bench.addFile("x.png", bytes)).rejects.toMatchObject({ code });
    expect((await bench.call("films.list", {})).total).toBe(0);
    expect(existsSync(path.join(bench.dataDir, "films"))).toBe(false);
  });

  it("shortens any file name to a plain name", async () => {
    bench.engine.answers(measured);
    for (const [number, name] of ["../../etc/passwd.png", "C:\\films\\rex.png", "a\u0000b\n.png", ""].entries())
      await bench.addFile(name, await smallPicture(number));
    expect((await bench.call("films.list", {})).films.map((film) => film.fileName)).toEqual([
      "film",
      "ab.png",
      "rex.png",
      "passwd.png",
    ]);
  });
});
