// Runs once: its queries run on PostgreSQL in annotations, readings and film-images.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { cornersInOtherSize, type Corners, type Point } from "../../../../core/cardiac/points.ts";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import { processedSizePx } from "../../../../main/imaging/processed-size.ts";
import { createAppResponder } from "../../../../main/ipc/app-responder.ts";
import { readFilmImage } from "../../../../main/services/desktop/film-images.ts";
import { readZip } from "../../../../main/services/import/zip-files.ts";
import { readFilmOfResults } from "../../../../main/services/results/film-of-results.ts";
import { setKeptImages } from "../../../../main/store/films/films.ts";
import { pointsAt } from "../../../fixtures/points-at.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { fetchedExport } from "../../../fixtures/fetched-export.ts";
import { measured, rejected } from "../../store/sample-store.ts";
import { photographs } from "../../../fixtures/truth.ts";

const screen = photographs[0]!;
const placeOf = ([x, y]: readonly [number, number]): Point => ({ x, y });
const [tl, tr, br, bl] = screen.corners;
const filmCorners: Corners = [placeOf(tl), placeOf(tr), placeOf(br), placeOf(bl)];
const bytes = readFileSync(`test/fixtures/screens/${screen.file}`);
const full = { widthPx: screen.width, heightPx: screen.height };
const corners = cornersInOtherSize(filmCorners, full, processedSizePx(full));
const photographed = { ...measured, popDetected: true, spread: null, corners } as const;
const { heart_top, heart_bottom, heart_right, heart_left } = measured.landmarks;
const heart = { heart_top, heart_bottom, heart_right, heart_left, VLAS: null };
const pointsOn = (picture: Film["picture"]) => ({ ...picture, heart, edges: [...measured.edges] });

const bench = useBench();

/** Adds the photograph and waits until it is measured, if films are measured on arrival. */
async function opened(): Promise<Film> {
  return await bench.openFilm(screen.file, bytes);
}

