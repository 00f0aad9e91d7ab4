// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { freePort, hasDcmtk } from "../../dicom/network/dcmtk.ts";
import { dataSet, partTen, text } from "../../dicom/dicom-writer.ts";
import { phantomElements, phantomFile, type PhantomFacts } from "../../dicom/phantom-film.ts";
import { sendTo } from "../../../../main/dicom/network/nodes.ts";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { makeResultObjects } from "../../../../main/services/results/result-objects.ts";
import { foreignPresentation, graphic, labelAt } from "../../dicom/presentation/foreign-presentation.ts";
import { addObjectToWorklist } from "../../../../main/services/import/import-files.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { measured } from "../../store/sample-store.ts";
import { hasOrthanc, spawnOrthanc } from "./orthanc.ts";
import { openSurroundingsOfFile } from "./surroundings.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

const around = openSurroundingsOfFile();
let port: number;
let first: Workstation;
let second: Workstation;

beforeAll(async () => {
  if (!hasOrthanc || !hasDcmtk) return;
  port = await freePort();
  await around.answering(spawnOrthanc(around.folder, { dicomPort: port, ownPort: 1 }), port);
  [first, second] = [await workstation("first"), await workstation("second")];
  await second.bench.call("settings.save", { measuresOnArrival: false });
});

type Workstation = { readonly bench: DesktopBench; readonly nodeId: string };
const phantomSize = { widthPx: 96, heightPx: 80 };

async function workstation(name: string): Promise<Workstation> {
  const bench = await around.open(name);
  bench.engine.answers({ ...measured, ...phantomSize });
  const node = { nodeId: null, name: "PACS", host: "127.0.0.1", port, aeTitle: "PACS" };
  return { bench, nodeId: (await bench.call("dicom.saveNode", node)).nodes[0]!.id };
}

async function filmOf({ bench }: Workstation, study: string) {
  const { films } = await bench.call("films.list", { limit: 50 });
  return films.find(({ dicom }) => dicom?.studyInstanceUid === study) ?? null;
}

async function readingsOf(at: Workstation, study: string) {
  const film = await filmOf(at, study);
  return film ? (await at.bench.call("films.get", { filmId: film.id })).readings : [];
}

const store = async (files: readonly Uint8Array[]) =>
  expect(
    await sendTo({ kind: "dimse", host: "127.0.0.1", port, aeTitle: "PACS", encryption: null }, files, {
      aeTitle: "CORVET",
    }),
  ).toMatchObject({ failure: null });

const fetchStudy = ({ bench, nodeId }: Workstation, studyInstanceUid: string) =>
  bench.call("pacs.fetch", { jobId: randomUUID(), nodeId, studyInstanceUid });

function factsOf(study: string): PhantomFacts {
  return { study, instance: `${study}.1`, patientId: `P-${study.split(".").at(-1)}` };
}

/** Stores a film in the PACS and opens it on the first workstation. @returns its id there */
async function archived(film: Buffer, study: string): Promise<string> {
  await first.bench.addFile(`${study}.dcm`, film);
  await waitUntil(async () => (await filmOf(first, study))?.state === "done");
  await store([film]);
  return (await filmOf(first, study))!.id;
}

/** Corrects a film of the PACS on the first workstation, and retrieves film and results on the second. */
async function thereAndBack(film: Buffer, study: string) {
  const filmId = await archived(film, study);
  const [own] = await readingsOf(first, study);
  await first.bench.call("readings.save", {
    ...{ filmId, basedOn: own!.id, verdict: "corrected", who: "Dr. Weiß", remark: "Spitze versetzt" },
    geometry: {
      ...{ frame: own!.frame, corners: null, edges: [...measured.edges] },
      heart: { ...own!.heart!, heart_bottom: { x: 50.5, y: 61.5 } },
    },
  });
  const request = { sendId: randomUUID(), filmId, nodeId: first.nodeId };
  expect(await first.bench.call("dicom.send", request)).toEqual({ sentObjects: 4, failure: null });
  expect(await fetchStudy(second, study)).toEqual({ fetchedObjects: 5, failedObjects: 0, failure: null });
  await waitUntil(async () => (await readingsOf(second, study)).length === 2);
  const { widthPx, heightPx } = (await filmOf(second, study))!;
  return {
    size: { widthPx, heightPx },
    sent: await readingsOf(first, study),
    restored: await readingsOf(second, study),
    notShown: (await second.bench.call("received.list", {})).objects,
    keyFilms: (await second.bench.call("keyFilms.list", {})).lists,
  };
}

