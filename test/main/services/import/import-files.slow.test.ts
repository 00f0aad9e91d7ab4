// Runs once: its queries are tested elsewhere.
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { AddedFilm, OpenedFiles } from "../../../../core/contract/desktop/films.ts";
import { patientUuid } from "../../../../main/dicom/patient-uuid.ts";
import { explicitLittleEndian, implicitLittleEndian } from "../../../../main/dicom/transfer-syntaxes.ts";
import { filmsDir } from "../../../../main/store/files/store-files.ts";
import { readFilmImage } from "../../../../main/services/desktop/film-images.ts";
import { addFilmToWorklist } from "../../../../main/services/worklist/films.ts";
import { applyImageRetention } from "../../../../main/services/worklist/image-retention.ts";
import { importBytes } from "../../../../main/services/import/import-files.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { outputOf } from "../../../fixtures/process/run-tool.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { dataSet, implicit, partTen, text } from "../../dicom/dicom-writer.ts";
import { phantomElements, phantomFile } from "../../dicom/phantom-film.ts";
import { hasTool } from "../../dicom/pixels/dicom-tools.ts";
import { measured } from "../../store/sample-store.ts";
import { isOnPostgres, rawly } from "../../../fixtures/raw-store.ts";
import { folderForEach } from "../../../fixtures/folders.ts";
import { zipOf } from "../../../fixtures/zip-of.ts";

const bench = useBench();
const folder = folderForEach();
beforeEach(() => {
  bench.engine.answers(measured);
});

const put = (name: string, content: Uint8Array | string) => writeFileSync(path.join(folder(), name), content);
const films = async () =>
  (await bench.call("films.list", {})).films.toSorted((a, b) => a.fileName.localeCompare(b.fileName));
const open = async (...names: string[]) => {
  await bench.desktop.openPaths(names.map((name) => path.join(folder(), name)));
  await bench.desktop.parts.queue.whenIdle();
  return bench.faults.map(({ name, message }) => `${name}: ${message}`);
};
const send = (name: string, content: Uint8Array): Promise<OpenedFiles> =>
  importBytes(bench.desktop.context, { name, bytes: content, origin: "file" }, false);
const add = (content: Uint8Array, name = "film"): Promise<AddedFilm> =>
  addFilmToWorklist(bench.desktop.context, { name, bytes: content, origin: "file" });

describe("a folder", () => {
  it("imports films with patient, date and state, and reports the faults of other files", async () => {
    mkdirSync(path.join(folder(), "series 2"));
    put("IM000001", phantomFile({ instance: "1.1" }));
    put("series 2/b.dcm", phantomFile({ instance: "1.2", view: "VD", grey: 90 }));
    put("series 2/bare", dataSet(...phantomElements({ instance: "1.3", grey: 60 })));
    put("photo.png", await smallPicture(3));
    put("cut.dcm", phantomFile({ instance: "1.4" }).subarray(0, -100));
    put("report.dcm", "%PDF-1.7");
    put("empty.dcm", "");
    put("README", "a CD of the practice");
    const faults = await open(".");
    expect(faults.toSorted()).toEqual([
      "cut.dcm: The DICOM file is truncated: frame 1 needs 7,680 bytes of pixel data, but there are 7,580",
      "empty.dcm: The file is empty",
      "report.dcm: This is a PDF; films are JPEG, PNG or DICOM. Export the film itself from the X-ray program.",
    ]);
    const shown = (await films()).map((film) => [
      film.fileName,
      film.origin,
      film.state,
      film.patient?.name ?? null,
      film.dicom?.viewPosition ?? null,
    ]);
    expect(shown).toEqual([
      ["b.dcm", "dicom", "cancelled", "Bella", "VD"],
      ["bare", "dicom", "done", "Bella", "LL"],
      ["IM000001", "dicom", "done", "Bella", "LL"],
      ["photo.png", "file", "done", null, null],
    ]);
    expect((await films())[0]?.takenAt).toBe(new Date("2025-02-03T10:15:00").toISOString());
  });

  it("reports an archive without films", async () => {
    put("README", "nothing else");
    expect(await open(".")).toEqual([`${path.basename(folder())}: Contains no film`]);
  });
});

