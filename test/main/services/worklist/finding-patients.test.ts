import { afterEach, beforeEach, expect, it } from "vitest";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";

/** Patients as a file names them, found as people name them. */
let bench: DesktopBench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.remove());

it("finds a patient and its films by the DICOM patient id and by a name without accents", async () => {
  const facts = { study: "1.2.276.77.4711", instance: "1.2.276.77.4711.1", patientId: "P-4711" };
  await bench.addFile("IMG1", phantomFile({ ...facts, patientName: "Müller^Bärli", species: "Canine" }));
  const found = async (search: string) => [
    (await bench.call("patients.list", { search })).patients.map(({ number }) => number),
    (await bench.call("films.list", { search })).total,
  ];
  for (const typed of ["P-4711", "4711", "barli", "BAERLI"]) expect(await found(typed)).toEqual([["P-4711"], 1]);
  expect(await found("P-4712")).toEqual([[], 0]);
});