describe.skipIf(!hasOrthanc || !hasDcmtk)("presentation states in a PACS", () => {
  test("of a result are found in its study and restore the readings on their own", async () => {
    const study = "1.2.3.51";
    const filmId = await archived(phantomFile(factsOf(study)), study);
    const files = await makeResultObjects(first.bench.desktop.context, filmId);
    const graphics = files.find(({ fileName }) => fileName === "graphics.dcm")!;
    await first.bench.call("dicom.send", { sendId: randomUUID(), filmId, nodeId: first.nodeId });
    const { studies } = await first.bench.call("pacs.find", {
      ...{ jobId: randomUUID(), nodeId: first.nodeId, query: { patientId: "P-51" } },
    });
    expect(studies).toMatchObject([{ studyInstanceUid: study, objects: 4 }]);
    expect([...studies[0]!.modalities].sort()).toEqual(["DX", "OT", "PR", "SR"]);
    const one = (sopInstanceUid: string, seriesInstanceUid: string) =>
      second.bench.call("pacs.fetch", {
        ...{ jobId: randomUUID(), nodeId: second.nodeId, studyInstanceUid: study },
        film: { seriesInstanceUid, sopInstanceUid },
      });
    const series = readDicomFile(graphics.bytes).text("0020000E")!;
    expect(await one(graphics.sopInstanceUid, series)).toMatchObject({ fetchedObjects: 1, failure: null });
    expect(await one(`${study}.1`, `${study}.1`)).toMatchObject({ fetchedObjects: 1, failure: null });
    await waitUntil(async () => Boolean((await filmOf(second, study))?.reading));
    const places = async (at: Workstation) =>
      (await readingsOf(at, study)).map(({ heart, edges }) => ({ heart, edges }));
    expect(await places(second)).toEqual(await places(first));
  });

  test.each([
    ["before", "1.2.3.52"],
    ["after", "1.2.3.53"],
  ])("of another program are shown on the film if received %s it", async (when, study) => {
    const label = labelAt(30, 40, "Erguß?");
    const about = { study, series: `${study}.1`, film: `${study}.1`, instance: `${study}.9` };
    const marks = foreignPresentation([graphic("POLYLINE", "PIXEL", 10, 20, 30, 40)], [label], [], about);
    await store([phantomFile({ ...factsOf(study), patientId: "P-77" })]);
    const file = { name: "marks.dcm", bytes: marks, origin: "dicom" } as const;
    if (when === "before") await addObjectToWorklist(second.bench.desktop.context, file);
    else await store([marks]);
    expect(await fetchStudy(second, study)).toMatchObject({ failedObjects: 0, failure: null });
    await waitUntil(async () => (await filmOf(second, study)) !== null);
    const { id: filmId } = (await filmOf(second, study))!;
    const listed = () => second.bench.call("marks.list", { filmId });
    await waitUntil(async () => (await listed()).sets.length === 1);
    expect(await listed()).toEqual({
      frame: phantomSize,
      sets: [
        {
          ...{ sopInstanceUid: `${study}.9`, label: "REPORT", at: null },
          marks: [
            {
              points: [
                { x: 9.5, y: 19.5 },
                { x: 29.5, y: 39.5 },
              ],
              text: null,
            },
            { points: [{ x: 29.5, y: 39.5 }], text: "Erguß?" },
          ],
        },
      ],
    });
    expect((await second.bench.call("received.list", {})).objects).toEqual([]);
  });
});