describe("a DICOMDIR", () => {
  it.skipIf(!hasTool("dcmmkdir"))(
    "imports the files listed by DCMTK, also if copied under lower-case names, and no others",
    async () => {
      mkdirSync(path.join(folder(), "IMAGES"));
      put("IMAGES/ONE", phantomFile({ instance: "2.1" }));
      put("IMAGES/TWO", phantomFile({ instance: "2.2", grey: 50, instanceNumber: 2 }));
      outputOf("dcmmkdir", [
        "--general-purpose",
        "--invent",
        "--input-directory",
        folder(),
        "--output-file",
        path.join(folder(), "DICOMDIR"),
        "IMAGES/ONE",
        "IMAGES/TWO",
      ]);
      renameSync(path.join(folder(), "IMAGES"), path.join(folder(), "images"));
      renameSync(path.join(folder(), "images", "ONE"), path.join(folder(), "images", "one"));
      rmSync(path.join(folder(), "images", "TWO"));
      put("viewer.jpg", await smallPicture(1, "jpeg"));
      const faults = await open(".");
      expect(faults).toEqual(["IMAGES/TWO: The DICOMDIR lists this file, but it is missing"]);
      expect((await films()).map((film) => film.fileName)).toEqual(["ONE"]);
      expect((await open("DICOMDIR")).length).toBe(2);
      expect((await films()).length).toBe(1);
    },
  );

  it("rejects files outside its folder", async () => {
    mkdirSync(path.join(folder(), "cd"));
    put("secret", phantomFile({ instance: "3.1" }));
    put("cd/DICOMDIR", directoryOf("..\\secret", "A/../../secret", "LINK", "NONE"));
    symlinkSync(path.join(folder(), "secret"), path.join(folder(), "cd", "LINK"));
    const outside = "The DICOMDIR refers to a file outside its folder";
    expect(await open("cd")).toEqual([
      `../secret: ${outside}`,
      `A/../../secret: ${outside}`,
      `LINK: ${outside}`,
      "NONE: The DICOMDIR lists this file, but it is missing",
    ]);
    expect(await films()).toEqual([]);
  });

  it("is skipped without a fault, as is a report that accompanies films", async () => {
    const report = partTen(
      "1.2.840.10008.1.2.1",
      dataSet(
        text("00080016", "UI", "1.2.840.10008.5.1.4.1.1.88.22"),
        text("00080018", "UI", "7.1"),
        text("00080060", "CS", "SR"),
      ),
    );
    const film = phantomFile({ instance: "7.2" });
    const told = await send("cd.zip", await zipOf({ DICOMDIR: directoryOf("IM1", "SR1"), IM1: film, SR1: report }));
    expect([told.films.length, told.faults]).toEqual([1, []]);
    expect(told.leftAlone.map(({ name, message }) => `${name}: ${message}`)).toEqual([
      "cd.zip/DICOMDIR: A DICOMDIR only lists other files: open its folder instead",
      "cd.zip/SR1: The DICOM file holds no picture",
    ]);
    mkdirSync(path.join(folder(), "cd"));
    put("cd/DICOMDIR", directoryOf("IM1", "SR1"));
    put("cd/IM1", film);
    put("cd/SR1", report);
    expect(await open("cd")).toEqual([]);
    expect(await send("SR1", report)).toMatchObject({ films: [], faults: [{ code: "DICOM_WITHOUT_PIXELS" }] });
  });

  it("is refused with a specific message if sent alone", async () => {
    const message = "A DICOMDIR only lists other files: open its folder instead";
    const told = await send("DICOMDIR", directoryOf("A"));
    expect(told).toMatchObject({ films: [], faults: [{ name: "DICOMDIR", code: "INVALID_DICOM", message }] });
  });
});

