import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isSampleFilm, sampleFilms } from "../../../../core/sample-study.ts";
import { samplesDir } from "../../../../main/program.ts";
import { openBench, smallPicture, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { measuredAt } from "../../store/sample-store.ts";
import { rawly } from "../../../fixtures/raw-store.ts";

let bench: DesktopBench;
beforeEach(async () => (bench = await openBench()));
afterEach(() => bench.remove());

const charges = async () => (await rawly(bench.context.db, "SELECT seq FROM ledger WHERE amount_cents > 0")).length;

async function load() {
  bench.engine.answers(measuredAt(10));
  const { films } = await bench.call("sample.load", { language: "en" });
  await bench.desktop.parts.queue.whenIdle();
  return films;
}

it("knows its films by their bytes", () => {
  const hashOf = (file: string) =>
    createHash("sha256")
      .update(readFileSync(path.join(samplesDir, file)))
      .digest("hex");
  expect(sampleFilms.map(({ file }) => hashOf(file))).toEqual(sampleFilms.map(({ sha256 }) => sha256));
  expect(isSampleFilm({ sha256: "0".repeat(64) })).toBe(false);
});

it("loads two measured films of one dog that says it is simulated, a year apart, and charges nothing", async () => {
  const films = await load();
  expect(films.map(({ patient }) => patient?.name)).toEqual(["Sample dog (simulated)", "Sample dog (simulated)"]);
  expect(films.map(({ takenAt }) => takenAt.slice(0, 7))).toEqual(["2025-11", "2026-11"]);
  const listed = (await bench.call("films.list", {})).films;
  expect(listed.map(({ state, reading }) => [state, typeof reading?.vhs])).toEqual([
    ["done", "number"],
    ["done", "number"],
  ]);
  expect(await charges()).toBe(0);
  expect(await bench.call("sample.get", {})).toEqual({ isLoaded: true });
});

it("is there once, however often it is loaded", async () => {
  const first = await load();
  const second = await load();
  expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  expect((await bench.call("patients.list", {})).total).toBe(1);
});

it("stays out of the agreement, and of the export for training, asked for by name too", async () => {
  const [film] = await load();
  const { readings } = await bench.call("films.get", { filmId: film!.id });
  await bench.call("readings.save", {
    filmId: film!.id,
    basedOn: readings[0]!.id,
    verdict: "accepted",
    who: "Dr Weber",
    geometry: null,
  });
  expect((await bench.call("agreement.get", { measure: "vhs", which: "all" })).total).toBe(0);
  expect(await bench.call("films.exportAnnotated", { filmIds: [] })).toMatchObject({ exported: 0, skipped: [] });
  expect(await bench.call("films.exportAnnotated", { filmIds: [film!.id] })).toMatchObject({
    exported: 0,
    skipped: [{ filmId: film!.id, reason: "a simulated film of the sample study" }],
  });
});

it("is removed without a trace in lists and trends, and a film of the clinic's own stays", async () => {
  const [sample] = await load();
  bench.engine.answers(measuredAt(9));
  await bench.addFile("own.png", await smallPicture(3));
  await bench.desktop.parts.queue.whenIdle();
  const own = (await bench.call("films.list", { search: "own.png" })).films[0]!;
  await bench.call("films.assignPatient", { filmIds: [own.id], patientId: sample!.patient!.id });
  await bench.call("sample.remove", {});
  const left = (await bench.call("films.list", {})).films;
  expect(left.map(({ id, patient, reading }) => [id, patient, typeof reading?.vhs])).toEqual([
    [own.id, null, "number"],
  ]);
  expect((await bench.call("patients.list", {})).total).toBe(0);
  expect(await bench.call("sample.get", {})).toEqual({ isLoaded: false });
});

it("can be loaded again after it was removed", async () => {
  await load();
  await bench.call("sample.remove", {});
  expect(await load()).toHaveLength(2);
});

it("is removed when its films have no patient", async () => {
  const films = await load();
  await bench.call("films.assignPatient", { filmIds: films.map(({ id }) => id), patientId: null });
  await bench.call("sample.remove", {});
  expect((await bench.call("films.list", {})).total).toBe(0);
});
