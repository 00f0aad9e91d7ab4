// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { readFileSync, rmSync, truncateSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { afterEach, describe, expect, test } from "vitest";
import type { DesktopRequest } from "../../../../core/contract/desktop.ts";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { fetchedExport } from "../../../fixtures/fetched-export.ts";
import { addObjectToWorklist } from "../../../../main/services/import/import-files.ts";
import { readZip } from "../../../../main/services/import/zip-files.ts";
import { findFilm } from "../../../../main/store/films/films.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { isOnPostgres, rawly } from "../../../fixtures/raw-store.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { ask, isMissing } from "../../dicom/results/judges.ts";
import { measured } from "../../store/sample-store.ts";

const benches: DesktopBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.remove();
});

type Request = DesktopRequest<"deidentify.export">;
const everything: Omit<Request, "films"> = {
  contents: ["dicom", "picture", "report", "table"],
  dates: "removed",
  descriptors: "removed",
  keepsPatient: false,
  withKeyFile: false,
  language: "en",
};
const telling = /Sommer|Praxis am See|P-4711|Bellavista|Weiss|bello|dog-01|clinic of names/i;

/** Two films: a DICOM file that names its patient, and a picture of the same one that a person has signed. */
async function openFilms(): Promise<{ readonly bench: DesktopBench; readonly filmIds: readonly string[] }> {
  const bench = await openBench();
  benches.push(bench);
  await bench.call("settings.save", { clinicName: "Clinic of names" });
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  const bytes = phantomFile({ instance: "1.2.3.4", patientId: "P-4711" });
  await addObjectToWorklist(bench.desktop.context, { name: "bello.dcm", origin: "dicom", bytes });
  bench.desktop.parts.queue.wake();
  await isDone(bench, 1);
  bench.engine.answers({ ...measured, widthPx: 1080, heightPx: 864 });
  const film = readFileSync(new URL("../../../fixtures/films/dog-01.jpg", import.meta.url));
  const named = await sharp(film)
    .withExif({ IFD0: { Artist: "Weiss" } })
    .jpeg()
    .toBuffer();
  await bench.addFile("bello.jpg", named);
  await isDone(bench, 2);
  const { films } = await bench.call("films.list", {});
  const owner = { name: "Bellavista", species: "dog", breed: "", owner: "Weiss", uuid: null } as const;
  const picture = films.find(({ fileName }) => fileName === "bello.jpg")!;
  const patient = await bench.call("patients.create", owner);
  await bench.call("films.assignPatient", { filmIds: [picture.id], patientId: patient.id });
  // What was written on a film may name anybody; what was measured on it may go along.
  const note = { id: "a", tool: "note", points: [{ x: 300, y: 300 }], text: "Bellavista Weiss" } as const;
  const line = {
    id: "b",
    tool: "length",
    points: [
      { x: 9, y: 9 },
      { x: 90, y: 9 },
    ],
    text: "",
  } as const;
  await bench.call("annotations.save", {
    filmId: picture.id,
    basedOn: 0,
    who: "Dr Sommer",
    set: {
      frame: { widthPx: 1080, heightPx: 864 },
      calibration: null,
      annotations: [note, line].map((one) => ({ ...one, points: [...one.points] })),
    },
  });
  return { bench, filmIds: films.map(({ id }) => id) };
}

function faultsOf(file: Uint8Array): readonly string[] {
  return ask("dciodvfy", file).lines.filter((line) => line.startsWith("Error"));
}

async function isDone(bench: DesktopBench, count: number): Promise<void> {
  await expect
    .poll(async () => (await bench.call("films.list", {})).films.filter(({ state }) => state === "done").length)
    .toBe(count);
}

async function exported(bench: DesktopBench, filmIds: readonly string[], request: Partial<Request> = {}) {
  const films = filmIds.map((filmId) => ({ filmId, areas: [] }));
  const answer = await bench.call("deidentify.export", { ...everything, films, ...request });
  const { bytes } = await fetchedExport(bench.dataDir, answer.download.url);
  const entries = await readZip(bytes, { files: 100, fileBytes: 1e8, totalBytes: 1e9 });
  return { answer, files: new Map(entries.map(({ name, bytes: content }) => [name, content])) };
}