describe("a ZIP", () => {
  it("imports its films despite faulty files among them", async () => {
    const inner = await zipOf({ "x.dcm": phantomFile({ instance: "4.9" }) });
    const zip = await zipOf({
      "a/IM1": phantomFile({ instance: "4.1" }),
      "a/IM2.dcm": Buffer.from("no film"),
      "aa/evil.dcm": phantomFile({ instance: "4.2" }),
      "in.zip": inner,
      "note.txt": Buffer.from("x"),
    });
    const told = await send("study.zip", renamedIn(zip, "aa/evil.dcm", "../evil.dcm"));
    expect(told.films.map(({ film, isNew }) => [film.fileName, isNew])).toEqual([["IM1", true]]);
    expect([told.faults.map(({ name, message }) => `${name}: ${message}`), told.leftAlone]).toEqual([
      [
        "study.zip/a/IM2.dcm: Films are JPEG, PNG or DICOM; this file is none of them",
        "study.zip/../evil.dcm: The file’s name points outside the archive",
        "study.zip/in.zip: An archive inside an archive is not opened: unpack the outer one and open its contents",
      ],
      [expect.objectContaining({ name: "study.zip/note.txt", reason: { name: "fileIsNoFilm", values: {} } })],
    ]);
  });

  it("skips a file with an implausible compression ratio", async () => {
    const bomb = await zipOf({ "bomb.dcm": Buffer.alloc(20 * 1024 * 1024), IM1: phantomFile({ instance: "5.1" }) });
    const told = await send("bomb.zip", bomb);
    expect(told.faults).toEqual([
      {
        name: "bomb.zip/bomb.dcm",
        code: "INVALID_ARCHIVE",
        message: "The content of the ZIP file is too large",
        reason: { name: "archiveTooLarge", values: {} },
      },
    ]);
    expect(told.films.length).toBe(1);
  });

  it("stops after the current film if the page cancels", async () => {
    const zip = await zipOf({
      IM1: phantomFile({ instance: "7.1" }),
      IM2: phantomFile({ instance: "7.2" }),
      IM3: phantomFile({ instance: "7.3" }),
    });
    const stopping = new AbortController();
    bench.desktop.subscribe(({ name }) => void (name === "film.changed" && stopping.abort()));
    const file = { name: "big.zip", bytes: zip, origin: "file" } as const;
    const told = await importBytes(bench.desktop.context, file, false, stopping.signal);
    expect(told.films.map(({ film }) => film.fileName)).toEqual(["IM1"]);
  });

  it("ignores the attribute files of macOS", async () => {
    const zip = await zipOf({
      "film.dcm": phantomFile({ instance: "6.9" }),
      "__MACOSX/._film.dcm": Buffer.from("\0\x05\x16\x07"),
      "other/._film.jpg": Buffer.from("\0\x05\x16\x07"),
    });
    expect(await send("mac.zip", zip)).toMatchObject({ films: [{ isNew: true }], faults: [], leftAlone: [] });
  });

  it("is reported as damaged if truncated", async () => {
    const zip = await zipOf({ IM1: phantomFile({ instance: "6.1" }) });
    const { films: none, faults } = await send("cut.zip", zip.subarray(0, zip.length / 2));
    expect([none, faults.map(({ name, code }) => [name, code])]).toEqual([[], [["cut.zip", "INVALID_ARCHIVE"]]]);
    put("cut.zip", zip.subarray(0, zip.length / 2));
    expect((await open("cut.zip"))[0]).toMatch(/^cut\.zip: The ZIP file is damaged/);
  });
});

