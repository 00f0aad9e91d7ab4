// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { freePort, hasDcmtk } from "../../dicom/network/dcmtk.ts";
import { dataSet, partTen, text } from "../../dicom/dicom-writer.ts";
import { phantomElements, phantomFile, type PhantomFacts } from "../../dicom/phantom-film.ts";
import { sendTo } from "../../../../main/dicom/network/nodes.ts";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { makeResultObjects } from "../../../../main/services/results/result-objects.ts";
import { floats, foreignPresentation, graphic } from "../../dicom/presentation/foreign-presentation.ts";
import { addObjectToWorklist } from "../../../../main/services/import/import-files.ts";
import { measured } from "../../store/sample-store.ts";
import { hasOrthanc, spawnOrthanc } from "./orthanc.ts";
import { openSurroundings } from "./surroundings.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

const around = openSurroundings();
let port: number;

beforeEach(async () => {
  port = await freePort();
});

/** A workstation of its own that knows the PACS. */
async function workstation(name: string, sizePx: { readonly widthPx: number; readonly heightPx: number }) {
  const bench = await around.open(name);
  bench.engine.answers({ ...measured, ...sizePx });
  const node = { nodeId: null, name: "PACS", host: "127.0.0.1", port, aeTitle: "PACS" };
  const nodeId = (await bench.call("dicom.saveNode", node)).nodes[0]!.id;
  const films = async () => (await bench.call("films.list", { limit: 50 })).films;
  return { bench, nodeId, films };
}

/** Puts objects into the PACS. */
const store = async (files: readonly Uint8Array[]) =>
  expect(
    await sendTo({ kind: "dimse", host: "127.0.0.1", port, aeTitle: "PACS", encryption: null }, files, {
      aeTitle: "CORVET",
    }),
  ).toMatchObject({ failure: null });

/** Puts a film into the PACS, corrects it at one workstation, and gives what another one has of it. */
async function thereAndBack(film: Buffer, study: string, sizePx: { widthPx: number; heightPx: number }) {
  await around.answering(spawnOrthanc(around.folder, { dicomPort: port, ownPort: 1 }), port);
  await store([film]);
  const first = await workstation("first", sizePx);
  const fetch = ({ bench, nodeId }: typeof first) =>
    bench.call("pacs.fetch", { jobId: randomUUID(), nodeId, studyInstanceUid: study });
  expect(await fetch(first)).toEqual({ fetchedObjects: 1, failedObjects: 0, failure: null });
  await waitUntil(async () => (await first.films())[0]?.state === "done");
  const filmId = (await first.films())[0]!.id;
  const [own] = (await first.bench.call("films.get", { filmId })).readings;
  await first.bench.call("readings.save", {
    ...{ filmId, basedOn: own!.id, verdict: "corrected", who: "Dr. Weiß", remark: "Spitze versetzt" },
    geometry: {
      ...{ frame: own!.frame, corners: null, edges: [...measured.edges] },
      heart: { ...own!.heart!, heart_bottom: { x: 50.5, y: 61.5 } },
    },
  });
  const request = { sendId: randomUUID(), filmId, nodeId: first.nodeId };
  expect(await first.bench.call("dicom.send", request)).toEqual({ sentObjects: 4, failure: null });
  const second = await workstation("second", sizePx);
  await second.bench.call("settings.save", { measuresOnArrival: false });
  expect(await fetch(second)).toEqual({ fetchedObjects: 5, failedObjects: 0, failure: null });
  const readingsOf = async ({ bench, films }: typeof first) => {
    const [shown] = await films();
    return shown ? (await bench.call("films.get", { filmId: shown.id })).readings : [];
  };
  await waitUntil(async () => (await readingsOf(second)).length === 2);
  return {
    films: (await second.films()).map(({ widthPx, heightPx }) => ({ widthPx, heightPx })),
    sent: await readingsOf(first),
    restored: await readingsOf(second),
    notShown: (await second.bench.call("received.list", {})).objects,
    keyFilms: (await second.bench.call("keyFilms.list", {})).lists,
  };
}

