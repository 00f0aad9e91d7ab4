// Runs once: its queries are tested elsewhere.
import { beforeEach, describe, expect, test } from "vitest";
import { localDay } from "../../../../core/local-day.ts";
import { parseHl7, valueOf } from "../../../../core/hl7/hl7-message.ts";
import { sidecarsOf } from "../../../../main/services/practice/sidecars.ts";
import { savePracticePatient } from "../../../../main/services/worklist/orders/practice-patient.ts";
import { joinPatients } from "../../../../main/services/worklist/patients/patient-merges.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { phantomFile, type PhantomFacts } from "../../dicom/phantom-film.ts";
import { rawly, tamper } from "../../../fixtures/raw-store.ts";
import { measured, unmeasured } from "../../store/sample-store.ts";

const bench = useBench();
beforeEach(() => {
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
});

const rex = { number: "P-9", name: "Rex", owner: "Muster", species: "dog", breed: "" } as const;

async function measuredFilm(facts: Partial<PhantomFacts> = {}): Promise<string> {
  const bytes = phantomFile({ instance: "1.2.3.4", patientId: "P-77", accession: "A-118", ...facts });
  return (await bench.openFilm("bella.dcm", bytes)).id;
}

/** Patient number, name and order in each format. */
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

describe("results contain", () => {
  test("number and order of the film's file, or the number of an assigned patient", async () => {
    const filmId = await measuredFilm();
    const said = ["P-77", "Bella", "A-118"];
    expect(await told(filmId)).toEqual({ json: said, csv: said, hl7: said });
    const patientId = await savePracticePatient(bench.desktop.context, rex);
    await bench.call("films.assignPatient", { filmIds: [filmId], patientId });
    expect(await told(filmId)).toEqual({
      json: ["P-9", "Rex", null],
      csv: ["P-9", "Rex", ""],
      hl7: ["P-9", "Rex", ""],
    });
    const { id } = await bench.addPatient({ owner: "Muster" }, filmId);
    expect(await told(filmId)).toMatchObject({ json: [null, "Rex", null], hl7: [id, "Rex", ""] });
  });

  test("the practice's current number after the file's number was merged into it", async () => {
    const filmId = await measuredFilm();
    const gone = (await bench.call("films.get", { filmId })).film.patient!.id;
    const kept = await savePracticePatient(bench.desktop.context, { ...rex, name: "Bella" });
    await joinPatients(bench.desktop.context, { keptId: kept, goneId: gone });
    expect(await told(filmId)).toMatchObject({ json: ["P-9", "Bella", "A-118"], hl7: ["P-9", "Bella", "A-118"] });
  });

  test("the file's number for an unassigned film, unless it belongs to another animal", async () => {
    const rabbit = await measuredFilm({ species: "Rabbit", patientId: "P-5" });
    await bench.call("films.retry", { filmIds: [rabbit] });
    await bench.desktop.parts.queue.whenIdle();
    expect(await told(rabbit)).toMatchObject({ json: ["P-5", null, "A-118"], hl7: ["P-5", "", "A-118"] });
    await measuredFilm({ instance: "1.2.3.5" });
    const luna = await measuredFilm({ instance: "1.2.3.6", patientName: "Sommer^Luna" });
    expect(await told(luna)).toMatchObject({ json: [null, null, null], hl7: ["", "", ""] });
  });

  test("the patient's number if the file has none", async () => {
    const patientId = (await bench.call("films.get", { filmId: await measuredFilm() })).film.patient!.id;
    const filmId = await measuredFilm({ instance: "1.2.3.7", patientId: null });
    await bench.call("films.assignPatient", { filmIds: [filmId], patientId });
    expect(await told(filmId)).toMatchObject({ json: ["P-77", "Bella", "A-118"], hl7: ["P-77", "Bella", "A-118"] });
  });
});

test("names results after the film, valid on all file systems and with room for the suffix", async () => {
  const filmId = await measuredFilm();
  const named = async (fileName: string) => {
    await bench.context.db.updateTable("films").set({ fileName }).where("id", "=", filmId).execute();
    return (await sidecarsOf(bench.desktop.context, filmId, ["json"]))[0]!.fileName;
  };
  const suffix = `-${filmId.slice(0, 8)}.json`;
  expect(await named('Thorax 10:30 <"a*b?c|d">.dcm')).toBe(`Thorax 10_30 __a_b_c_d__${suffix}`);
  expect(await named(`${"白".repeat(250)}.dcm`)).toBe(`${"白".repeat(60)}${suffix}`);
  expect(await named(`x${"白".repeat(250)}.dcm`)).toBe(`x${"白".repeat(59)}${suffix}`);
});

