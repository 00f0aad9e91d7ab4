// Runs once: tests traffic with other programs; its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { DesktopRequest } from "../../../../core/contract/desktop.ts";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { fetchedExport } from "../../../fixtures/fetched-export.ts";
import { addObjectToWorklist } from "../../../../main/services/import/import-files.ts";
import { readZip } from "../../../../main/services/import/zip-files.ts";
import { findFilm } from "../../../../main/store/films/films.ts";
import { useBenchOfFile } from "../../../fixtures/use-bench.ts";
import { phantomFile, type PhantomFacts } from "../../dicom/phantom-film.ts";
import { decodeSamples } from "../../../../main/imaging/decode-image.ts";
import { ask, isMissing } from "../../dicom/results/judges.ts";
import { measured } from "../../store/sample-store.ts";

const bench = useBenchOfFile();
let filmIds: readonly string[];
let undated: Awaited<ReturnType<typeof exported>>;
let shifted: Awaited<ReturnType<typeof exported>>;

beforeAll(async () => {
  filmIds = await openFilms();
  undated = await exported(filmIds);
  shifted = await exported(filmIds, { withKeyFile: true, dates: "shifted" });
});

type Request = DesktopRequest<"deidentify.export">;
const everything: Omit<Request, "films" | "exportId"> = {
  contents: ["dicom", "picture", "report", "table"],
  dates: "removed",
  descriptors: "removed",
  keepsPatient: false,
  withKeyFile: false,
  language: "en",
};
const telling = /Sommer|Praxis am See|P-4711|Bellavista|Weiss|bello|dog-01|clinic of names/i;

const phantomSize = { widthPx: 96, heightPx: 80 };
const pictureSize = { widthPx: 360, heightPx: 288 };

async function openPhantom(facts: PhantomFacts, name = `${facts.instance}.dcm`): Promise<string> {
  bench.engine.answers({ ...measured, ...phantomSize });
  await addObjectToWorklist(bench.desktop.context, { name, origin: "dicom", bytes: phantomFile(facts) });
  return idle(name);
}

/** Waits until a film is measured. @returns the id of the film with this file name */
async function idle(name: string): Promise<string> {
  await bench.desktop.parts.queue.whenIdle();
  return (await bench.call("films.list", { search: name })).films[0]!.id;
}

async function openFilms(): Promise<readonly string[]> {
  await bench.call("settings.save", { clinicName: "Clinic of names" });
  const dicomId = await openPhantom({ instance: "1.2.3.4", patientId: "P-4711" }, "bello.dcm");
  bench.engine.answers({ ...measured, ...pictureSize });
  const film = readFileSync(new URL("../../../fixtures/films/dog-01.jpg", import.meta.url));
  const named = await sharp(film)
    .resize(pictureSize.widthPx)
    .withExif({ IFD0: { Artist: "Weiss" } })
    .jpeg()
    .toBuffer();
  await bench.addFile("bello.jpg", named);
  const pictureId = await idle("bello.jpg");
  await bench.addPatient({ name: "Bellavista", owner: "Weiss" }, pictureId);
  // Notes on a film may contain names and must not be exported; measured lengths may be.
  const note = { id: "a", tool: "note", points: [{ x: 100, y: 100 }], text: "Bellavista Weiss" } as const;
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
    filmId: pictureId,
    basedOn: 0,
    who: "Dr Sommer",
    set: {
      frame: pictureSize,
      corners: null,
      calibration: null,
      annotations: [note, line].map((one) => ({ ...one, points: [...one.points] })),
    },
  });
  return [pictureId, dicomId];
}

function faultsOf(file: Uint8Array): readonly string[] {
  return ask("dciodvfy", file).lines.filter((line) => line.startsWith("Error"));
}

async function exported(of: readonly string[], request: Partial<Request> = {}) {
  const films = of.map((filmId) => ({ filmId, areas: [] }));
  const exportId = randomUUID();
  const answer = await bench.call("deidentify.export", { exportId, ...everything, films, ...request });
  const { bytes } = await fetchedExport(bench.dataDir, answer.download.url);
  const entries = await readZip(bytes, { files: 100, fileBytes: 1e8, totalBytes: 1e9 });
  return { answer, files: new Map(entries.map(({ name, bytes: content }) => [name, content])) };
}

