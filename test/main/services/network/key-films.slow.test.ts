// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { sendTo } from "../../../../main/dicom/network/nodes.ts";
import { readKeyObjects } from "../../../../main/dicom/presentation/read-key-objects.ts";
import type { DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { runCommand } from "../../../fixtures/process/corvet-command.ts";
import { dataSet, partTen, sequence, text, type Written } from "../../dicom/dicom-writer.ts";
import { freePort, hasDcmtk } from "../../dicom/network/dcmtk.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { hasOrthanc, spawnOrthanc } from "./orthanc.ts";
import { openSurroundingsOfFile } from "./surroundings.ts";
import { waitUntil } from "../../../fixtures/patience.ts";

const keyObjects = "1.2.840.10008.5.1.4.1.1.88.59";
const digital = "1.2.840.10008.5.1.4.1.1.1.1";

const image = (uid: string) => [text("00081150", "UI", digital), text("00081155", "UI", uid)];
const code = (value: string, meaning: string) => [
  text("00080100", "SH", value),
  text("00080102", "SH", "DCM"),
  text("00080104", "LO", meaning),
];

/** A key object selection as written by the viewer of an archive; two films are in its evidence. */
function list(...chosen: string[]): Buffer {
  const items: Written[][] = [
    [
      text("0040A010", "CS", "CONTAINS"),
      text("0040A040", "CS", "TEXT"),
      sequence("0040A043", code("113012", "Key Object Description")),
      text("0040A160", "UT", "Herz und Lunge"),
    ],
    ...chosen.map((uid) => [
      text("0040A010", "CS", "CONTAINS"),
      text("0040A040", "CS", "IMAGE"),
      sequence("00081199", image(uid)),
    ]),
  ];
  const content = dataSet(
    text("00080005", "CS", "ISO_IR 192"),
    text("00080016", "UI", keyObjects),
    text("00080018", "UI", "1.2.3.81.9"),
    text("00080023", "DA", "20261120"),
    text("00080033", "TM", "120000"),
    text("00080060", "CS", "KO"),
    text("00080201", "SH", "+0000"),
    text("00100010", "PN", "Sömmer^Bella"),
    text("00100020", "LO", "P-77"),
    text("0020000D", "UI", "1.2.3.81"),
    text("0020000E", "UI", "1.2.3.81.8"),
    text("0040A040", "CS", "CONTAINER"),
    sequence("0040A043", code("113003", "For Surgery")),
    sequence("0040A375", [
      sequence("00081115", [
        sequence("00081199", image("1.2.3.81.1"), image("1.2.3.81.2")),
        text("0020000E", "UI", "1.2.3.81.5"),
      ]),
      text("0020000D", "UI", "1.2.3.81"),
    ]),
    sequence("0040A730", ...items),
  );
  return partTen("1.2.840.10008.1.2.1", content, [
    text("00020002", "UI", keyObjects),
    text("00020003", "UI", "1.2.3.81.9"),
  ]);
}

const film = (number: number) =>
  phantomFile({ study: "1.2.3.81", series: "1.2.3.81.5", instance: `1.2.3.81.${number}`, grey: 60 * number });
const second = { studyInstanceUid: "1.2.3.81", seriesInstanceUid: "1.2.3.81.5", sopInstanceUid: "1.2.3.81.2" };

test("reads the selected films of a list, or all films in its evidence if none is selected", () => {
  expect(readKeyObjects(readDicomFile(list("1.2.3.81.2")))).toEqual({
    sopInstanceUid: "1.2.3.81.9",
    title: "For Surgery",
    description: "Herz und Lunge",
    at: "2026-11-20T12:00:00.000Z",
    patientName: "Bella",
    patientId: "P-77",
    films: [second],
    isOwn: false,
  });
  expect(readKeyObjects(readDicomFile(list()))?.films).toHaveLength(2);
  expect(readKeyObjects(readDicomFile(film(1)))).toBeNull();
});

describe.skipIf(!hasOrthanc || !hasDcmtk)("with Orthanc", () => {
  const around = openSurroundingsOfFile();
  let port: number;
  let bench: DesktopBench;

  beforeAll(async () => {
    port = await freePort();
    await around.answering(spawnOrthanc(around.folder, { dicomPort: port, ownPort: 1 }), port);
    bench = await around.open();
    const node = { kind: "dimse", host: "127.0.0.1", port, aeTitle: "PACS", encryption: null } as const;
    expect(await sendTo(node, [film(1), film(2), list("1.2.3.81.2")], { aeTitle: "CORVET" })).toEqual({
      failure: null,
      leftOut: [],
    });
  });

  test("lists the films of a received list, retrieves a film and removes the list", async () => {
    await bench.call("settings.save", { measuresOnArrival: false });
    const node = { nodeId: null, name: "PACS", host: "127.0.0.1", port, aeTitle: "PACS" };
    const nodeId = (await bench.call("dicom.saveNode", node)).nodes[0]!.id;
    const fetch = (seriesInstanceUid: string, sopInstanceUid: string) =>
      bench.call("pacs.fetch", {
        ...{ jobId: randomUUID(), nodeId, studyInstanceUid: "1.2.3.81" },
        film: { seriesInstanceUid, sopInstanceUid },
      });
    const lists = async () => (await bench.call("keyFilms.list", {})).lists;
    expect(await fetch("1.2.3.81.8", "1.2.3.81.9")).toMatchObject({ fetchedObjects: 1, failure: null });
    await waitUntil(async () => (await lists()).length === 1);
    expect((await lists())[0]).toMatchObject({ patientName: "Bella", films: [{ ...second, filmId: null }] });
    expect((await bench.call("received.list", {})).objects).toEqual([]);
    expect(await fetch(second.seriesInstanceUid, second.sopInstanceUid)).toMatchObject({ fetchedObjects: 1 });
    await waitUntil(async () => (await lists())[0]?.films[0]?.filmId !== null);
    const { films } = await bench.call("films.list", {});
    expect((await lists())[0]!.films).toEqual([{ ...second, filmId: films[0]!.id }]);
    await bench.call("keyFilms.remove", { sopInstanceUid: "1.2.3.81.9" });
    expect(await lists()).toEqual([]);
  });

  test("retrieves the films of a list by the command", async () => {
    const [file, into] = [path.join(around.folder, "key.dcm"), path.join(around.folder, "fetched")];
    writeFileSync(file, list("1.2.3.81.2"));
    const node = `127.0.0.1:${port}:PACS`;
    const fetched = await runCommand("pacs", "fetch", "--node", node, "--key-films", file, "--into", into);
    expect(fetched).toEqual({ status: 0, stdout: "1 fetched, 0 failed\n", stderr: "" });
    expect(readdirSync(into)).toHaveLength(1);
  });
});
