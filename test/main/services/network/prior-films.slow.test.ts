// Runs once: its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { makeResultObjects } from "../../../../main/services/results/result-objects.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { freePort } from "../../dicom/network/dcmtk.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { createArchive } from "./archive.ts";
import { openSurroundingsOfFile } from "./surroundings.ts";

const around = openSurroundingsOfFile();
let bench: DesktopBench;
let nodeId: string;
let asked: string[];
let fetched: string[];

/** Studies of the archive by Patient ID; each test has its own patients. */
const studies: Readonly<Record<string, string>> = {
  ...{ "P-A": "1.2.3.91", "P-B": "1.2.3.92", "P-C": "1.2.3.93", "P-D": "1.2.3.93", "P-E": "1.2.3.95" },
  ...{ "P-F": "1.2.3.96", "P-G": "1.2.3.97" },
};
let ownStudy: string | undefined;
/** Number of objects that the archive reports and delivers for each study. */
let objects: number;

beforeAll(async () => {
  bench = await around.open();
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  const archive = createArchive({
    finds: (patientId) => (asked.push(patientId), [studies[patientId] ?? [], ownStudy ?? []].flat()),
    counts: () => objects,
    moves: async (study) => (fetched.push(study), objects),
  });
  const port = await around.listening(archive);
  const node = { nodeId: null, name: "PACS", host: "127.0.0.1", port, aeTitle: "PACS" };
  nodeId = (await bench.call("dicom.saveNode", node)).nodes[0]!.id;
  await bench.call("dicom.configure", { isOn: true, port: await freePort() });
});

beforeEach(async () => {
  [asked, fetched, ownStudy, objects] = [[], [], undefined, 1];
  await bench.call("settings.save", { measuresOnArrival: false });
});

async function addFilm(facts: Parameters<typeof phantomFile>[0]) {
  const { id, patient } = await bench.openFilm("film.dcm", phantomFile({ study: facts.instance, ...facts }));
  return { id, patientId: patient!.id };
}
const fetchPrior = (patientId: string) => bench.call("pacs.fetchPrior", { jobId: randomUUID(), nodeId, patientId });

describe("prior films of a patient", () => {
  test("are requested by the patient's numbers, not by that of a reassigned film", async () => {
    const { id } = await bench.addPatient({ owner: "Berg", uuid: "P-B" });
    const film = await addFilm({ instance: "1.2.3.2", patientId: "P-A", patientName: "Sommer^Luna" });
    await bench.call("films.assignPatient", { filmIds: [film.id], patientId: id });
    expect(await fetchPrior(id)).toMatchObject({ studies: 1, failure: null });
    expect([asked, fetched]).toEqual([["P-B"], ["1.2.3.92"]]);
  });

  test("are requested by all numbers of merged patients, each study once", async () => {
    const one = await addFilm({ instance: "1.2.3.3", patientId: "P-C", grey: 100 });
    const other = await addFilm({ instance: "1.2.3.4", patientId: "P-D" });
    const third = await bench.addPatient({ name: "Bella", owner: "Sommer", uuid: "P-E" });
    for (const gone of [other.patientId, third.id])
      await bench.call("patients.merge", { keptId: one.patientId, goneId: gone });
    expect(await fetchPrior(one.patientId)).toMatchObject({ studies: 2, failure: null });
    expect([asked.toSorted(), fetched.toSorted()]).toEqual([
      ["P-C", "P-D", "P-E"],
      ["1.2.3.93", "1.2.3.95"],
    ]);
  });

  test("are requested again if a study has new objects, except results that were sent to it", async () => {
    await bench.call("settings.save", { measuresOnArrival: true });
    const { id: filmId, patientId } = await addFilm({ instance: "1.2.3.96.1", study: "1.2.3.96", patientId: "P-F" });
    const studiesFetched = async () => (await fetchPrior(patientId)).studies;
    expect(await studiesFetched()).toBe(0);
    objects = 2;
    expect(await studiesFetched()).toBe(1);
    expect(await studiesFetched()).toBe(0);
    objects = 3;
    expect(await studiesFetched()).toBe(1);
    const { sentObjects } = await bench.call("dicom.send", { sendId: randomUUID(), filmId, nodeId });
    objects = 1 + sentObjects;
    expect([sentObjects, await studiesFetched()]).toEqual([3, 0]);
  });

  test("are not requested from the study that was created for the patient's own results", async () => {
    const grey = { r: 90, g: 90, b: 90 };
    const image = sharp({ create: { width: 96, height: 80, channels: 3, background: grey } });
    await bench.call("settings.save", { measuresOnArrival: true });
    const { id: filmId } = await bench.openFilm("rex.png", await image.png().toBuffer());
    const { id } = await bench.addPatient({ owner: "Berg", uuid: "P-G" }, filmId);
    const [film] = await makeResultObjects(bench.desktop.context, filmId);
    ownStudy = readDicomFile(film!.bytes).text("0020000D")!;
    expect(await fetchPrior(id)).toMatchObject({ studies: 1, failure: null });
    expect([asked, fetched]).toEqual([["P-G"], ["1.2.3.97"]]);
  });

  test("are not requested without a valid number", async () => {
    for (const uuid of ["P-?", "P*", "P".repeat(65), null]) {
      const { id } = await bench.addPatient({ uuid });
      await expect(fetchPrior(id)).rejects.toMatchObject({ code: "CONFLICT" });
    }
  });
});
