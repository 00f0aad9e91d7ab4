import { describe, expect, it } from "vitest";
import { AppError } from "../../../../../core/app-error.ts";
import type { RadiographMeasurement } from "../../../../../core/cardiac/radiograph-measurement.ts";
import type { DesktopRequest } from "../../../../../core/contract/desktop.ts";
import { scoreByHand } from "../../../../../core/cardiac/ruler/ruler-by-hand.ts";
import { appendReading, getLatestReading } from "../../../../../main/store/films/readings.ts";
import { smallPicture } from "../../../../fixtures/desktop-bench.ts";
import { openBenchForTest, useBenchOfFile } from "../../../../fixtures/use-bench.ts";
import { measured, measuredPicture, rejected } from "../../../store/sample-store.ts";
import { rawly, tamper } from "../../../../fixtures/raw-store.ts";

const bench = useBenchOfFile();
let films = 0;

async function measuredFilm(answer: RadiographMeasurement | Error = measured) {
  const name = `film-${(films += 1)}.png`;
  bench.engine.answers(answer);
  return await bench.openFilm(name, await smallPicture(films));
}

const listed = async (filter: DesktopRequest<"films.list">) =>
  (await bench.call("films.list", { limit: 500, ...filter })).films.map(({ id }) => id);

const { heart_top, heart_bottom, heart_right, heart_left, VLAS } = measured.landmarks;
const geometry = {
  ...measuredPicture,
  heart: { heart_top, heart_bottom: { x: 640, y: 720 }, heart_right, heart_left, VLAS },
  edges: [...measured.edges],
};
const by = { who: "Dr. Muster", remark: "apex lower" };

