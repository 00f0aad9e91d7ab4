import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseHl7, valueOf } from "../../../../core/hl7/hl7-message.ts";
import { sidecarsOf } from "../../../../main/services/practice/sidecars.ts";
import { saveToldPatient } from "../../../../main/services/worklist/orders/told-patient.ts";
import { joinPatients } from "../../../../main/services/worklist/patients/patient-merges.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { phantomFile, type PhantomFacts } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";

let bench: DesktopBench;
beforeEach(async () => {
  bench = await openBench();
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
});
afterEach(() => bench.remove());

const rex = { number: "P-9", name: "Rex", owner: "Muster", species: "dog", breed: "" } as const;

async function measuredFilm(facts: Partial<PhantomFacts> = {}): Promise<string> {
  await bench.addFile(
    "bella.dcm",
    phantomFile({ instance: "1.2.3.4", patientId: "P-77", accession: "A-118", ...facts }),
  );
  await bench.desktop.parts.queue.whenIdle();
  return (await bench.call("films.list", {})).films[0]!.id;
}

/** Number, animal and order, as each format says them. */
async function told(filmId: string) {
  const files = await sidecarsOf(bench.desktop.context, filmId, ["json", "csv", "hl7"]);
  const [json, csv, hl7] = files.map(({ bytes }) => Buffer.from(bytes!).toString()) as [string, string, string];
  const facts = JSON.parse(json) as Record<string, unknown>;
  const [header, row] = csv.split("\r\n").map((line) => line.split(","));
  const column = (name: string) => row![header!.indexOf(name)];
  const [message] = parseHl7(hl7);
  return {
    json: [facts["patient"], facts["name"], facts["accession"]],
    csv: [column("patient"), column("name"), column("accession")],
    hl7: [valueOf(message!, "PID", 3), valueOf(message!, "PID", 5, 2), valueOf(message!, "OBR", 2)],
  };
}

describe("results are filed under", () => {
  test("number and order of the film's file, while they are its patient's", async () => {
    const said = ["P-77", "Bella", "A-118"];
    expect(await told(await measuredFilm())).toEqual({ json: said, csv: said, hl7: said });
  });

  test("the number of the patient that a person has given the film to, and none of its file's", async () => {
    const filmId = await measuredFilm();
    const patientId = await saveToldPatient(bench.desktop.context, rex);
    await bench.call("films.assignPatient", { filmIds: [filmId], patientId });
    expect(await told(filmId)).toEqual({
      json: ["P-9", "Rex", null],
      csv: ["P-9", "Rex", ""],
      hl7: ["P-9", "Rex", ""],
    });
  });

  test("no number at all where that patient has none", async () => {
    const filmId = await measuredFilm();
    const { id } = await bench.call("patients.create", {
      ...{ name: "Rex", species: "dog", breed: "", owner: "Muster", uuid: null },
    });
    await bench.call("films.assignPatient", { filmIds: [filmId], patientId: id });
    expect(await told(filmId)).toMatchObject({ json: [null, "Rex", null], hl7: [id, "Rex", ""] });
  });

  test("the number that the practice uses now, after the file's was merged into it", async () => {
    const filmId = await measuredFilm();
    const gone = (await bench.call("films.get", { filmId })).film.patient!.id;
    const kept = await saveToldPatient(bench.desktop.context, { ...rex, name: "Bella" });
    await joinPatients(bench.desktop.context, { keptId: kept, goneId: gone });
    expect(await told(filmId)).toMatchObject({ json: ["P-9", "Bella", "A-118"], hl7: ["P-9", "Bella", "A-118"] });
  });

  test("what the file says of a film that waits for its patient, unless the number is another animal's", async () => {
    await measuredFilm({ species: "Rabbit", patientId: "P-5" });
    const [rabbit] = (await bench.call("films.list", {})).films;
    await bench.call("films.retry", { filmIds: [rabbit!.id] });
    await bench.desktop.parts.queue.whenIdle();
    expect(await told(rabbit!.id)).toMatchObject({ json: ["P-5", null, "A-118"], hl7: ["P-5", "", "A-118"] });
    await measuredFilm({ instance: "1.2.3.5" });
    const luna = await measuredFilm({ instance: "1.2.3.6", patientName: "Sommer^Luna" });
    expect(await told(luna)).toMatchObject({ json: [null, null, null], hl7: ["", "", ""] });
  });

  test("the number of a film's patient where its file has none", async () => {
    const patientId = (await bench.call("films.get", { filmId: await measuredFilm() })).film.patient!.id;
    const filmId = await measuredFilm({ instance: "1.2.3.7", patientId: null });
    await bench.call("films.assignPatient", { filmIds: [filmId], patientId });
    expect(await told(filmId)).toMatchObject({ json: ["P-77", "Bella", "A-118"], hl7: ["P-77", "Bella", "A-118"] });
  });
});