describe("an export without names", () => {
  test("contains every kind of file, and no names in any of them", async () => {
    const { bench, filmIds } = await openFilms();
    const { answer, files } = await exported(bench, filmIds);
    expect([answer.films, answer.skipped, answer.keyFile]).toEqual([2, [], null]);
    const names = [...files.keys()].map((name) => name.replace(/^ANON-[0-9A-F]{6}-\d\//, "")).sort();
    expect(names).toEqual([
      "README.txt",
      "film-1/annotated.dcm",
      "film-1/film.dcm",
      "film-1/film.png",
      "film-1/graphics.dcm",
      "film-1/handout.pdf",
      "film-1/report.dcm",
      "film-2/annotated.dcm",
      "film-2/film.dcm",
      "film-2/film.png",
      "film-2/graphics.dcm",
      "film-2/handout.pdf",
      "film-2/report.dcm",
      "values.csv",
    ]);
    const table = [...files].find(([name]) => name.endsWith("values.csv"))?.[1];
    expect(String(table).startsWith("\ufeffpatient,film,")).toBe(true);
    for (const [name, content] of files) expect(content.toString("latin1").match(telling), name).toBeNull();
  });

  test.skipIf(isMissing("dciodvfy"))("has DICOM files without a fault that say they are de-identified", async () => {
    const { bench, filmIds } = await openFilms();
    const faultsBefore = faultsOf(phantomFile({ instance: "1.2.3.4", patientId: "P-4711" }));
    for (const dates of ["removed", "shifted"] as const) {
      const { files } = await exported(bench, filmIds, { contents: ["dicom"], dates });
      for (const [name, content] of [...files].filter(([file]) => file.endsWith(".dcm"))) {
        // The film of the test is not whole; de-identifying it must not make that worse.
        const allowed = name.endsWith("film-2/film.dcm") ? faultsBefore : [];
        expect([name, faultsOf(content).filter((line) => !allowed.includes(line))]).toEqual([name, []]);
        const file = readDicomFile(content);
        expect([name, file.text("00120062"), file.items("00120064")[0]?.text("00080100")]).toEqual([
          name,
          "YES",
          "113100",
        ]);
        expect([name, file.tags().filter((tag) => Number.parseInt(tag.slice(0, 4), 16) % 2)]).toEqual([name, []]);
      }
    }
  });

  test("refers from results to the film by the UIDs that the film now has", async () => {
    const { bench, filmIds } = await openFilms();
    const { files } = await exported(bench, filmIds, { contents: ["dicom"] });
    for (const number of [1, 2]) {
      const of = (name: string) =>
        readDicomFile([...files].find(([file]) => file.endsWith(`film-${number}/${name}`))![1]);
      const film = of("film.dcm").text("00080018");
      const evidence = of("report.dcm").items("0040A375")[0]?.items("00081115")[0]?.items("00081199")[0];
      expect(evidence?.text("00081155")).toBe(film);
      expect(of("annotated.dcm").items("00082112")[0]?.text("00081155")).toBe(film);
      const drawn = of("graphics.dcm").items("00081115")[0]?.items("00081140")[0];
      expect(drawn?.text("00081155")).toBe(film);
      expect(film).not.toBe("1.2.3.4");
    }
  });

  test("contains each frame of a multi-frame file as an object, with results that refer to it", async () => {
    const bench = await openBench();
    benches.push(bench);
    bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
    const file = phantomFile({ instance: "1.2.3.4", frames: 2 });
    await addObjectToWorklist(bench.desktop.context, { name: "bello.dcm", origin: "dicom", bytes: file });
    bench.desktop.parts.queue.wake();
    await isDone(bench, 1);
    const [first] = (await bench.call("films.list", {})).films;
    await bench.call("films.addFrame", { filmId: first!.id, frameIndex: 1 });
    await isDone(bench, 2);
    const { films } = await bench.call("films.list", {});
    const { answer, files } = await exported(
      bench,
      films.map(({ id }) => id),
      { contents: ["dicom", "picture"] },
    );
    expect([answer.films, answer.skipped]).toEqual([2, []]);
    const objects = [...files].filter(([name]) => name.endsWith("/film.dcm"));
    const read = objects.map(([, content]) => readDicomFile(content));
    expect(new Set(read.map((object) => object.text("00080018"))).size).toBe(2);
    const greys = read.map(({ pixelData }) => pixelData?.kind === "native" && [...new Set(pixelData.bytes)]);
    expect(greys.toSorted()).toEqual([[120], [140]]);
    for (const [index, [name]] of objects.entries()) {
      const report = readDicomFile(files.get(name.replace("film.dcm", "report.dcm"))!);
      const evidence = report.items("0040A375")[0]?.items("00081115")[0]?.items("00081199")[0];
      expect(evidence?.text("00081155")).toBe(read[index]?.text("00080018"));
    }
  });

  test("blanks the drawn areas in every picture", async () => {
    const { bench, filmIds } = await openFilms();
    const areas = [{ x: 0, y: 0, width: 0.5, height: 0.5 }];
    const films = filmIds.map((filmId) => ({ filmId, areas }));
    const { files } = await exported(bench, filmIds, { films, contents: ["picture"] });
    const pictures = [...files].filter(([name]) => name.endsWith(".png"));
    expect(pictures).toHaveLength(2);
    for (const [name, content] of pictures) {
      const { width, height } = await sharp(content).metadata();
      const part = { left: 0, top: 0, width: Math.floor(width / 2) - 1, height: Math.floor(height / 2) - 1 };
      const { channels } = await sharp(await sharp(content).extract(part).png().toBuffer()).stats();
      expect([name, channels[0]?.max]).toEqual([name, 0]);
    }
  });

  test("gives a key file only where one is wanted, and none of it is in the ZIP", async () => {
    const { bench, filmIds } = await openFilms();
    const { answer, files } = await exported(bench, filmIds, { withKeyFile: true, dates: "shifted" });
    const [header, ...rows] = answer.keyFile!.text.trim().split("\r\n");
    expect(header).toBe("pseudonym,name,owner,number,days,folder,file,film");
    expect(rows).toHaveLength(2);
    expect(rows.join("\n")).toContain("P-4711");
    expect(rows.join("\n")).toContain("Bellavista,Weiss");
    for (const [name, content] of files) expect(content.toString("latin1").match(telling), name).toBeNull();
    const pseudonym = rows[0]!.split(",")[0]!;
    expect([...files.keys()].some((name) => name.startsWith(`${pseudonym}/`))).toBe(true);
  });

  test("contains the number of the assigned patient in its key file", async () => {
    const { bench } = await openFilms();
    const film = (await bench.call("films.list", {})).films.find(({ fileName }) => fileName === "bello.dcm")!;
    const rex = { name: "Rex", species: "dog", breed: "", owner: "Muster", uuid: "P-9" } as const;
    const { id } = await bench.call("patients.create", rex);
    await bench.call("films.assignPatient", { filmIds: [film.id], patientId: id });
    const { answer } = await exported(bench, [film.id], { withKeyFile: true, contents: ["table"] });
    expect(answer.keyFile!.text.split("\r\n")[1]!.split(",").slice(1, 4)).toEqual(["Rex", "Muster", "P-9"]);
  });

  test.each([true, false])(
    "keeps an animal that a film was given to apart from the one that its file names (measured: %s)",
    async (isMeasured) => {
      const bench = await openBench();
      benches.push(bench);
      bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
      await bench.call("settings.save", { measuresOnArrival: isMeasured });
      for (const instance of ["1.2.3.4", "1.2.3.5"]) {
        const bytes = phantomFile({ instance, grey: instance === "1.2.3.4" ? 120 : 140 });
        await addObjectToWorklist(bench.desktop.context, { name: `${instance}.dcm`, origin: "dicom", bytes });
      }
      bench.desktop.parts.queue.wake();
      if (isMeasured) await isDone(bench, 2);
      const { films } = await bench.call("films.list", {});
      const second = films.find(({ fileName }) => fileName === "1.2.3.5.dcm")!;
      const rex = { name: "Rex", species: "dog", breed: "Poodle", owner: "Muster", uuid: "P-B" } as const;
      const { id } = await bench.call("patients.create", rex);
      await bench.call("films.assignPatient", { filmIds: [second.id], patientId: id });
      const ids = films.toSorted((a, b) => a.fileName.localeCompare(b.fileName)).map((film) => film.id);
      const { files } = await exported(bench, ids, { keepsPatient: true, contents: ["dicom"] });
      const told = (number: number) =>
        [...files]
          .filter(([name]) => name.includes(`/film-${number}/`))
          .map(([name, bytes]) => [path.basename(name), readDicomFile(bytes)] as const);
      const [named, given] = [told(1), told(2)];
      expect(given.map(([name]) => name)).toEqual(
        isMeasured ? ["film.dcm", "annotated.dcm", "report.dcm", "graphics.dcm"] : ["film.dcm"],
      );
      const breeds = (objects: typeof given) => new Set(objects.map(([, file]) => file.text("00102292")));
      expect([breeds(named), breeds(given)]).toEqual([new Set(["Beagle"]), new Set(["Poodle"])]);
      for (const tag of ["0020000D", "0020000E", "00100020"]) {
        const ofNamed = new Set(named.map(([, file]) => file.text(tag)));
        expect(given.filter(([, file]) => ofNamed.has(file.text(tag)))).toEqual([]);
      }
      expect(new Set(given.map(([, file]) => file.text("0020000D"))).size).toBe(1);
      for (const [, file] of given) expect(file.text("00120062")).toBe("YES");
    },
  );

  test("lists skipped films, and records user and films in the audit trail", async () => {
    const { bench, filmIds } = await openFilms();
    const { answer } = await exported(bench, [filmIds[0]!, "gone"], { contents: ["table"] });
    expect([answer.films, answer.skipped]).toEqual([1, ["gone"]]);
    const { events } = await bench.call("audit.list", {});
    expect(events.filter(({ action }) => action === "film.deidentified")).toHaveLength(1);
  });

  test.each([
    [
      "is cut off",
      (file: string) => truncateSync(file, 700),
      "UPDATE film_images SET bytes = substring(bytes FOR 700)",
    ],
    ["is gone", (file: string) => rmSync(file), "DELETE FROM film_images"],
  ])("leaves out a film whose file %s, and exports the others", async (_what, spoilFile, spoilRows) => {
    const { bench, filmIds } = await openFilms();
    const { sha256 } = (await findFilm(bench.context.db, filmIds[0]!))!;
    if (isOnPostgres) await rawly(bench.context.db, `${spoilRows} WHERE sha256 = '${sha256}' AND image = 'original'`);
    else spoilFile(path.join(bench.dataDir, "films", sha256));
    const { answer, files } = await exported(bench, filmIds, { contents: ["dicom", "picture", "table"] });
    expect([answer.films, answer.skipped]).toEqual([filmIds.length - 1, [filmIds[0]]]);
    expect([...files.keys()].filter((name) => name.endsWith("film.png"))).toHaveLength(filmIds.length - 1);
  });
});

test("a look at a film gives its picture once and what may be text", async () => {
  const { bench, filmIds } = await openFilms();
  for (const filmId of filmIds) {
    const { picture, suspected, said } = await bench.call("deidentify.look", { filmId });
    const { bytes, mediaType } = await fetchedExport(bench.dataDir, picture.url);
    expect([mediaType, (await sharp(bytes).metadata()).format, said]).toEqual(["image/jpeg", "jpeg", "nothing"]);
    for (const { x, y, width, height } of suspected) expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(1);
  }
});