describe("identity", () => {
  it("stores a missing file again, as after restoring a backup", async () => {
    const bytes = phantomFile({ instance: "7.3" });
    const { film } = await add(bytes);
    const lose = () =>
      isOnPostgres
        ? rawly(bench.context.db, "DELETE FROM film_images")
        : rmSync(filmsDir(bench.dataDir), { recursive: true });
    for (const content of [bytes, copyOf({ instance: "7.3" })]) {
      await lose();
      const again = await add(content);
      expect([again.isNew, again.film.id, again.film.hasImage]).toEqual([false, film.id, true]);
      expect((await readFilmImage(bench.context, again.film.sha256, "original")).equals(content)).toBe(true);
    }
  });

  it.each([
    ["is stored", true],
    ["was deleted", false],
  ])("adds a different film under the UID of a film whose image %s, with a notice", async (_, isKept) => {
    const { film } = await add(phantomFile({ instance: "7.4" }));
    await bench.call("settings.save", { keepImages: "while_open" });
    await bench.call("films.cancel", { filmIds: [film.id] });
    if (!isKept) await applyImageRetention(bench.desktop.context, true);
    expect((await bench.call("films.get", { filmId: film.id })).film.hasImage).toBe(isKept);
    const larger = { grey: Buffer.alloc(300 * 200, 90), widthPx: 300, heightPx: 200 };
    const others = [
      copyOf({ instance: "7.4", patientId: "P-99", patientName: "Sommer^Rex" }, larger),
      copyOf({ instance: "7.4" }, larger),
      copyOf({ instance: "7.4", patientId: "P-98", patientName: "Sommer^Max" }),
    ];
    const added: AddedFilm[] = [];
    for (const other of others) added.push(await add(other, "other.dcm"));
    expect(added.map((each) => [each.isNew, each.film.widthPx, each.film.patient?.name])).toEqual([
      [true, 300, "Rex"],
      [true, 300, "Bella"],
      [true, 96, "Max"],
    ]);
    expect(bench.faults.map(({ name, reason }) => [name, reason?.name])).toEqual(
      others.map(() => ["other.dcm", "uidTaken"]),
    );
    // Each is recognised: by its own bytes, and the first one also in the bytes of an archive.
    const again = [await add(others[0]!), await add(copyOf({ instance: "7.4" }))];
    expect(again.map((each) => [each.isNew, each.film.id])).toEqual([
      [false, added[0]!.film.id],
      [false, film.id],
    ]);
  });

  const framed = (left: number) => {
    const grey = Buffer.alloc(200 * 150, 40);
    for (let row = 30; row < 110; row += 1) grey.fill(220, row * 200 + left, row * 200 + left + 70);
    return { grey, widthPx: 200, heightPx: 150 };
  };

  it("adds a different picture of the same size and patient under a known UID, and recognises both", async () => {
    const darker = { ...framed(20), grey: Buffer.from(framed(20).grey.map((value) => value / 2)) };
    const film = await add(copyOf({ instance: "7.5" }, framed(20)));
    const second = await add(copyOf({ instance: "7.5" }, framed(90)), "second.dcm");
    const again = [
      await add(copyOf({ instance: "7.5", accession: "A-1" }, framed(20))),
      await add(copyOf({ instance: "7.5" }, darker)),
      await add(copyOf({ instance: "7.5", accession: "A-1" }, framed(90))),
    ];
    expect([film, second, ...again].map((each) => [each.isNew, each.film.id])).toEqual([
      [true, film.film.id],
      [true, second.film.id],
      [false, film.film.id],
      [false, film.film.id],
      [false, second.film.id],
    ]);
    expect(second.film.id).not.toBe(film.film.id);
    expect(bench.faults.map(({ name, reason }) => [name, reason?.name])).toEqual([["second.dcm", "uidTaken"]]);
  });

  it("adds a different picture under a removed film's UID as a new film, and restores the removed one", async () => {
    const measure = () => bench.desktop.parts.queue.whenIdle();
    const { film } = await add(copyOf({ instance: "7.6" }, framed(20)));
    await measure();
    await bench.call("films.remove", { filmIds: [film.id] });
    const other = await add(copyOf({ instance: "7.6" }, framed(90)));
    const again = await add(copyOf({ instance: "7.6", accession: "A-1" }, framed(20)));
    expect([other.isNew, other.film.id === film.id, again.film.id]).toEqual([true, false, film.id]);
    await measure();
    await bench.call("films.remove", { filmIds: [film.id] });
    const { points } = await bench.call("trends.get", { patientId: film.patient!.id });
    expect(points.map(({ filmId }) => filmId)).toEqual([null, other.film.id]);
  });

  it("adds a different picture under the UID of a film without an image", async () => {
    const { film } = await add(copyOf({ instance: "7.7" }, framed(20)));
    await bench.call("settings.save", { keepImages: "while_open" });
    await bench.call("films.cancel", { filmIds: [film.id] });
    await applyImageRetention(bench.desktop.context, true);
    expect((await bench.call("films.get", { filmId: film.id })).film.hasImage).toBe(false);
    const other = await add(copyOf({ instance: "7.7" }, framed(90)), "other.dcm");
    expect([other.isNew, other.film.id === film.id]).toEqual([true, false]);
    expect(bench.faults.map(({ name, reason }) => [name, reason?.name])).toEqual([["other.dcm", "uidTaken"]]);
  });

  it("creates the patient from the file once, keeps edits, and reuses the patient", async () => {
    const { film } = await add(phantomFile({ instance: "8.1" }));
    const { id, ...patient } = film.patient!;
    expect(patient).toMatchObject({
      name: "Bella",
      species: "dog",
      breed: "Beagle",
      owner: "Änne Sommer",
      uuid: patientUuid("Praxis am See", "P-77"),
    });
    await bench.call("patients.edit", {
      patientId: id,
      name: "Bella",
      species: "dog",
      breed: "Beagle mix",
      owner: "A. Sommer",
      uuid: "praxis-12",
    });
    const second = await add(phantomFile({ instance: "8.2", grey: 30 }));
    expect(second.film.patient).toMatchObject({ id, breed: "Beagle mix", uuid: "praxis-12" });
    expect((await bench.call("patients.list", {})).total).toBe(1);
    expect((await films()).map((each) => each.patient?.owner)).toEqual(["A. Sommer", "A. Sommer"]);
  });

  it("assigns no patient without an id, for another name under a known id, or for a horse", async () => {
    await add(phantomFile({ instance: "9.1" }));
    const others = [
      await add(phantomFile({ instance: "9.2", patientId: null, grey: 10 })),
      await add(phantomFile({ instance: "9.3", patientName: "Sommer^Rex", grey: 20 })),
      await add(phantomFile({ instance: "9.4", species: "Equine", patientId: "P-5", grey: 30 })),
    ];
    expect(others.map(({ film }) => [film.patient, film.dicom?.patient.name, film.state])).toEqual([
      [null, "Bella", "queued"],
      [null, "Rex", "queued"],
      [null, "Bella", "cancelled"],
    ]);
    expect((await bench.call("patients.list", {})).total).toBe(1);
  });
});