describe("an export without names", () => {
  test("contains all kinds of files, without names", () => {
    const { answer, files } = undated;
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

  test.skipIf(isMissing("dciodvfy"))("has valid DICOM files that are marked as de-identified", () => {
    const faultsBefore = faultsOf(phantomFile({ instance: "1.2.3.4", patientId: "P-4711" }));
    for (const { files } of [undated, shifted]) {
      for (const [name, content] of [...files].filter(([file]) => file.endsWith(".dcm"))) {
        // The test's film has faults itself; de-identification must not add others.
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

  test("refers from results to the film by its new UIDs", () => {
    const { files } = undated;
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

  test("contains each frame of a multi-frame file as a separate object with its own results", async () => {
    const filmId = await openPhantom({ instance: "1.2.3.8", frames: 2 });
    const { film: second } = await bench.call("films.addFrame", { filmId, frameIndex: 1 });
    await bench.desktop.parts.queue.whenIdle();
    const { answer, files } = await exported([filmId, second.id], { contents: ["dicom", "picture"] });
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

  test("blanks the marked areas in all images", async () => {
    const areas = [{ x: 0, y: 0, width: 0.5, height: 0.5 }];
    const films = filmIds.map((filmId) => ({ filmId, areas }));
    const { files } = await exported(filmIds, { films, contents: ["picture"] });
    const pictures = [...files].filter(([name]) => name.endsWith(".png"));
    expect(pictures).toHaveLength(2);
    for (const [name, content] of pictures) {
      const { width, height } = await sharp(content).metadata();
      const part = { left: 0, top: 0, width: Math.floor(width / 2) - 1, height: Math.floor(height / 2) - 1 };
      const { channels } = await sharp(await sharp(content).extract(part).png().toBuffer()).stats();
      expect([name, channels[0]?.max]).toEqual([name, 0]);
    }
  });

  test("keeps the depth of a 16-bit picture, also beside a blanked area", async () => {
    const { widthPx: width, heightPx: height } = pictureSize;
    const greys = Uint16Array.from({ length: width * height }, (_, index) => 100 + (index % 3500));
    const film = await sharp(greys, { raw: { width, height, channels: 1 } })
      .toColourspace("grey16")
      .png()
      .toBuffer();
    bench.engine.answers({ ...measured, ...pictureSize });
    await bench.addFile("deep.png", film);
    const filmId = await idle("deep.png");
    for (const areas of [[], [{ x: 0, y: 0, width: 1, height: 0.5 }]]) {
      const { files } = await exported([filmId], { films: [{ filmId, areas }], contents: ["picture"] });
      const [, picture] = [...files].find(([name]) => name.endsWith("film.png"))!;
      const { data, bits } = await decodeSamples(picture);
      const kept = new Uint16Array(data.buffer, data.byteOffset, greys.length).subarray(greys.length / 2);
      expect([bits, kept]).toEqual([16, greys.subarray(greys.length / 2)]);
    }
  });

  test("has a key file only if requested, separate from the ZIP", () => {
    const { answer, files } = shifted;
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
    const filmId = await openPhantom({ instance: "1.2.3.9" });
    await bench.addPatient({ owner: "Muster", uuid: "P-9" }, filmId);
    const { answer } = await exported([filmId], { withKeyFile: true, contents: ["table"] });
    expect(answer.keyFile!.text.split("\r\n")[1]!.split(",").slice(1, 4)).toEqual(["Rex", "Muster", "P-9"]);
  });

  test.each([true, false])(
    "separates the assigned patient of a film from the one in its file (measured: %s)",
    async (isMeasured) => {
      const uids = isMeasured ? ["1.2.3.10", "1.2.3.11"] : ["1.2.3.12", "1.2.3.13"];
      await bench.call("settings.save", { measuresOnArrival: isMeasured });
      const ids: string[] = [];
      for (const [index, instance] of uids.entries()) ids.push(await openPhantom({ instance, grey: 130 + 10 * index }));
      await bench.call("settings.save", { measuresOnArrival: true });
      await bench.addPatient({ breed: "Poodle", owner: "Muster", uuid: uids[1]! }, ids[1]!);
      const { files } = await exported(ids, { keepsPatient: true, contents: ["dicom"] });
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

  test("lists skipped films and is audited per film", async () => {
    const filmId = await openPhantom({ instance: "1.2.3.14" });
    const { answer } = await exported([filmId, "gone"], { contents: ["table"] });
    expect([answer.films, answer.skipped]).toEqual([1, ["gone"]]);
    const { events } = await bench.call("audit.list", { actions: ["film.deidentified"] });
    expect(events.filter(({ subject }) => subject === filmId)).toHaveLength(1);
  });

  test("leaves no file and no event if it is cancelled", async () => {
    const filmId = await openPhantom({ instance: "1.2.3.17" });
    const exportId = randomUUID();
    const { context, parts } = bench.desktop;
    const { source } = context.dicom;
    vi.spyOn(context.dicom, "source").mockImplementationOnce((...film) => {
      parts.jobs.cancel(exportId);
      return source(...film);
    });
    const waiting = () => readdirSync(path.join(bench.dataDir, "exports"));
    const before = waiting();
    await expect(exported([filmId], { exportId })).rejects.toMatchObject({ code: "ABORTED" });
    const { events } = await bench.call("audit.list", { actions: ["film.deidentified"] });
    expect([events.filter(({ subject }) => subject === filmId), waiting()]).toEqual([[], before]);
  });

  test.each([
    ["is truncated", "1.2.3.15", (file: string) => truncateSync(file, 700)],
    ["is missing", "1.2.3.16", (file: string) => rmSync(file)],
  ])("skips a film whose file %s and exports the others", async (_what, instance, spoil) => {
    const spoilt = await openPhantom({ instance });
    const { sha256 } = (await findFilm(bench.context.db, spoilt))!;
    spoil(path.join(bench.dataDir, "films", sha256));
    const { answer, files } = await exported([spoilt, filmIds[1]!], { contents: ["dicom", "picture", "table"] });
    expect([answer.films, answer.skipped]).toEqual([1, [spoilt]]);
    expect([...files.keys()].filter((name) => name.endsWith("film.png"))).toHaveLength(1);
  });
});

test("returns the image of a film once, with suspected text", async () => {
  for (const filmId of filmIds) {
    const { picture, suspected, said } = await bench.call("deidentify.look", { filmId });
    const { bytes, mediaType } = await fetchedExport(bench.dataDir, picture.url);
    expect([mediaType, (await sharp(bytes).metadata()).format, said]).toEqual(["image/jpeg", "jpeg", "nothing"]);
    for (const { x, y, width, height } of suspected) expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(1);
  }
});
