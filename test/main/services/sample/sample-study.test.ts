// Runs once: its queries are tested elsewhere.
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { isSampleFilm, sampleFilms } from "../../../../core/sample-study.ts";
import { samplesDir } from "../../../../main/program.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { measuredAt } from "../../store/sample-store.ts";
import { rawly } from "../../../fixtures/raw-store.ts";

const bench = useBench();

const charges = async () => (await rawly(bench.context.db, "SELECT seq FROM ledger WHERE amount_cents > 0")).length;

async function load() {
  bench.engine.answers(measuredAt(10));
  const { films } = await bench.call("sample.load", { language: "en" });
  await bench.desktop.parts.queue.whenIdle();
  return films;
}

const patients = async () => (await bench.call("patients.list", {})).patients.map(({ name }) => name);
const listed = async () =>
  (await bench.call("films.list", {})).films.map(({ id, patient, reading }) => [
    id,
    patient?.id ?? null,
    typeof reading?.vhs,
  ]);

async function addOwn() {
  bench.engine.answers(measuredAt(9));
  return await bench.openFilm("own.png", await smallPicture(3));
}

it("recognises its films by their hashes", () => {
  const hashOf = (file: string) =>
    createHash("sha256")
      .update(readFileSync(path.join(samplesDir, file)))
      .digest("hex");
  expect(sampleFilms.map(({ file }) => hashOf(file))).toEqual(sampleFilms.map(({ sha256 }) => sha256));
  expect(isSampleFilm({ sha256: "0".repeat(64) })).toBe(false);
});

it("loads two measured films of one simulated dog once, a year apart, without a charge", async () => {
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
  expect((await load()).map(({ id }) => id)).toEqual(films.map(({ id }) => id));
  expect((await bench.call("patients.list", {})).total).toBe(1);
});

it("is excluded from the agreement and from the training export", async () => {
  const [film] = await load();
  await bench.accept(film!.id);
  expect((await bench.call("agreement.get", { measure: "vhs" })).total).toBe(0);
  expect(await bench.call("films.exportAnnotated", { exportId: randomUUID() })).toMatchObject({
    exported: 0,
    skipped: 0,
  });
});

it("is removed from lists and trends without the clinic's own films, and can be loaded again", async () => {
  await load();
  const own = await addOwn();
  await bench.call("sample.remove", {});
  expect(await listed()).toEqual([[own.id, null, "number"]]);
  expect((await bench.call("patients.list", {})).total).toBe(0);
  expect(await bench.call("sample.get", {})).toEqual({ isLoaded: false });
  expect(await load()).toHaveLength(2);
});

it("keeps its patient if one of the clinic's own films is assigned to it", async () => {
  const [sample] = await load();
  const own = await addOwn();
  const patientId = sample!.patient!.id;
  await bench.call("films.assignPatient", { filmIds: [own.id], patientId });
  await bench.call("sample.remove", {});
  expect(await listed()).toEqual([[own.id, patientId, "number"]]);
});

it("removes a sample film that was assigned to another patient, but not the patient", async () => {
  const [sample] = await load();
  const own = await addOwn();
  const { id: patientId } = await bench.addPatient({}, own.id, sample!.id);
  await bench.call("sample.remove", {});
  expect(await listed()).toEqual([[own.id, patientId, "number"]]);
  expect((await bench.call("trends.get", { patientId })).points.map(({ filmId }) => filmId)).toEqual([own.id]);
  expect(await patients()).toEqual(["Rex"]);
});

it.each(["sample", "animal"])("keeps a patient that was merged with the sample, if the %s was kept", async (kept) => {
  const [sample] = await load();
  const own = await addOwn();
  const { id: animalId } = await bench.addPatient({}, own.id);
  const sampleId = sample!.patient!.id;
  const [keptId, goneId] = kept === "sample" ? [sampleId, animalId] : [animalId, sampleId];
  await bench.call("patients.merge", { keptId, goneId });
  await bench.call("sample.remove", {});
  expect(await listed()).toEqual([[own.id, keptId, "number"]]);
  expect((await bench.call("patients.get", { patientId: keptId })).id).toBe(keptId);
});

it("keeps its patient if it was renamed", async () => {
  const [sample] = await load();
  await bench.call("patients.edit", { patientId: sample!.patient!.id, name: "Rex" });
  await bench.call("sample.remove", {});
  expect([await listed(), await patients()]).toEqual([[], ["Rex"]]);
});

it("is removed when its films have no patient", async () => {
  const films = await load();
  await bench.call("films.assignPatient", { filmIds: films.map(({ id }) => id), patientId: null });
  await bench.call("sample.remove", {});
  expect((await bench.call("films.list", {})).total).toBe(0);
});
