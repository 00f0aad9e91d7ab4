import { expect, it } from "vitest";
import { smallPicture } from "../../../../fixtures/desktop-bench.ts";
import { useBench } from "../../../../fixtures/use-bench.ts";
import { getFilm, listFilmsOfPatient } from "../../../../../main/store/films/films.ts";
import { measured } from "../../../store/sample-store.ts";

const bench = useBench();

const rex = { name: "Rex", species: "dog", breed: "Cavalier", owner: "Muster", uuid: "P-100" } as const;

async function film(number: number, patientId: string) {
  const filmId = await bench.addMeasured(`film-${number}.png`, await smallPicture(number), measured);
  await bench.call("films.assignPatient", { filmIds: [filmId], patientId });
  return filmId;
}

it("audits the date and the patient of a film once when the same values are set again", async () => {
  const { id: patientId } = await bench.addPatient(rex);
  const takenAt = "2026-10-01T09:00:00.000Z";
  const filmId = await film(1, patientId);
  for (let round = 0; round < 2; round += 1) await bench.call("films.edit", { filmId, takenAt });
  await bench.call("films.assignPatient", { filmIds: [filmId], patientId });
  const { events } = await bench.call("audit.list", {});
  const actions = events.map(({ action }) => action).filter((action) => /^film\.(dated|assigned)$/.test(action));
  expect(actions).toEqual(["film.dated", "film.assigned"]);
});

it("lists every film of a patient whose change is published, also more than 1,000", async () => {
  const { id: patientId } = await bench.addPatient(rex);
  const filmId = await film(1, patientId);
  const { db } = bench.context;
  const row = { ...(await getFilm(db, filmId)), hasImage: 0, hasRectified: 0 };
  const frames = Array.from({ length: 1000 }, (_, index) => ({ ...row, id: `frame-${index}`, frameIndex: index + 1 }));
  await db.insertInto("films").values(frames).execute();
  expect(await listFilmsOfPatient(db, patientId)).toHaveLength(1001);
});

it("lists the most recently seen first and searches every field, with wildcards as literal characters", async () => {
  const a = await bench.addPatient(rex);
  const b = await bench.addPatient({ name: "Mia 50%_", owner: "Öz" });
  const names = async (search: string) =>
    (await bench.call("patients.list", { search })).patients.map((patient) => patient.name);
  expect(await names("")).toEqual(["Mia 50%_", "Rex"]);
  expect([
    await names("must"),
    await names("p-1"),
    await names("50%"),
    await names("%"),
    await names("a_b"),
    await names("öZ"),
  ]).toEqual([["Rex"], ["Rex"], ["Mia 50%_"], ["Mia 50%_"], [], ["Mia 50%_"]]);
  await film(1, a.id);
  expect(await names("")).toEqual(["Rex", "Mia 50%_"]);
  expect(await bench.call("patients.edit", { patientId: b.id, ...rex, uuid: "P-2", name: "Mia" })).toMatchObject({
    id: b.id,
    name: "Mia",
    uuid: "P-2",
  });
  expect(bench.eventsOf("patients.changed")).toHaveLength(3);
});

it("lists patients of a species or of unknown species, before applying the limit", async () => {
  await bench.addPatient({ name: "Mia", species: "cat" });
  await bench.addPatient({ name: "Luna", species: null });
  for (const name of ["Rex", "Bello"]) await bench.addPatient({ name });
  const list = async (query: object) => {
    const { patients, total } = await bench.call("patients.list", { limit: 2, ...query });
    return [patients.map(({ name }) => name).sort(), total];
  };
  expect(await list({ canBe: "cat" })).toEqual([["Luna", "Mia"], 2]);
  expect(await list({ canBe: "cat", search: "mia" })).toEqual([["Mia"], 1]);
  expect((await list({ canBe: "dog" }))[1]).toBe(3);
  expect((await list({}))[1]).toBe(4);
});

it("keeps fields that an edit omits, requires unique numbers, and stores an empty number as null", async () => {
  const { id: patientId } = await bench.addPatient({ ...rex, weightKg: 31, microchip: "276098" });
  await bench.call("patients.edit", { patientId, owner: "Winter" });
  expect(await bench.call("patients.get", { patientId })).toMatchObject({
    ...rex,
    owner: "Winter",
    weightKg: 31,
    microchip: "276098",
  });
  await expect(bench.addPatient(rex)).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await bench.addPatient({ uuid: "" })).uuid).toBeNull();
  await expect(bench.call("patients.get", { patientId: "nobody" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(bench.call("films.assignPatient", { filmIds: ["none"], patientId: null })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});
