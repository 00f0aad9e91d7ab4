// Runs once: opens PostgreSQL or both engines directly.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cornersInOtherSize, type Corners } from "../../../../../core/cardiac/points.ts";
import type { RadiographMeasurement } from "../../../../../core/cardiac/radiograph-measurement.ts";
import { processedSizePx } from "../../../../../main/imaging/processed-size.ts";
import { readFilmImage } from "../../../../../main/services/desktop/film-images.ts";
import type { WritableDb } from "../../../../../main/store/database.ts";
import type { DesktopBench } from "../../../../fixtures/desktop-bench.ts";
import { openDraftsBench, type DraftsBench } from "../../../../fixtures/drafts-bench.ts";
import { refuseRows } from "../../../../fixtures/raw-store.ts";
import { measured } from "../../../store/sample-store.ts";

type Pair = readonly [number, number];
type Screens = { images: { file: string; width: number; height: number; corners: [Pair, Pair, Pair, Pair] }[] };
const screen = (JSON.parse(readFileSync("test/fixtures/screens/index.json", "utf8")) as Screens).images[0]!;
const bytes = readFileSync(`test/fixtures/screens/${screen.file}`);
const full = { widthPx: screen.width, heightPx: screen.height };
const [tl, tr, br, bl] = screen.corners.map(([x, y]) => ({ x, y })) as unknown as Corners;
const corners = cornersInOtherSize([tl, tr, br, bl], full, processedSizePx(full));
const otherCorners = corners.map(({ x, y }, index) => ({ x: x + index + 1, y: y + 2 })) as unknown as Corners;
const photographed = { ...measured, popDetected: true, spread: null, widthPx: 800, heightPx: 600 } as const;

let opened: DraftsBench;
let bench: DesktopBench;
let drafts: WritableDb;
beforeEach(async () => {
  opened = await openDraftsBench();
  ({ bench, drafts } = opened);
});
afterEach(() => opened.remove());

const note = { id: "1", tool: "note" as const, points: [{ x: 400, y: 300 }], text: "Gas" };
const measureAs = async (answer: RadiographMeasurement) => {
  bench.engine.answers(answer);
  await bench.addFile(screen.file, bytes);
  await bench.desktop.parts.queue.whenIdle();
  return (await bench.call("films.list", {})).films[0]!;
};
const drawOn = async (filmId: string) => {
  const { film } = await bench.call("films.get", { filmId });
  const set = { ...film.picture, calibration: null, annotations: [note] };
  await bench.call("annotations.save", { filmId, basedOn: 0, who: "Dr Weber", set });
};
const drawn = async (filmId: string) => (await bench.call("annotations.list", { filmId })).versions.at(-1)!.set;
const cutOf = (db: WritableDb, sha256: string) => readFilmImage({ db }, sha256, "rectified");

describe("a photograph that the practice has cut a film out of, measured again while its database is away,", () => {
  it("is shown there as it was cut out last, with the drawings of the practice on it", async () => {
    const there = await measureAs({ ...photographed, corners });
    await drawOn(there.id);
    await opened.goAway();
    await measureAs({ ...photographed, corners: otherCorners });
    const kept = await cutOf(drafts, there.sha256);
    await opened.comeBack();
    const { film } = await bench.call("films.get", { filmId: there.id });
    expect(film.picture.corners).toEqual(otherCorners);
    expect((await cutOf(bench.context.db, there.sha256)).equals(kept)).toBe(true);
    const set = await drawn(there.id);
    expect(set.corners).toEqual(otherCorners);
    expect(set.annotations[0]!.points).not.toEqual(note.points);
  });

  it("is shown there as the file itself once it was measured as a direct film", async () => {
    const there = await measureAs({ ...photographed, corners });
    await drawOn(there.id);
    await opened.goAway();
    await measureAs(measured);
    await opened.comeBack();
    const { film } = await bench.call("films.get", { filmId: there.id });
    expect([film.picture.corners, film.urls.rectified]).toEqual([null, null]);
    expect((await drawn(there.id)).frame).toEqual(full);
  });

  it("is cut out there anew where its draft was removed, and its picture with it", async () => {
    const there = await measureAs({ ...photographed, corners });
    const before = await cutOf(bench.context.db, there.sha256);
    await opened.goAway();
    const draft = await measureAs({ ...photographed, corners: otherCorners });
    const basedOn = draft.reading!.readingId;
    const accepted = { basedOn, verdict: "accepted", who: "Dr Weber", geometry: null } as const;
    await bench.call("readings.save", { filmId: draft.id, ...accepted });
    await bench.call("films.remove", { filmIds: [draft.id] });
    await opened.comeBack();
    const { film, readings } = await bench.call("films.get", { filmId: there.id });
    expect([readings.length, film.picture.corners]).toEqual([3, otherCorners]);
    expect((await cutOf(bench.context.db, there.sha256)).equals(before)).toBe(false);
  });

  it("takes what was drawn on it meanwhile along to the film that is shown there", async () => {
    const there = await measureAs({ ...photographed, corners });
    await opened.goAway();
    await bench.call("settings.save", { measuresOnArrival: false });
    const draft = await measureAs(measured);
    expect(draft.reading).toBeNull();
    await drawOn(draft.id);
    await opened.comeBack();
    expect(await drawn(there.id)).toMatchObject({ frame: { widthPx: 800, heightPx: 600 }, corners });
  });

  it("stays as it was cut out where the readings of the new cut cannot be kept", async () => {
    const there = await measureAs({ ...photographed, corners });
    const before = await cutOf(bench.context.db, there.sha256);
    await opened.goAway();
    await measureAs({ ...photographed, corners: otherCorners });
    await refuseRows(bench.context.db, "readings", { message: "broken" });
    await expect(opened.comeBack()).rejects.toThrow();
    expect((await cutOf(bench.context.db, there.sha256)).equals(before)).toBe(true);
  });
});