describe("a photograph of a screen on the worklist", () => {
  it("copies annotations to the rectified film once", async () => {
    await bench.call("settings.save", { measuresOnArrival: false });
    const { id: filmId } = await opened();
    const [[left, top], , [right, bottom]] = screen.corners;
    const points = pointsAt([left, top], [right, bottom]);
    const line = { id: "1", tool: "length", points, text: "" } as const;
    const known = { from: points[0], to: points[1], lengthMm: 100 };
    const set = { frame: full, corners: null, calibration: known, annotations: [line] };
    await bench.call("annotations.save", { filmId, basedOn: 0, who: "Dr Weber", set });
    const small = { ...photographed, widthPx: 800, heightPx: 600 };
    bench.engine.answers(small, small);
    for (let round = 0; round < 2; round += 1) {
      await bench.call("films.retry", { filmIds: [filmId] });
      await bench.desktop.parts.queue.whenIdle();
    }
    const { versions } = await bench.call("annotations.list", { filmId });
    expect(versions.map(({ who, set }) => [who, set.frame.widthPx])).toEqual([
      ["Dr Weber", screen.width],
      ["Dr Weber", 800],
    ]);
    const carried = versions[1]!.set;
    const ends = [...carried.annotations[0]!.points, carried.calibration!.from, carried.calibration!.to];
    for (const [index, { x, y }] of ends.entries()) {
      expect(x).toBeCloseTo(index % 2 === 0 ? -0.5 : 799.5, 0);
      expect(y).toBeCloseTo(index % 2 === 0 ? -0.5 : 599.5, 0);
    }
    expect(bench.eventsOf("annotations.changed").at(-1)).toEqual({ filmId, version: 2 });
  });

  it("transforms annotations to a new crop, and back to the file's pixels once nothing is cropped", async () => {
    await bench.call("settings.save", { measuresOnArrival: false });
    const { id: filmId } = await opened();
    const other = moved(corners);
    const [from, , to] = cornersInOtherSize(other, processedSizePx(full), full);
    const set = {
      ...{ frame: full, corners: null, calibration: { from: { ...from }, to: { ...to }, lengthMm: 100 } },
      annotations: [{ id: "1", tool: "length" as const, points: [{ ...from }, { ...to }], text: "" }],
    };
    await bench.call("annotations.save", { filmId, basedOn: 0, who: "Dr Weber", set });
    const drawn = async () => (await bench.call("annotations.list", { filmId })).versions.map((version) => version.set);
    const cuts = [
      [{ ...photographed, widthPx: 800, heightPx: 600 }, corners],
      [{ ...photographed, corners: other, widthPx: 700, heightPx: 500 }, other],
      [rejected, null],
      [measured, null],
    ] as const;
    for (const [said] of cuts) {
      bench.engine.answers(said);
      await bench.call("films.retry", { filmIds: [filmId] });
      await bench.desktop.parts.queue.whenIdle();
    }
    const versions = await drawn();
    expect(versions.map(({ frame, corners: at }) => [frame.widthPx, frame.heightPx, at ?? null])).toEqual([
      [screen.width, screen.height, null],
      [800, 600, corners],
      [700, 500, other],
      [screen.width, screen.height, null],
    ]);
    const ends = (each: (typeof versions)[number]) => [...each.annotations[0]!.points, ...endsOf(each.calibration!)];
    const expected = [
      [2, { x: -0.5, y: -0.5 }, { x: 699.5, y: 499.5 }],
      [3, from, to],
    ] as const;
    for (const [index, one, two] of expected)
      for (const [at, { x, y }] of ends(versions[index]!).entries()) {
        expect(x).toBeCloseTo((at % 2 === 0 ? one : two).x, 3);
        expect(y).toBeCloseTo((at % 2 === 0 ? one : two).y, 3);
      }
    const { x, y } = versions[1]!.annotations[0]!.points[0]!;
    expect([x > 1, y > 1]).toEqual([true, true]);
  });

  it("rejects annotations of a crop that is no longer shown, as the first version or a later one", async () => {
    await bench.call("settings.save", { measuresOnArrival: false });
    const { id: filmId } = await opened();
    const note = { id: "1", tool: "note" as const, points: [{ x: 500, y: 400 }], text: "Gas" };
    // The crop has the aspect ratio of the photograph, so sizes alone do not tell them apart.
    const cut = { widthPx: full.widthPx / 2, heightPx: full.heightPx / 2 };
    const save = (basedOn: number, frame: typeof full, at: Film["picture"]["corners"]) =>
      bench.call("annotations.save", {
        ...{ filmId, basedOn, who: "Dr Weber" },
        set: { frame, corners: at, calibration: null, annotations: [note] },
      });
    const measureAgain = async (at: Corners) => {
      bench.engine.answers({ ...photographed, corners: at, ...cut });
      await bench.call("films.retry", { filmIds: [filmId] });
      await bench.desktop.parts.queue.whenIdle();
      return (await bench.call("films.get", { filmId })).film.picture.corners;
    };
    const first = await measureAgain(corners);
    await expect(save(0, full, null)).rejects.toMatchObject({ code: "CONFLICT" });
    await save(0, cut, first);
    const second = await measureAgain(moved(corners));
    await expect(save(2, cut, first)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(save(2, full, null)).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await save(2, cut, second)).version).toBe(3);
  });

  it("serves the rectified film at its own size until it is measured as a direct film", async () => {
    bench.engine.answers(photographed, measured);
    const film = await opened();
    const response = await createAppResponder(bench.desktop)(new Request(`corvet://app${film.urls.rectified}`));
    expect(response.headers.get("content-type")).toBe("image/jpeg");
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    const [topLeft, topRight, , bottomLeft] = screen.corners;
    const edge = (a: readonly [number, number], b: readonly [number, number]) => Math.hypot(b[0] - a[0], b[1] - a[1]);
    expect(Math.abs(width - edge(topLeft, topRight)) / width).toBeLessThan(0.2);
    expect(Math.abs(height - edge(topLeft, bottomLeft)) / height).toBeLessThan(0.2);
    await bench.call("films.remove", { filmIds: [film.id] });
    const again = await opened();
    const backAgain = await createAppResponder(bench.desktop)(new Request(`corvet://app${again.urls.rectified}`));
    expect([again.id, backAgain.headers.get("content-type")]).toEqual([film.id, "image/jpeg"]);
    await bench.call("films.retry", { filmIds: [film.id] });
    await bench.desktop.parts.queue.whenIdle();
    expect((await bench.call("films.get", { filmId: film.id })).film.urls.rectified).toBeNull();
  });

  it("is measured by hand and exported on the rectified film", async () => {
    // The aspect ratio differs from that in the photograph.
    const cut = { widthPx: 1000, heightPx: 500 };
    bench.engine.answers({ ...photographed, ...cut });
    const film = await opened();
    const { reading } = await bench.decide(film.id, { verdict: "by_hand", geometry: pointsOn(film.picture) });
    expect(reading).toMatchObject({ frame: cut, popDetected: true, corners });
    const { rectified } = await readFilmOfResults(bench.context, film.id);
    const picture = await sharp(rectified!).metadata();
    const { download, exported } = await bench.call("films.exportAnnotated", { exportId: randomUUID() });
    const zip = (await fetchedExport(bench.dataDir, download.url)).bytes;
    const files = await readZip(zip, { files: 10, fileBytes: 1e8, totalBytes: 1e8 });
    const sizes = await sharp(files.find(({ name }) => name.endsWith(".png"))!.bytes).metadata();
    expect([exported, sizes.width, sizes.height]).toEqual([1, picture.width, picture.height]);
  });

  it("saves another remark on manual points after its images are deleted", async () => {
    bench.engine.answers({ ...photographed, widthPx: 1000, heightPx: 500 });
    const film = await opened();
    const save = (remark: string, picture: Film["picture"]) =>
      bench.decide(film.id, { verdict: "by_hand", remark, geometry: pointsOn(picture) });
    const { reading: first } = await save("", film.picture);
    await setKeptImages(bench.context.db, film.id, { hasImage: false, hasRectified: false });
    const { reading: second } = await save("Kein Erguss", film.picture);
    const changes = { id: second.id, version: first.version + 1, at: second.at, remark: "Kein Erguss" };
    expect(second).toEqual({ ...first, ...changes });
    const other = save("", { frame: full, corners: null });
    await expect(other).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("has a different path for each crop, and rejects points placed on another than the current one", async () => {
    bench.engine.answers(photographed, photographed, { ...photographed, corners: moved(corners) });
    const { id: filmId } = await opened();
    const first = await bench.call("films.get", { filmId });
    const measuredAgain = async () => {
      await bench.call("films.retry", { filmIds: [filmId] });
      await bench.desktop.parts.queue.whenIdle();
      return await bench.call("films.get", { filmId });
    };
    const same = await measuredAgain();
    const other = await measuredAgain();
    const [path, ...paths] = [first, same, other].map(({ film }) => film.urls.rectified);
    expect(paths.map((one) => one === path)).toEqual([true, false]);
    expect(other.film.picture.frame).toEqual(first.film.picture.frame);
    for (const verdict of ["corrected", "by_hand"] as const) {
      const save = (picture: Film["picture"]) => bench.decide(filmId, { verdict, geometry: pointsOn(picture) });
      await expect(save(first.film.picture)).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(save({ ...other.film.picture, frame: full })).rejects.toMatchObject({ code: "CONFLICT" });
      const { reading } = await save(other.film.picture);
      expect(reading).toMatchObject(other.film.picture);
    }
    expect((await bench.call("films.get", { filmId })).film.urls.rectified).toBe(other.film.urls.rectified);
  });

  it("keeps the crop of its reading when a new measurement is cancelled before it is stored", async () => {
    bench.engine.answers(photographed);
    const film = await opened();
    const filmIds = [film.id];
    const kept = () => readFilmImage(bench.context, film.sha256, "rectified");
    const before = await kept();
    vi.spyOn(bench.engine, "measure").mockImplementationOnce(() => {
      setImmediate(() => void bench.call("films.cancel", { filmIds }));
      return Promise.resolve({ ...photographed, corners: moved(corners) });
    });
    await bench.call("films.retry", { filmIds });
    await bench.desktop.parts.queue.whenIdle();
    const { film: after, readings } = await bench.call("films.get", { filmId: film.id });
    expect([after.state, readings.length]).toEqual(["cancelled", 1]);
    expect((await kept()).equals(before)).toBe(true);
    bench.engine.answers({ ...photographed, corners: moved(corners) });
    await bench.call("films.retry", { filmIds });
    await bench.desktop.parts.queue.whenIdle();
    expect((await kept()).equals(before)).toBe(false);
  });
});

/** Slightly different corners of the same film, as another pack would find. */
function moved([tl, ...rest]: Corners): Corners {
  return [{ x: tl.x + 40, y: tl.y + 30 }, ...rest];
}

function endsOf({ from, to }: { readonly from: Point; readonly to: Point }): readonly Point[] {
  return [from, to];
}