describe.skipIf(!hasOrthanc || !hasDcmtk)("a copy without names in a PACS", () => {
  test("is found only by its pseudonym and restored with its readings, without names", async () => {
    const filmId = await archived(phantomFile(factsOf("1.2.3.54")), "1.2.3.54");
    const { keyFile, ...sent } = await first.bench.call("deidentify.send", {
      ...{ films: [{ filmId, areas: [] }], dates: "shifted", descriptors: "removed", keepsPatient: false },
      ...{ withKeyFile: true, sendId: randomUUID(), nodeId: first.nodeId },
    });
    expect(sent).toEqual({ films: 1, skipped: [], sentObjects: 4, failure: null });
    const [pseudonym = "", name, owner, number] = keyFile!.text.split("\r\n")[1]!.split(",");
    expect([name, owner, number]).toEqual(["Bella", "Änne Sommer", "P-54"]);
    const find = async (query: object) =>
      (await first.bench.call("pacs.find", { jobId: randomUUID(), nodeId: first.nodeId, query })).studies;
    const [found] = await find({ patientId: pseudonym });
    expect(found).toMatchObject({ patientName: pseudonym, objects: 4 });
    const study = found!.studyInstanceUid;
    expect((await find({ patientId: "P-54" })).map((one) => one.studyInstanceUid)).toEqual(["1.2.3.54"]);
    const third = await workstation("third");
    await third.bench.call("settings.save", { measuresOnArrival: false });
    expect(await fetchStudy(third, study)).toMatchObject({ fetchedObjects: 4, failedObjects: 0, failure: null });
    await waitUntil(async () => Boolean((await third.bench.call("films.list", {})).films[0]?.reading));
    const kept = JSON.stringify([
      (await third.bench.call("films.list", {})).films,
      (await third.bench.call("patients.list", {})).patients,
    ]);
    expect(kept).toContain(pseudonym);
    expect(kept).not.toMatch(/Bella|Sommer|P-54|Praxis am See|1\.2\.3\.54/);
    expect((await third.bench.call("received.list", {})).objects).toEqual([]);
  });
});

describe.skipIf(!hasOrthanc || !hasDcmtk)("a film in a PACS", () => {
  test("is restored with proposal and correction at another workstation", async () => {
    const film = phantomFile(factsOf("1.2.3.55"));
    const { size, sent, restored, notShown, keyFilms } = await thereAndBack(film, "1.2.3.55");
    expect(size).toEqual(phantomSize);
    const essence = (readings: typeof sent) =>
      readings.map(({ verdict, who, remark, heart, edges }) => ({ verdict, who, remark, heart, edges }));
    expect(essence(restored)).toEqual(essence(sent));
    // The key object selection among the results is Corvet's own and must not be listed.
    expect([notShown, keyFilms]).toEqual([[], []]);
  });

  test("with non-square pixels is restored with correct positions", async () => {
    const [study, shown] = ["1.2.3.56", { widthPx: 96, heightPx: 160 }];
    const content = dataSet(...phantomElements(factsOf(study)), text("00280034", "IS", "2\\1"));
    const film = partTen("1.2.840.10008.1.2.1", content, [
      text("00020002", "UI", "1.2.840.10008.5.1.4.1.1.1.1"),
      text("00020003", "UI", `${study}.1`),
    ]);
    first.bench.engine.answers({ ...measured, ...shown });
    const { size, sent, restored } = await thereAndBack(film, study);
    first.bench.engine.answers({ ...measured, ...phantomSize });
    expect(size).toEqual(shown);
    // Positions in a report refer to the stored pixels, whose height differs, so rounding may occur.
    const hundredths = (readings: typeof sent) =>
      readings.map(({ heart }) =>
        Object.values(heart ?? {}).map((place) => place && [place.x, place.y].map((px) => Math.round(px * 100))),
      );
    expect(hundredths(restored)).toEqual(hundredths(sent));
  });
});