const facts: PhantomFacts = { study: "1.2.3.51", instance: "1.2.3.51.1" };

/** An archive with a film in it, and a workstation that has fetched and measured it. */
async function archived(film: Buffer) {
  await around.answering(spawnOrthanc(around.folder, { dicomPort: port, ownPort: 1 }), port);
  const first = await workstation("first", { widthPx: 96, heightPx: 80 });
  await first.bench.addFile("film.dcm", film);
  await waitUntil(async () => (await first.films())[0]?.state === "done");
  await store([film]);
  return { first, filmId: (await first.films())[0]!.id };
}

const fetchStudy = ({ bench, nodeId }: Awaited<ReturnType<typeof workstation>>, studyInstanceUid: string) =>
  bench.call("pacs.fetch", { jobId: randomUUID(), nodeId, studyInstanceUid });

describe.skipIf(!hasOrthanc || !hasDcmtk)("graphics in a PACS", () => {
  test("of a result are found among its study and give the readings back by themselves", async () => {
    const { first, filmId } = await archived(phantomFile(facts));
    const files = await makeResultObjects(first.bench.desktop.context, filmId);
    const graphics = files.find(({ fileName }) => fileName === "graphics.dcm")!;
    await first.bench.call("dicom.send", { sendId: randomUUID(), filmId, nodeId: first.nodeId });
    const { studies } = await first.bench.call("pacs.find", {
      ...{ jobId: randomUUID(), nodeId: first.nodeId, query: { patientId: "P-77" } },
    });
    expect(studies).toMatchObject([{ studyInstanceUid: "1.2.3.51", objects: 4 }]);
    expect([...studies[0]!.modalities].sort()).toEqual(["DX", "OT", "PR", "SR"]);
    const second = await workstation("second", { widthPx: 96, heightPx: 80 });
    await second.bench.call("settings.save", { measuresOnArrival: false });
    const one = (sopInstanceUid: string, seriesInstanceUid: string) =>
      second.bench.call("pacs.fetch", {
        ...{ jobId: randomUUID(), nodeId: second.nodeId, studyInstanceUid: "1.2.3.51" },
        film: { seriesInstanceUid, sopInstanceUid },
      });
    const series = readDicomFile(graphics.bytes).text("0020000E")!;
    expect(await one(graphics.sopInstanceUid, series)).toMatchObject({ fetchedObjects: 1, failure: null });
    expect(await one("1.2.3.51.1", "1.2.3.51.1")).toMatchObject({ fetchedObjects: 1, failure: null });
    await waitUntil(async () => Boolean((await second.films())[0]?.reading));
    const [own, restored] = await Promise.all(
      [first, second].map(async ({ bench, films }) => {
        const [film] = await films();
        return (await bench.call("films.get", { filmId: film!.id })).readings.map(({ heart, edges }) => ({
          heart,
          edges,
        }));
      }),
    );
    expect(restored).toEqual(own);
  });

  test.each([["before"], ["after"]])("of another program that come %s the film are shown on it", async (when) => {
    const label = [
      text("00700004", "CS", "PIXEL"),
      text("00700006", "ST", "Erguß?"),
      floats("00700014", 30, 40),
      text("00700015", "CS", "N"),
    ];
    const about = { study: "1.2.3.51", series: "1.2.3.51.1", film: "1.2.3.51.1" };
    const marks = foreignPresentation([graphic("POLYLINE", "PIXEL", 10, 20, 30, 40)], [label], [], about);
    await archived(phantomFile(facts));
    const second = await workstation("second", { widthPx: 96, heightPx: 80 });
    const file = { name: "marks.dcm", bytes: marks, origin: "dicom" } as const;
    if (when === "before") await addObjectToWorklist(second.bench.desktop.context, file);
    else await store([marks]);
    expect(await fetchStudy(second, "1.2.3.51")).toMatchObject({ failedObjects: 0, failure: null });
    await waitUntil(async () => (await second.films()).length === 1);
    const [film] = await second.films();
    const listed = () => second.bench.call("marks.list", { filmId: film!.id });
    await waitUntil(async () => (await listed()).sets.length === 1);
    expect(await listed()).toEqual({
      frame: { widthPx: 96, heightPx: 80 },
      sets: [
        {
          ...{ sopInstanceUid: "1.2.9.1", label: "REPORT", creator: "Ina Müller", at: null },
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
  test("is found by its pseudonym alone and restored with its readings, without names", async () => {
    const { first, filmId } = await archived(phantomFile(facts));
    const { keyFile, ...sent } = await first.bench.call("deidentify.send", {
      ...{ films: [{ filmId, areas: [] }], dates: "shifted", descriptors: "removed", keepsPatient: false },
      ...{ withKeyFile: true, sendId: randomUUID(), nodeId: first.nodeId },
    });
    expect(sent).toEqual({ films: 1, skipped: [], sentObjects: 4, failure: null });
    const [pseudonym = "", name, owner, number] = keyFile!.text.split("\r\n")[1]!.split(",");
    expect([name, owner, number]).toEqual(["Bella", "Änne Sommer", "P-77"]);
    const find = async (query: object) =>
      (await first.bench.call("pacs.find", { jobId: randomUUID(), nodeId: first.nodeId, query })).studies;
    const [found] = await find({ patientId: pseudonym });
    expect(found).toMatchObject({ patientName: pseudonym, objects: 4 });
    const study = found!.studyInstanceUid;
    expect((await find({ patientId: "P-77" })).map((one) => one.studyInstanceUid)).toEqual(["1.2.3.51"]);
    const second = await workstation("second", { widthPx: 96, heightPx: 80 });
    await second.bench.call("settings.save", { measuresOnArrival: false });
    expect(await fetchStudy(second, study)).toMatchObject({ fetchedObjects: 4, failedObjects: 0, failure: null });
    await waitUntil(async () => Boolean((await second.films())[0]?.reading));
    const kept = JSON.stringify([await second.films(), (await second.bench.call("patients.list", {})).patients]);
    expect(kept).toContain(pseudonym);
    expect(kept).not.toMatch(/Bella|Sommer|P-77|Praxis am See|1\.2\.3\.51/);
    expect((await second.bench.call("received.list", {})).objects).toEqual([]);
  });
});

describe.skipIf(!hasOrthanc || !hasDcmtk)("a film in a PACS", () => {
  test("is restored with proposal and correction at another workstation", async () => {
    const { films, sent, restored, notShown, keyFilms } = await thereAndBack(phantomFile(facts), "1.2.3.51", {
      widthPx: 96,
      heightPx: 80,
    });
    expect(films).toEqual([{ widthPx: 96, heightPx: 80 }]);
    const essence = (readings: typeof sent) =>
      readings.map(({ verdict, who, remark, heart, edges }) => ({ verdict, who, remark, heart, edges }));
    expect(essence(restored)).toEqual(essence(sent));
    // The mark of the film, which came with its result, is no list of another program.
    expect([notShown, keyFilms]).toEqual([[], []]);
  });

  test("with non-square pixels is restored with its marks in place", async () => {
    const content = dataSet(...phantomElements(facts), text("00280034", "IS", "2\\1"));
    const film = partTen("1.2.840.10008.1.2.1", content, [
      text("00020002", "UI", "1.2.840.10008.5.1.4.1.1.1.1"),
      text("00020003", "UI", "1.2.3.51.1"),
    ]);
    const { films, sent, restored } = await thereAndBack(film, "1.2.3.51", { widthPx: 96, heightPx: 160 });
    expect(films).toEqual([{ widthPx: 96, heightPx: 160 }]);
    // Places in a report are those of the stored picture, so they pass through its other height.
    const hundredths = (readings: typeof sent) =>
      readings.map(({ heart }) =>
        Object.values(heart ?? {}).map((place) => place && [place.x, place.y].map((px) => Math.round(px * 100))),
      );
    expect(hundredths(restored)).toEqual(hundredths(sent));
  });
});