describe("readings", () => {
  it("keeps the proposal and stores the correction as the next version, scored as on the screen", async () => {
    const film = await measuredFilm();
    const { reading, film: after } = await bench.decide(film.id, { verdict: "corrected", ...by, geometry });
    const { ruler, score } = scoreByHand(geometry.heart, geometry.edges);
    expect(reading.outline).toBeNull();
    expect(reading).toMatchObject({
      version: 2,
      source: "person",
      verdict: "corrected",
      ...by,
      score,
      ruler,
      heart: geometry.heart,
      resultCode: null,
      tier: null,
      provenance: null,
      frame: { widthPx: 1080, heightPx: 900 },
    });
    expect(after.reading).toMatchObject({ version: 2, vhs: score.vhs, verdict: "corrected" });
    const { readings } = await bench.call("films.get", { filmId: film.id });
    expect(readings.map(({ version, source, who }) => [version, source, who])).toEqual([
      [1, "model", null],
      [2, "person", "Dr. Muster"],
    ]);
    expect(readings[0]!.score).toEqual(measured.score);
  });

  it("stores the outline from which the axes were derived", async () => {
    const film = await measuredFilm();
    const outline = [heart_top, { x: 640, y: 720 }, heart_right];
    const { reading } = await bench.decide(film.id, { verdict: "corrected", geometry: { ...geometry, outline } });
    expect(reading.outline).toEqual(outline);
  });

  it("keeps the review reasons on acceptance, and has none on readings of an earlier version", async () => {
    const reviewReasons = [{ kind: "member_scatter" as const, value: 0.172, limit: 0.11 }];
    // `tamper` drops the store's guards, so this test has a bench of its own.
    const other = await openBenchForTest();
    const toReview = { ...measured, resultCode: 3, tier: "review", reviewReasons } as const;
    const filmId = await other.addMeasured("film.png", await smallPicture(1), toReview);
    await other.accept(filmId);
    const reasons = async () =>
      (await other.call("films.get", { filmId })).readings.map((reading) => reading.reviewReasons);
    expect(await reasons()).toEqual([reviewReasons, reviewReasons]);
    for (const { id, detail } of await rawly(other.context.db, "SELECT id, detail FROM readings")) {
      const earlier = { ...(JSON.parse(String(detail)) as object), reviewReasons: undefined };
      const text = JSON.stringify(earlier).replaceAll("'", "''");
      await tamper(other.context.db, `UPDATE readings SET detail = '${text}' WHERE id = '${String(id)}'`);
    }
    expect(await reasons()).toEqual([[], []]);
  });

  it("accepts and rejects a reading unchanged", async () => {
    const film = await measuredFilm();
    const accepted = await bench.accept(film.id);
    expect(accepted.reading).toMatchObject({
      version: 2,
      verdict: "accepted",
      resultCode: 1,
      score: measured.score,
      provenance: measured.provenance,
      remark: "",
    });
    const refused = await bench.decide(film.id, { verdict: "rejected", who: "B", remark: "rotated" });
    expect(refused.film.reading).toMatchObject({ version: 3, verdict: "rejected" });
  });

  it("closes a film that cannot be measured with a rejection reason", async () => {
    const refused = await measuredFilm({ ...rejected, takenFor: "document" });
    expect(await listed({ standing: "undecided" })).toContain(refused.id);
    await bench.decide(refused.id, { verdict: "rejected", rejectionReason: "view" });
    expect(await listed({ standing: "undecided" })).not.toContain(refused.id);
    const { film, readings } = await bench.call("films.get", { filmId: refused.id });
    expect(film.reading).toMatchObject({ verdict: "rejected", rejectionReason: "view", vhs: null });
    expect(readings.at(-1)).toMatchObject({ rejectionReason: "view", takenFor: "document" });
  });

  it("closes a film without a reading", async () => {
    const film = await measuredFilm(new AppError("MODELS_NOT_LOADED"));
    expect(film.reading).toBeNull();
    await expect(bench.accept(film.id)).rejects.toMatchObject({ code: "CONFLICT" });
    const closed = await bench.decide(film.id, { verdict: "rejected", rejectionReason: "quality" });
    expect(closed.reading).toMatchObject({ version: 1, heart: null, score: null, rejectionReason: "quality" });
    expect(closed.film).toMatchObject({ state: "done", failure: null, reading: { verdict: "rejected" } });
  });

  it("omits the values of a rejected reading from the list, and drops the reason on acceptance", async () => {
    const film = await measuredFilm();
    const rejectedFilm = await bench.decide(film.id, { verdict: "rejected", rejectionReason: "measurement" });
    expect(rejectedFilm.film.reading).toMatchObject({ vhs: null, vlas: null });
    const accepted = await bench.accept(film.id);
    expect(accepted.reading).not.toHaveProperty("rejectionReason");
    expect(accepted.film.reading).toMatchObject({ verdict: "accepted", vhs: film.reading!.vhs });
  });

  it("undoes a decision: the previous reading is current again and the film is undecided", async () => {
    const film = await measuredFilm();
    const decided = await bench.accept(film.id);
    const take = { filmId: film.id, readingId: decided.reading.id };
    const undone = await bench.call("readings.undo", take);
    expect(undone.reading).toMatchObject({
      version: 3,
      source: "model",
      verdict: null,
      who: null,
      score: measured.score,
    });
    expect(undone.reading.at < decided.reading.at && decided.reading.at < undone.reading.undoneAt!).toBe(true);
    expect(undone.film.reading).toMatchObject({ version: 3, verdict: null, vhs: film.reading!.vhs });
    expect(await listed({ standing: "undecided" })).toContain(film.id);
    await expect(bench.call("readings.undo", take)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(bench.call("readings.undo", { filmId: film.id, readingId: undone.reading.id })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    const events = await rawly(bench.context.db, "SELECT action FROM audit_events ORDER BY seq");
    expect(events.map(({ action }) => action).slice(-2)).toEqual(["reading.accepted", "reading.undone"]);
    expect((await bench.accept(film.id)).reading).not.toHaveProperty("undoneAt");
  });

  it("undoes the rejection of an unmeasured film: it is undecided again and keeps every version", async () => {
    const film = await measuredFilm(new AppError("MODELS_NOT_LOADED"));
    const rejection = { verdict: "rejected", who: "A" } as const;
    const reasons = { rejectionReason: "quality", remark: "blurred" } as const;
    const { reading } = await bench.decide(film.id, { ...rejection, ...reasons });
    const standings = async () =>
      Promise.all(
        (["undecided", "decided"] as const).map(async (standing) => (await listed({ standing })).includes(film.id)),
      );
    expect(await standings()).toEqual([false, true]);
    bench.setNow(new Date("2030-01-01T00:00:00Z"));
    const undone = await bench.call("readings.undo", { filmId: film.id, readingId: reading.id });
    const at = expect.stringMatching(/^2030-01-01T/) as string;
    expect(undone.reading).toMatchObject({ version: 2, verdict: null, takenBackBy: "A", at, remark: "", heart: null });
    expect(undone.reading).not.toHaveProperty("rejectionReason");
    expect(undone.film).toMatchObject({ state: "done", reading: null });
    expect(await standings()).toEqual([true, false]);
    expect((await bench.call("films.get", { filmId: film.id })).readings).toHaveLength(2);
    expect(await listed({ grade: "check" })).not.toContain(film.id);
    const again = await bench.decide(film.id, rejection);
    expect(again.reading).not.toHaveProperty("takenBackBy");
    expect(again.film.reading).toMatchObject({ version: 3, verdict: "rejected", facts: { rejection: { who: "A" } } });
  });

  it("stores no version for a repeated acceptance, but one for another user or another remark", async () => {
    const film = await measuredFilm();
    const versions: number[] = [];
    for (const by of [{ who: "A" }, { who: "A" }, { who: "A", remark: "loud murmur" }, { who: "B" }])
      versions.push((await bench.decide(film.id, { verdict: "accepted", ...by })).reading.version);
    expect(versions).toEqual([2, 2, 3, 4]);
  });

  it("rejects a correction based on a superseded reading", async () => {
    const film = await measuredFilm();
    const request = { basedOn: film.reading!.readingId, verdict: "corrected", ...by, geometry } as const;
    await bench.decide(film.id, request);
    await expect(bench.decide(film.id, request)).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await bench.call("films.get", { filmId: film.id })).readings).toHaveLength(2);
  });

  it("rejects a manual measurement based on a superseded reading", async () => {
    const film = await measuredFilm();
    const basedOn = film.reading!.readingId;
    const byHand = { verdict: "by_hand", geometry: { ...geometry, ...film.picture } } as const;
    await bench.decide(film.id, { verdict: "accepted", remark: "no murmur" });
    for (const superseded of [basedOn, null])
      await expect(bench.decide(film.id, { ...byHand, basedOn: superseded })).rejects.toMatchObject({
        code: "CONFLICT",
      });
    const { film: after } = await bench.decide(film.id, byHand);
    expect(after.reading).toMatchObject({ version: 3, verdict: "by_hand" });
  });

  it("stores a manual measurement without models, in processed pixels, with two edges and no VLAS", async () => {
    await bench.call("settings.save", { measuresOnArrival: false });
    const asked = bench.engine.asked.length;
    const film = await measuredFilm();
    await bench.call("settings.save", { measuresOnArrival: true });
    const tenth = (point: { x: number; y: number }) => ({ x: point.x / 10, y: point.y / 10 });
    const heart = {
      heart_top: tenth(heart_top),
      heart_bottom: tenth(heart_bottom),
      heart_right: tenth(heart_right),
      heart_left: tenth(heart_left),
      VLAS: null,
    };
    const edges = [tenth(measured.edges[0]!), tenth(measured.edges[5]!)];
    const byHand = { verdict: "by_hand", geometry: { ...film.picture, heart, edges } } as const;
    const { reading, film: after } = await bench.decide(film.id, byHand);
    expect(reading).toMatchObject({
      version: 1,
      verdict: "by_hand",
      resultCode: null,
      tier: null,
      frame: film.picture.frame,
      edges,
      ruler: { kind: "fallback" },
    });
    expect([after.state, after.reading?.vlas, after.reading?.vhs]).toEqual([
      "done",
      null,
      scoreByHand(heart, edges).score.vhs,
    ]);
    expect(bench.engine.asked).toHaveLength(asked);
  });

  it.each([
    ["a correction without points", { verdict: "corrected", geometry: null }, "MISSING_FIELD"],
    [
      "points without a valid score",
      { verdict: "corrected", geometry: { ...geometry, heart: { ...geometry.heart, heart_bottom: heart_top } } },
      "INVALID_FIELD",
    ],
    [
      "edges on one point",
      { verdict: "corrected", geometry: { ...geometry, edges: [heart_top, heart_top, heart_bottom] } },
      "EDGES_COINCIDE",
    ],
    ["one edge", { verdict: "corrected", geometry: { ...geometry, edges: [heart_top] } }, "INVALID_FIELD"],
    ["a blank author", { verdict: "accepted", geometry: null, who: "  " }, "INVALID_FIELD"],
    [
      "a point of NaN",
      {
        verdict: "corrected",
        geometry: { ...geometry, heart: { ...geometry.heart, heart_top: { x: Number.NaN, y: 1 } } },
      },
      "INVALID_FIELD",
    ],
  ] as const)("rejects %s", async (_name, change, code) => {
    const film = await measuredFilm();
    const decision = { ...by, ...change, geometry: change.geometry as typeof geometry | null };
    await expect(bench.decide(film.id, decision)).rejects.toMatchObject({ code });
    expect((await bench.call("films.get", { filmId: film.id })).readings).toHaveLength(1);
  });

  it("rejects acceptance of a film that the networks rejected, but stores a correction", async () => {
    const film = await measuredFilm({ ...rejected, takenFor: "document" });
    await expect(bench.accept(film.id)).rejects.toMatchObject({ code: "INVALID_FIELD" });
    const frame = { widthPx: rejected.widthPx, heightPx: rejected.heightPx };
    const { film: after } = await bench.decide(film.id, { verdict: "corrected", geometry: { ...geometry, frame } });
    expect(after.reading?.vhs).not.toBeNull();
  });

  it("rejects an acceptance while the film is being measured", async () => {
    const film = await measuredFilm();
    bench.engine.hold();
    await bench.call("films.retry", { filmIds: [film.id] });
    await expect(bench.accept(film.id)).rejects.toMatchObject({ code: "CONFLICT" });
    bench.engine.release();
    const state = async () => (await bench.call("films.get", { filmId: film.id })).film.state;
    await expect.poll(state).toBe("done");
  });

  it("lists no values of a film without a VHS, even if others are stored", async () => {
    const film = await measuredFilm();
    const kept = (await getLatestReading(bench.context.db, film.id))!;
    const values = { vhs: null, vlas: 2.57 };
    await appendReading(bench.context.db, { ...kept, id: "kept before", resultCode: 5, values });
    const { film: after } = await bench.call("films.get", { filmId: film.id });
    expect(after.reading).toMatchObject({ readingId: "kept before", resultCode: 5, vhs: null, vlas: null });
  });
});
