import { afterEach, expect, test } from "vitest";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { readResultObject, type ResultObject } from "../../../../main/dicom/results/read-result.ts";
import { makeResultObjects } from "../../../../main/services/results/result-objects.ts";
import { restoreResult } from "../../../../main/services/worklist/import-results.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";

const film = phantomFile({ instance: "1.2.3.95.1", study: "1.2.3.95" });
const benches: DesktopBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.remove();
});

async function open(): Promise<DesktopBench> {
  const bench = await openBench();
  benches.push(bench);
  // What each network said for itself travels in pictures only.
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80, votes: [measured.landmarks] });
  return bench;
}

const filmIdOf = async (bench: DesktopBench) => (await bench.call("films.list", {})).films[0]!.id;
const readingsOf = async (bench: DesktopBench) => {
  const { readings } = await bench.call("films.get", { filmId: await filmIdOf(bench) });
  return readings.map((reading) => ({ ...reading, filmId: null }));
};

async function results(bench: DesktopBench) {
  const objects = (await makeResultObjects(bench.desktop.context, await filmIdOf(bench)))
    .map(({ bytes }) => readResultObject(readDicomFile(bytes)))
    .filter((object) => object !== null);
  const named = (kind: ResultObject["kind"]) => objects.find((object) => object.kind === kind)!;
  return { picture: named("picture"), report: named("report") };
}

async function judge(bench: DesktopBench, who: string): Promise<void> {
  const filmId = await filmIdOf(bench);
  const { readings } = await bench.call("films.get", { filmId });
  const basedOn = readings.at(-1)!.id;
  await bench.call("readings.save", { filmId, basedOn, verdict: "accepted", who, remark: "", geometry: null });
}

/** What a workstation has of a film that comes after its results. */
async function afterWaiting(...waiting: readonly ResultObject[]) {
  const bench = await open();
  for (const result of waiting) expect(await restoreResult(bench.desktop.context, result)).toBeNull();
  await bench.addFile("film.dcm", film);
  return readingsOf(bench);
}

test.each([
  ["1.1", "1.2"],
  ["1.2", "1.1"],
])(
  "the picture's exact readings count where a report waits, too, whatever they are called (%s, %s)",
  async (one, other) => {
    const bench = await open();
    await bench.addFile("film.dcm", film);
    await bench.desktop.parts.queue.whenIdle();
    await judge(bench, "Dr. Weiß");
    const { picture, report } = await results(bench);
    const kept = await readingsOf(bench);
    expect(report.readings).not.toEqual(picture.readings);
    expect(await afterWaiting({ ...report, sopInstanceUid: one }, { ...picture, sopInstanceUid: other })).toEqual(kept);
    expect(await afterWaiting({ ...picture, sopInstanceUid: one }, { ...report, sopInstanceUid: other })).toEqual(kept);
  },
);

test("a decision known from a report only applies to the picture's readings, for it is later", async () => {
  const bench = await open();
  await bench.addFile("film.dcm", film);
  await bench.desktop.parts.queue.whenIdle();
  await judge(bench, "Dr. Weiß");
  const { picture } = await results(bench);
  await judge(bench, "Dr. Öz");
  const { report } = await results(bench);
  const restored = await afterWaiting(report, picture);
  const kept = await readingsOf(bench);
  expect(restored.map(({ id, who }) => [id, who])).toEqual(kept.map(({ id, who }) => [id, who]));
  expect(restored.slice(0, 2)).toEqual(kept.slice(0, 2));
});

test("strips characters that PostgreSQL cannot store", async () => {
  const bench = await open();
  await bench.addFile("film.dcm", film);
  await bench.desktop.parts.queue.whenIdle();
  await judge(bench, "Dr. Weissmann-Roth");
  const pictures = (await makeResultObjects(bench.desktop.context, await filmIdOf(bench))).map(({ bytes }) =>
    Buffer.from(
      Buffer.from(bytes)
        .toString("latin1")
        .replaceAll('"who":"Dr. Weissmann-Roth', String.raw`"who":"Dr. \u0000ss\ud83d`),
      "latin1",
    ),
  );
  const read = pictures
    .map((bytes) => readResultObject(readDicomFile(bytes)))
    .find((found) => found?.kind === "picture");
  expect(read?.readings.at(-1)?.who).toBe("Dr. ss\ufffd");
});
