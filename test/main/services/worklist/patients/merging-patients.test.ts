import { expect, it } from "vitest";
import { patientsOfMicrochip } from "../../../../../main/services/worklist/orders/named-patient.ts";
import { findPatientByUuid } from "../../../../../main/store/films/patients.ts";
import { smallPicture } from "../../../../fixtures/desktop-bench.ts";
import { phantomFile } from "../../../dicom/phantom-film.ts";
import { measured } from "../../../store/sample-store.ts";
import { restart, useBench } from "../../../../fixtures/use-bench.ts";

const bench = useBench();

const rex = { name: "Rex", species: "dog", breed: "Beagle", owner: "Muster", uuid: "P-100" } as const;
const rexAgain = {
  ...rex,
  name: "Rex M.",
  breed: "",
  uuid: "P-200",
  microchip: "276098106123456",
  sex: "male",
  isNeutered: true,
  birthDate: "2019-05-30",
  weightKg: 14.2,
} as const;

async function twoRexes() {
  return { kept: await bench.addPatient(rex), gone: await bench.addPatient(rexAgain) };
}

async function twoRexesWithFilm() {
  const rexes = await twoRexes();
  const filmId = await bench.addMeasured("film.png", await smallPicture(1), measured);
  await bench.call("films.assignPatient", { filmIds: [filmId], patientId: rexes.gone.id });
  return { ...rexes, filmId };
}

const found = async (search: string) =>
  (await bench.call("patients.list", { search })).patients.map((patient) => patient.name);
const ownerOf = async (filmId: string) => (await bench.call("films.get", { filmId })).film.patient?.name;
const actions = async () => (await bench.call("audit.list", {})).events.map(({ action }) => action);

it("moves films, identifiers and missing attributes to the kept patient, and is audited", async () => {
  const { kept, gone, filmId } = await twoRexesWithFilm();
  const { patient, films } = await bench.call("patients.merge", { keptId: kept.id, goneId: gone.id });
  expect({ patient, films }).toMatchObject({ films: 1, patient: { ...rexAgain, ...rex, id: kept.id } });
  expect([await found(""), await found("276098"), await ownerOf(filmId)]).toEqual([["Rex"], ["Rex"], "Rex"]);
  expect(await actions()).toContain("patient.merged");
  // The merged identifier now belongs to the kept patient.
  await expect(bench.addPatient({ uuid: "P-200" })).rejects.toMatchObject({ code: "CONFLICT" });
});

it("keeps the other microchip of the merged patient until the merge is undone", async () => {
  const { kept, gone } = await twoRexes();
  await bench.call("patients.edit", { patientId: kept.id, microchip: "276098100000001" });
  const { undoId } = await bench.call("patients.merge", { keptId: kept.id, goneId: gone.id });
  const ofChip = async (number: string) =>
    (await patientsOfMicrochip(bench.context.db, number)).map(({ name }) => name);
  expect([await found("276 098 106 123 456"), await found("276098100000001")]).toEqual([["Rex"], ["Rex"]]);
  expect([await ofChip("276-098-106-123-456"), await ofChip("276098100000001")]).toEqual([["Rex"], ["Rex"]]);
  await bench.call("patients.unmerge", { undoId });
  expect([await ofChip("276098106123456"), await ofChip("276098100000001")]).toEqual([["Rex M."], ["Rex"]]);
});

it("does not take a microchip from a third patient that has it as its number", async () => {
  const { kept, gone } = await twoRexes();
  const third = await bench.addPatient({ uuid: rexAgain.microchip });
  await bench.call("patients.merge", { keptId: kept.id, goneId: gone.id });
  expect((await findPatientByUuid(bench.context.db, rexAgain.microchip))?.id).toBe(third.id);
});

it("can be undone after a restart", async () => {
  const { kept, gone, filmId } = await twoRexesWithFilm();
  const { undoId } = await bench.call("patients.merge", { keptId: kept.id, goneId: gone.id });
  await restart(bench);
  expect((await bench.call("patients.mergers", {})).mergers).toEqual([{ undoId, keptId: kept.id, goneName: "Rex M." }]);
  await bench.call("patients.unmerge", { undoId });
  expect(await ownerOf(filmId)).toBe("Rex M.");
  expect(await bench.call("patients.get", { patientId: gone.id })).toMatchObject({ ...rexAgain, id: gone.id });
  expect((await bench.call("patients.mergers", {})).mergers).toEqual([]);
});

