import { expect, it } from "vitest";
import { useBenchOfFile } from "../../../fixtures/use-bench.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";

const bench = useBenchOfFile();

it("finds a patient and its films by Patient ID and by name without accents", async () => {
  const facts = { study: "1.2.276.77.4711", instance: "1.2.276.77.4711.1", patientId: "P-4711" };
  await bench.addFile("IMG1", phantomFile({ ...facts, patientName: "Müller^Bärli", species: "Canine" }));
  const found = async (search: string) => [
    (await bench.call("patients.list", { search })).patients.map(({ number }) => number),
    (await bench.call("films.list", { search })).total,
  ];
  for (const typed of ["P-4711", "4711", "barli", "BAERLI"]) expect(await found(typed)).toEqual([["P-4711"], 1]);
  expect(await found("P-4712")).toEqual([[], 0]);
});

it("finds microchips and identifiers with any grouping of digits", async () => {
  await bench.addPatient({ name: "Bella", uuid: "Q-58 11", microchip: "276 098 106 123 456" });
  await bench.addPatient({ name: "Luna", uuid: "Q-5900", microchip: "276098106999999" });
  const found = async (search: string) =>
    (await bench.call("patients.list", { search })).patients.map(({ name }) => name);
  for (const typed of ["276098106123456", "276-098-106-123-456", "276 0981 06123456", "Q5811", "q 5811"])
    expect(await found(typed)).toEqual(["Bella"]);
  expect(await found("276 098 106 999 999")).toEqual(["Luna"]);
  expect(await found("276 098 106 123 457")).toEqual([]);
});

it("finds a merged patient by both identifiers until the merge is undone", async () => {
  const kept = await bench.addPatient({ name: "Bella", uuid: "P-1000" });
  const gone = await bench.addPatient({ name: "Bella S.", uuid: "K 2000" });
  const { undoId } = await bench.call("patients.merge", { keptId: kept.id, goneId: gone.id });
  const found = async (search: string) => (await bench.call("patients.list", { search })).patients.map(({ id }) => id);
  expect([await found("P-1000"), await found("K2000")]).toEqual([[kept.id], [kept.id]]);
  expect((await bench.call("patients.mergers", {})).mergers).toEqual([
    { undoId, keptId: kept.id, goneName: "Bella S." },
  ]);
  await bench.call("patients.unmerge", { undoId });
  expect((await bench.call("patients.mergers", {})).mergers).toEqual([]);
  expect(await found("K2000")).toEqual([gone.id]);
});
