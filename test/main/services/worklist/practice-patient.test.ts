import { expect, it } from "vitest";
import { savePracticePatient } from "../../../../main/services/worklist/orders/practice-patient.ts";
import { addObjectToWorklist } from "../../../../main/services/import/import-files.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";

const bench = useBench();

it("is created once by two concurrent messages", async () => {
  const told = { number: "P-1", name: "Rex", owner: "Weber", species: "dog", breed: "" } as const;
  const { context } = bench.desktop;
  const [one, other] = await Promise.all([savePracticePatient(context, told), savePracticePatient(context, told)]);
  expect(one).toBe(other);
  expect((await bench.call("patients.list", {})).patients).toMatchObject([{ id: one, name: "Rex", uuid: "P-1" }]);
});

it("is merged with the patient created from its film, even if the program ends during the merge", async () => {
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  const bytes = phantomFile({ instance: "1.2.3.4", patientId: "P-1" });
  await addObjectToWorklist(bench.desktop.context, { name: "film.dcm", origin: "dicom", bytes });
  const [made] = (await bench.call("patients.list", {})).patients;
  expect(made).toMatchObject({ number: "P-1" });
  expect(made!.uuid).not.toBe("P-1");
  const raise = () => {
    throw new Error("the program has ended");
  };
  const told = { number: "P-1", name: made!.name, owner: "Weber", species: "dog", breed: "" } as const;
  await expect(savePracticePatient({ ...bench.desktop.context, raise }, told)).rejects.toThrow("has ended");
  const { patients } = await bench.call("patients.list", {});
  expect(patients).toMatchObject([{ name: made!.name, owner: "Weber", uuid: "P-1" }]);
  expect((await bench.call("films.list", {})).films).toMatchObject([{ patient: { id: patients[0]!.id } }]);
});
