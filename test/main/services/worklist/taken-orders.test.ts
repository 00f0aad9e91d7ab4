import { expect, test } from "vitest";
import { order } from "../../../../core/contract/desktop/network/orders.ts";
import { getNextOrder, orderOfFilm } from "../../../../main/services/worklist/orders/taken-orders.ts";
import { takeOrder } from "../../../../main/services/worklist/orders/take-order.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";

const bench = useBench();

const taken = order.parse({
  ...{
    studyInstanceUid: "1.2.3",
    accessionNumber: "A-1",
    procedureId: null,
    procedure: null,
    stepId: null,
    step: null,
  },
  ...{ station: null, modality: "DX", day: null, time: null, referrer: null },
  patient: {
    ...{
      number: "P-1",
      issuer: null,
      fullName: "Sommer^Luna",
      name: "Luna",
      owner: "Sommer",
      species: "dog",
      breed: "",
    },
    ...{ sex: null, isNeutered: null, birthDate: null },
  },
});

test.each([
  ["an hour later", "2026-11-25T10:00:00Z", true],
  ["a day later", "2026-11-26T10:00:00Z", false],
  ["after a clock days ahead was corrected", "2026-11-20T09:00:00Z", false],
])("getNextOrder returns orders of the last 24 hours only: %s", async (_, later, isWaiting) => {
  bench.setNow(new Date("2026-11-25T09:00:00Z"));
  await takeOrder(bench.desktop.context, taken);
  bench.setNow(new Date(later));
  expect((await getNextOrder(bench.desktop.context)) !== null).toBe(isWaiting);
});

test("an order of a merged patient stays next, and the next picture is assigned to the kept patient", async () => {
  const { patient: gone } = await takeOrder(bench.desktop.context, taken);
  const { id: keptId } = await bench.addPatient({ name: "Luna S.", owner: "Sommer" });
  const { undoId } = await bench.call("patients.merge", { keptId, goneId: gone.id });
  const { next } = await bench.call("orders.next", {});
  expect(next).toMatchObject({ order: { accessionNumber: "A-1" }, patient: { id: keptId, name: "Luna S." } });
  await bench.call("patients.unmerge", { undoId });
  expect((await bench.call("orders.next", {})).next?.patient.id).toBe(gone.id);
  await bench.call("patients.merge", { keptId, goneId: gone.id });
  const { id, patient } = await bench.addFile("luna.png", await smallPicture(1));
  expect(patient?.id).toBe(keptId);
  expect(await orderOfFilm(bench.context.db, { id, patientId: keptId })).toEqual(taken);
  expect((await bench.call("orders.next", {})).next).toBeNull();
});

test("a picture reassigned to another patient has no order, also after its first patient is merged", async () => {
  const { patient: first } = await takeOrder(bench.desktop.context, taken);
  const { id: filmId } = await bench.addFile("bello.png", await smallPicture(1));
  const { id: second } = await bench.addPatient({ name: "Bello" }, filmId);
  const { id: third } = await bench.addPatient({ name: "Luna S." });
  await bench.call("patients.merge", { keptId: third, goneId: first.id });
  const orderAt = (patientId: string) => orderOfFilm(bench.context.db, { id: filmId, patientId });
  expect([await orderAt(second), await orderAt(third)]).toEqual([null, taken]);
});

test("a picture reassigned to the patient of the next order gets and completes that order", async () => {
  await takeOrder(bench.desktop.context, taken);
  const { id: filmId } = await bench.addFile("bello.png", await smallPicture(1));
  const bello = { ...taken.patient, number: "P-2", name: "Bello" };
  const second = { ...taken, studyInstanceUid: "1.2.4", accessionNumber: "A-2", patient: bello };
  const { patient } = await takeOrder(bench.desktop.context, second);
  const changes = bench.eventsOf("orders.changed").length;
  await bench.call("films.assignPatient", { filmIds: [filmId], patientId: patient.id });
  expect(await orderOfFilm(bench.context.db, { id: filmId, patientId: patient.id })).toEqual(second);
  expect((await bench.call("orders.next", {})).next).toBeNull();
  expect(bench.eventsOf("orders.changed").length).toBe(changes + 1);
});

test("undoing a merge returns orders taken since, and their pictures, to the restored patient", async () => {
  const { patient: gone } = await takeOrder(bench.desktop.context, taken);
  const { id: keptId } = await bench.addPatient({ name: "Luna S.", owner: "Sommer" });
  const { undoId } = await bench.call("patients.merge", { keptId, goneId: gone.id });
  const later = { ...taken, studyInstanceUid: "1.2.4", accessionNumber: "A-2" };
  for (const [number, order] of [taken, later].entries()) {
    expect((await takeOrder(bench.desktop.context, order)).patient.id).toBe(keptId);
    await bench.addFile("luna.png", await smallPicture(number));
  }
  await takeOrder(bench.desktop.context, { ...later, studyInstanceUid: "1.2.5" });
  await bench.call("patients.unmerge", { undoId });
  expect((await bench.call("orders.next", {})).next?.patient.id).toBe(gone.id);
  const { films } = await bench.call("films.list", {});
  expect(films.map(({ patient }) => patient?.id)).toEqual([gone.id, gone.id]);
  const orders = films.map(({ id }) => orderOfFilm(bench.context.db, { id, patientId: gone.id }));
  expect(await Promise.all(orders)).toEqual([later, taken]);
});

test("a picture assigned to the kept patient of a merge has the order taken for the removed one", async () => {
  const { patient: gone } = await takeOrder(bench.desktop.context, taken);
  await bench.call("orders.putBack", {});
  const { id: keptId } = await bench.addPatient({ name: "Luna S.", owner: "Sommer" });
  await bench.call("patients.merge", { keptId, goneId: gone.id });
  const { id: filmId } = await bench.addFile("luna.png", await smallPicture(1));
  await bench.call("films.assignPatient", { filmIds: [filmId], patientId: keptId });
  expect(await orderOfFilm(bench.context.db, { id: filmId, patientId: keptId })).toEqual(taken);
});

test("an order and films match the patient of their number by its original and its corrected name", async () => {
  const add = async (instance: string, name: string) => {
    const told = { instance, patientId: "P-1", issuer: null, patientName: `Sommer^${name}` };
    return (await bench.addFile("film.dcm", phantomFile(told))).patient;
  };
  const { id: patientId } = (await add("1.2.3.1", "Lena"))!;
  await bench.call("patients.edit", { patientId, name: "Luna" });
  const owners = [await add("1.2.3.2", "Luna"), await add("1.2.3.3", "Lena"), await add("1.2.3.4", "Rex")];
  expect(owners.map((owner) => owner?.id)).toEqual([patientId, patientId, undefined]);
  expect((await takeOrder(bench.desktop.context, taken)).patient.id).toBe(patientId);
  const ofRex = { ...taken, patient: { ...taken.patient, name: "Rex" } };
  await expect(takeOrder(bench.desktop.context, ofRex)).rejects.toThrow("Luna");
});