describe("a multi-frame file", () => {
  it("adds a film for each chosen frame, and keeps the file until the last one is removed", async () => {
    const { film } = await add(phantomFile({ instance: "10.1", frames: 3 }), "loop.dcm");
    const second = await bench.call("films.addFrame", { filmId: film.id, frameIndex: 2 });
    const again = await bench.call("films.addFrame", { filmId: second.film.id, frameIndex: 2 });
    expect([
      film.frameIndex,
      film.dicom?.frames,
      second.isNew,
      second.film.frameIndex,
      again.isNew,
      again.film.id,
    ]).toEqual([0, 3, true, 2, false, second.film.id]);
    expect(second.film.patient?.id).toBe(film.patient?.id);
    await expect(bench.call("films.addFrame", { filmId: film.id, frameIndex: 3 })).rejects.toThrow(/frame/i);
    await bench.call("films.remove", { filmIds: [film.id] });
    expect(await keptImages()).toEqual([film.sha256, `${film.sha256}.frame-2.thumbnail.jpg`]);
    await bench.call("films.remove", { filmIds: [second.film.id] });
    expect(await keptImages()).toEqual([]);
  });
});

/** The same film as stored by another program, with another Source Application Entity Title. */
function copyOf(...film: Parameters<typeof phantomElements>): Buffer {
  return partTen(explicitLittleEndian, dataSet(...phantomElements(...film)), [text("00020016", "AE", "PACS")]);
}

async function keptImages(): Promise<string[]> {
  if (!isOnPostgres) return readdirSync(filmsDir(bench.dataDir)).toSorted();
  const rows = await rawly(bench.context.db, "SELECT sha256, frame_index, image FROM film_images WHERE part = 0");
  return rows
    .map(({ sha256, frame_index: frame, image }) =>
      image === "original" ? String(sha256) : `${String(sha256)}.frame-${String(frame)}.${String(image)}.jpg`,
    )
    .toSorted();
}

function directoryOf(...files: string[]): Buffer {
  const records = files.map((file) =>
    Buffer.concat([
      implicit({ tag: "00041410", vr: "US", value: Buffer.from([0xff, 0xff]) }),
      implicit({ tag: "00041430", vr: "CS", value: Buffer.from("IMAGE ") }),
      implicit({ tag: "00041500", vr: "CS", value: Buffer.from(file.length % 2 === 0 ? file : `${file} `) }),
    ]),
  );
  const items = Buffer.concat(
    records.map((record) =>
      Buffer.concat([Buffer.from("feff00e0", "hex"), Buffer.from(Uint32Array.from([record.length]).buffer), record]),
    ),
  );
  return partTen(implicitLittleEndian, implicit({ tag: "00041220", vr: "SQ", value: items }));
}

/** Renames a file in an archive to a name of the same length. */
function renamedIn(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");
}