it("can be undone once, and later changes are kept", async () => {
  const { kept, gone, filmId } = await twoRexesWithFilm();
  const { undoId } = await bench.call("patients.merge", { keptId: kept.id, goneId: gone.id });
  await bench.call("patients.edit", { patientId: kept.id, ...rexAgain, ...rex, weightKg: 15 });
  await bench.call("patients.unmerge", { undoId });
  expect(await ownerOf(filmId)).toBe("Rex M.");
  expect(await bench.call("patients.get", { patientId: gone.id })).toMatchObject({ ...rexAgain, id: gone.id });
  const unmerged = { ...rex, microchip: null, sex: null, weightKg: 15 };
  expect(await bench.call("patients.get", { patientId: kept.id })).toMatchObject(unmerged);
  expect(await actions()).toContain("patient.unmerged");
  await expect(bench.call("patients.unmerge", { undoId })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("restores later films by their Patient ID to the merged patient when undone", async () => {
  const add = (instance: string, patientId: string, name: string) =>
    bench.addFile("film.dcm", phantomFile({ instance, patientId, patientName: `Muster^${name}` }));
  const [first, second] = [await add("1.2.3.1", "P-1", "Rex"), await add("1.2.3.2", "P-2", "Bella")];
  const mistaken = await add("1.2.3.3", "P-2", "Bella");
  const [keptId, goneId] = [first.patient!.id, second.patient!.id];
  await bench.call("films.assignPatient", { filmIds: [mistaken.id], patientId: keptId });
  const { undoId } = await bench.call("patients.merge", { keptId, goneId });
  const since = [await add("1.2.3.4", "P-2", "Bella"), await add("1.2.3.5", "P-1", "Rex")];
  expect(since.map(({ patient }) => patient?.id)).toEqual([keptId, keptId]);
  await bench.call("patients.unmerge", { undoId });
  const owners = await Promise.all([first, second, mistaken, ...since].map(({ id }) => ownerOf(id)));
  expect(owners).toEqual(["Rex", "Bella", "Rex", "Bella", "Rex"]);
});

it("can be undone if the kept patient has the other's identifier, which is then restored", async () => {
  const { kept, gone } = await twoRexes();
  const third = await bench.addPatient({ uuid: "P-300" });
  const first = await bench.call("patients.merge", { keptId: gone.id, goneId: third.id });
  const { undoId } = await bench.call("patients.merge", { keptId: kept.id, goneId: gone.id });
  // The merged patient's own identifier, and one from an earlier merge.
  for (const uuid of ["P-200", "P-300"]) {
    await bench.call("patients.edit", { patientId: kept.id, uuid });
    if (uuid === "P-300") await bench.call("patients.unmerge", { undoId });
    else {
      const other = await bench.addPatient({ uuid: "P-100" });
      await expect(bench.call("patients.unmerge", { undoId })).rejects.toMatchObject({ code: "CONFLICT" });
      await bench.call("patients.edit", { patientId: other.id, uuid: null });
    }
  }
  await bench.call("patients.unmerge", { undoId: first.undoId });
  const uuids = [kept, gone, third].map(async ({ id }) => (await bench.call("patients.get", { patientId: id })).uuid);
  expect(await Promise.all(uuids)).toEqual(["P-100", "P-200", "P-300"]);
});

it("shows a merged cat's screenings, also after a second merge", async () => {
  const [first, second, third] = [
    await bench.addPatient({ species: "cat" }),
    await bench.addPatient({ species: "cat", uuid: "C-2" }),
    await bench.addPatient({ species: "cat" }),
  ];
  const features = { BUN: 28, CREATININE: 1.4, HGB: 13, "ABSOLUTE LYMPHOCYTES": 2400, age_months: 132 };
  for (const { id } of [first, second]) await bench.call("usg.screen", { features, patientId: id });
  await bench.call("patients.merge", { keptId: second.id, goneId: first.id });
  const { undoId } = await bench.call("patients.merge", { keptId: third.id, goneId: second.id });
  const count = async (patientId: string) => (await bench.call("usg.history", { patientId })).screenings.length;
  expect(await count(third.id)).toBe(2);
  await bench.call("patients.unmerge", { undoId });
  expect([await count(second.id), await count(third.id)]).toEqual([2, 0]);
});

it("rejects patients of two species, and a patient with itself", async () => {
  const dog = await bench.addPatient();
  const cat = await bench.addPatient({ species: "cat" });
  for (const goneId of [cat.id, dog.id])
    await expect(bench.call("patients.merge", { keptId: dog.id, goneId })).rejects.toMatchObject({
      code: "INVALID_FIELD",
    });
});

it("merges a patient whose number came from an earlier merge, and restores both its numbers on undo", async () => {
  const { kept, gone } = await twoRexes();
  await bench.call("patients.merge", { keptId: kept.id, goneId: gone.id });
  await bench.call("patients.edit", { patientId: kept.id, uuid: rexAgain.uuid });
  const last = await bench.addPatient({ uuid: "P-300" });
  const { undoId } = await bench.call("patients.merge", { keptId: last.id, goneId: kept.id });
  const patientOf = async (uuid: string) => (await findPatientByUuid(bench.context.db, uuid))?.id;
  expect([await patientOf("P-200"), await patientOf("P-300")]).toEqual([last.id, last.id]);
  await bench.call("patients.unmerge", { undoId });
  await bench.call("patients.edit", { patientId: kept.id, uuid: "P-400" });
  expect([await patientOf("P-200"), await patientOf("P-400"), await patientOf("P-300")]).toEqual([
    kept.id,
    kept.id,
    last.id,
  ]);
});