/** Values and decision in the JSON file, and the observations of the HL7 message. */
async function values(filmId: string) {
  const files = await sidecarsOf(bench.desktop.context, filmId, ["json", "hl7"]);
  const [json, hl7] = files.map(({ bytes }) => Buffer.from(bytes!).toString()) as [string, string];
  const { vhs, vlas, confidence, verdict } = JSON.parse(json) as Record<string, unknown>;
  const [message] = parseHl7(hl7);
  const observed = message!.segments
    .filter(({ name }) => name === "OBX")
    .map((segment) => [segment.fields[3], segment.fields[5]]);
  return { json: { vhs, vlas, confidence, verdict }, hl7: observed };
}

const detailOf = async () => String((await rawly(bench.context.db, "SELECT detail FROM readings"))[0]!["detail"]);
const intervals = { coverage: 0.8, vhs: null, vlas: { low: 0.8, high: 1.3 } };

test("omits all other measures without a VHS", async () => {
  const score = { ...unmeasured.score, vlas: 1.04 };
  bench.engine.answers({ ...unmeasured, widthPx: 96, heightPx: 80, score, intervals });
  const filmId = await measuredFilm();
  const nothing = { vhs: null, vlas: null };
  const observed = [
    ["verdict^Decision of a user^99CORVET", "not yet reviewed"],
    ["tier^Confidence tier^99CORVET", "review"],
  ];
  expect(await values(filmId)).toEqual({ json: { ...nothing, confidence: "review", verdict: null }, hl7: observed });
  const { film, readings } = await bench.call("films.get", { filmId });
  expect([film.reading, readings[0]!.score]).toMatchObject([nothing, nothing]);
  expect([readings[0]!.intervals, readings[0]!.heart === null]).toEqual([null, false]);
  // As stored by an earlier version.
  const earlier = JSON.stringify({ ...(JSON.parse(await detailOf()) as object), score }).replaceAll("'", "''");
  await tamper(bench.context.db, `UPDATE readings SET detail = '${earlier}'`);
  expect(await values(filmId)).toMatchObject({ json: nothing, hl7: observed });
});

test("keeps the networks' confidence for an accepted measurement and omits it for a rejected one", async () => {
  const filmId = await measuredFilm();
  const said = [await values(filmId)];
  for (const verdict of ["accepted", "rejected"] as const) {
    await bench.decide(filmId, { verdict });
    said.push(await values(filmId));
  }
  expect(said.map(({ json }) => [json.verdict, json.confidence])).toEqual([
    [null, "optimal"],
    ["accepted", "optimal"],
    ["rejected", null],
  ]);
  const tiers = said.map(({ hl7 }) => hl7.find(([name]) => name === "tier^Confidence tier^99CORVET")?.[1]);
  expect(tiers).toEqual(["optimal", "optimal", undefined]);
});

test("adds the change since the previous visit to an HL7 message, and whether it is noise", async () => {
  const withRlad = { ...measured, score: { ...measured.score, rlad: 1.9 } };
  bench.engine.answers(withRlad);
  const later = await measuredFilm();
  const changes = async (filmId: string) => (await values(filmId)).hl7.filter(([name]) => name?.includes("_change"));
  expect(await changes(later)).toEqual([]);
  const patientId = (await bench.call("films.get", { filmId: later })).film.patient!.id;
  const earlier = { ...measured, widthPx: 96, heightPx: 80, score: { ...withRlad.score, vhs: 9.1, rlad: 1.6 } };
  bench.engine.answers(earlier);
  const before = await bench.openFilm("before.dcm", phantomFile({ instance: "1.2.3.8", patientId: "P-77" }));
  expect(before.patient?.id).toBe(patientId);
  const { takenAt } = (await bench.call("films.get", { filmId: later })).film;
  const monthBefore = new Date(Date.parse(takenAt) - 30 * 86_400_000);
  await bench.call("films.edit", { filmId: before.id, takenAt: monthBefore.toISOString() });
  const change = (measured.score.vhs! - 9.1).toFixed(1);
  expect((await values(later)).hl7.slice(-3)).toEqual([
    ["vhs_change^VHS, change since the previous visit^99CORVET", expect.stringContaining(`: +${change} v`)],
    ["vlas_change^VLAS, change since the previous visit^99CORVET", expect.stringContaining(localDay(monthBefore))],
    ["rlad_change^RLAD, change since the previous visit^99CORVET", expect.stringMatching(/: \+0\.3 v$/)],
  ]);
  expect(await changes(before.id)).toEqual([]);
});
