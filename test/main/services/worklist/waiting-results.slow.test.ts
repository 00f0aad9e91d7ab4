import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { readResultObject, type ResultObject } from "../../../../main/dicom/results/read-result.ts";
import { explicitLittleEndian } from "../../../../main/dicom/transfer-syntaxes.ts";
import { makeResultObjects } from "../../../../main/services/results/result-objects.ts";
import { restoreResult } from "../../../../main/services/worklist/import-results.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { dataSet, partTen } from "../../dicom/dicom-writer.ts";
import { phantomElements, phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";

let source: DesktopBench;
let target: DesktopBench;
let films = 0;

beforeAll(async () => void ([source, target] = [await open(), await open()]));
afterAll(async () => {
  await source.remove();
  await target.remove();
});

async function open(): Promise<DesktopBench> {
  const bench = await openBench();
  // Only result pictures carry the votes of the networks.
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80, votes: [measured.landmarks] });
  return bench;
}

const filmIdOf = async (bench: DesktopBench, name: string) =>
  (await bench.call("films.list", { search: name })).films[0]!.id;
const readingsOf = async (bench: DesktopBench, name: string) => {
  const { readings } = await bench.call("films.get", { filmId: await filmIdOf(bench, name) });
  return readings.map((reading) => ({ ...reading, filmId: null }));
};

const restored = (result: ResultObject) => restoreResult(target.desktop.context, result);

async function resultsOf(name: string) {
  const objects = (await makeResultObjects(source.desktop.context, await filmIdOf(source, name)))
    .map(({ bytes }) => readResultObject(readDicomFile(bytes)))
    .filter((object) => object !== null);
  const named = (kind: ResultObject["kind"]) => objects.find((object) => object.kind === kind)!;
  return { picture: named("picture"), report: named("report") };
}

async function judge(name: string, who: string): Promise<string> {
  return (await source.accept(await filmIdOf(source, name), who)).reading.id;
}

async function judgedFilm(who: string) {
  const number = (films += 1);
  const bytes = phantomFile({ instance: `1.2.3.95.${number}`, study: "1.2.3.95", grey: number });
  const name = `film-${number}.dcm`;
  await source.addFile(name, bytes);
  await source.desktop.parts.queue.whenIdle();
  await judge(name, who);
  return { name, bytes };
}

/** Sends results to the target before their film. @returns the film's readings on the target */
async function afterWaiting(film: Awaited<ReturnType<typeof judgedFilm>>, ...waiting: readonly ResultObject[]) {
  for (const result of waiting) expect(await restored(result)).toBe("resultKept");
  await target.addFile(film.name, film.bytes);
  return readingsOf(target, film.name);
}

test.each(["report", "picture"] as const)(
  "the exact readings of a picture take precedence over those of a report (%s first)",
  async (firstKind) => {
    const film = await judgedFilm("Dr. Weiß");
    const results = await resultsOf(film.name);
    expect(results.report.readings).not.toEqual(results.picture.readings);
    const secondKind = firstKind === "report" ? "picture" : "report";
    const first = { ...results[firstKind], sopInstanceUid: `1.1.${films}` };
    const second = { ...results[secondKind], sopInstanceUid: `1.2.${films}` };
    expect(await afterWaiting(film, first, second)).toEqual(await readingsOf(source, film.name));
  },
);

test("a later decision in a report is applied to the picture's readings", async () => {
  const film = await judgedFilm("Dr. Weiß");
  const { picture } = await resultsOf(film.name);
  await judge(film.name, "Dr. Öz");
  const { report } = await resultsOf(film.name);
  const found = await afterWaiting(film, report, picture);
  const kept = await readingsOf(source, film.name);
  expect(found.map(({ id, who }) => [id, who])).toEqual(kept.map(({ id, who }) => [id, who]));
  expect(found.slice(0, 2)).toEqual(kept.slice(0, 2));
});

test.each(["report", "picture"] as const)("an undone decision is not restored (%s)", async (kind) => {
  const film = await judgedFilm("Dr. Weiß");
  const readingId = await judge(film.name, "Dr. Öz");
  const withdrawn = await resultsOf(film.name);
  await source.call("readings.undo", { filmId: await filmIdOf(source, film.name), readingId });
  const current = await resultsOf(film.name);
  const found = await afterWaiting(film, withdrawn[kind], current[kind]);
  expect(found.map(({ who }) => who)).toEqual([null, "Dr. Öz", "Dr. Weiß"]);
});

test("an older result, or one without a decision, does not replace a newer decision", async () => {
  const film = await judgedFilm("Dr. Weiß");
  const { picture } = await resultsOf(film.name);
  await target.addFile(film.name, film.bytes);
  await target.desktop.parts.queue.whenIdle();
  target.setNow(new Date("2027-01-01T09:00:00Z"));
  await target.accept(await filmIdOf(target, film.name), "Dr. Öz");
  const decided = await readingsOf(target, film.name);
  const [proposal] = picture.readings;
  const undecided = { ...proposal!, id: randomUUID(), at: "2028-01-01T09:00:00.000Z" };
  expect(await restored(picture)).toBe("resultOlder");
  expect(await restored({ ...picture, readings: [undecided] })).toBe("resultOlder");
  expect(await readingsOf(target, film.name)).toEqual(decided);
  source.setNow(new Date("2028-01-01T09:00:00Z"));
  const readingId = await judge(film.name, "Dr. Alt");
  const withdrawn = await resultsOf(film.name);
  await source.call("readings.undo", { filmId: await filmIdOf(source, film.name), readingId });
  const { picture: newer } = await resultsOf(film.name);
  expect(await restored(newer)).toMatchObject({ id: await filmIdOf(target, film.name) });
  expect(await restored(withdrawn.picture)).toBe("resultOlder");
  expect((await readingsOf(target, film.name)).map(({ who }) => who)).toEqual([null, "Dr. Öz", null, "Dr. Weiß"]);
});

test.each(["before", "after"])(
  "a result that arrives %s another picture with its UID waits for the matching one",
  async (when) => {
    const film = await judgedFilm("Dr. Weiß");
    const { picture } = await resultsOf(film.name);
    const twin = { widthPx: 64, heightPx: 64, grey: Buffer.alloc(64 * 64, 90) };
    const facts = phantomElements({ instance: `1.2.3.95.${films}`, study: "1.2.3.95" }, twin);
    if (when === "before") expect(await restored(picture)).toBe("resultKept");
    await target.addFile("twin.dcm", partTen(explicitLittleEndian, dataSet(...facts)));
    if (when === "after") expect(await restored(picture)).toBe("resultKept");
    await target.addFile(film.name, film.bytes);
    expect(await readingsOf(target, film.name)).toEqual(await readingsOf(source, film.name));
    expect(await restored(picture)).toMatchObject({ id: await filmIdOf(target, film.name) });
  },
);

test("strips characters that PostgreSQL cannot store", async () => {
  const { name } = await judgedFilm("Dr. Weissmann-Roth");
  const objects = await makeResultObjects(source.desktop.context, await filmIdOf(source, name));
  const pictures = objects.map(({ bytes }) =>
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
