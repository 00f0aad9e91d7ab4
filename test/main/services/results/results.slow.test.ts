// Runs once: its queries are tested elsewhere.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { afterEach, expect, it, vi } from "vitest";
import { reason } from "../../../../core/cardiac/confidence.ts";
import type { RadiographMeasurement } from "../../../../core/cardiac/radiograph-measurement.ts";
import { heartLandmarkNames } from "../../../../core/cardiac/landmarks.ts";
import { readDicomFile } from "../../../../main/dicom/dicom-file.ts";
import { readResultObject } from "../../../../main/dicom/results/read-result.ts";
import { readFilmOfResults } from "../../../../main/services/results/film-of-results.ts";
import { resultObjectsOf } from "../../../../main/services/results/result-objects.ts";
import type { MailDraft } from "../../../../main/services/results/mail-draft.ts";
import { fetchedExport } from "../../../fixtures/fetched-export.ts";
import { addObjectToWorklist } from "../../../../main/services/import/import-files.ts";
import { readZip } from "../../../../main/services/import/zip-files.ts";
import { smallPicture, type BenchOptions } from "../../../fixtures/desktop-bench.ts";
import { openBenchForTest, useBenchOfFile } from "../../../fixtures/use-bench.ts";
import { refuseRows } from "../../../fixtures/raw-store.ts";
import { emptyHandout, stubHandouts } from "../../../fixtures/stub-handouts.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured, rejected } from "../../store/sample-store.ts";
import { filesBelow } from "../../../fixtures/folders.ts";

const picture = readFileSync(new URL("../../../fixtures/films/dog-01.jpg", import.meta.url));
const onPicture = { ...measured, widthPx: 1080, heightPx: 864 };
let mail: NonNullable<BenchOptions["openMail"]> = () => Promise.resolve("beside");
const bench = useBenchOfFile({ openMail: (draft) => mail(draft) });
let films = 0;
afterEach(() => vi.restoreAllMocks());

async function measuredFilm(): Promise<string> {
  bench.engine.answers(measured);
  return opened("bello.png", await smallPicture((films += 1)));
}

async function measuredDog(measurement: RadiographMeasurement = onPicture): Promise<string> {
  bench.engine.answers(measurement);
  return opened("bello.jpg", Buffer.concat([picture, Buffer.from([(films += 1)])]));
}

async function opened(name: string, bytes: Buffer): Promise<string> {
  const { id, state } = await bench.openFilm(name, bytes);
  expect(state).toBe("done");
  return id;
}

const phantomSize = { widthPx: 96, heightPx: 80 };
const exportFiles = () => {
  const folder = path.join(bench.dataDir, "exports");
  return existsSync(folder) ? filesBelow(folder) : [];
};
const exportsOf = async (filmId: string) =>
  (await bench.call("audit.list", { actions: ["film.exported"] })).events.filter(({ subject }) => subject === filmId);

async function fetched(url: string) {
  return fetchedExport(bench.dataDir, url);
}

async function dicomOf(filmId: string): Promise<Map<string, Buffer>> {
  const { download } = await bench.call("reports.dicom", { exportId: randomUUID(), filmId });
  expect(download.fileName).toBe("bello-dicom.zip");
  const { bytes, mediaType } = await fetched(download.url);
  expect(mediaType).toBe("application/zip");
  return new Map(
    (await readZip(bytes, { files: 10, fileBytes: 1e8, totalBytes: 1e9 })).map(({ name, bytes: content }) => [
      name,
      content,
    ]),
  );
}

it("serves a handout once, in the requested language", async () => {
  const filmId = await measuredFilm();
  const { download } = await bench.call("reports.handout", { exportId: randomUUID(), filmId, language: "de" });
  expect(download.fileName).toBe("bello.pdf");
  const { bytes, mediaType } = await fetched(download.url);
  expect([mediaType, bytes.subarray(0, 5).toString(), bytes.includes("/Lang (de)")]).toEqual([
    "application/pdf",
    "%PDF-",
    true,
  ]);
  await expect(fetched(download.url)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("includes the measured frame in the results of a multi-frame film", async () => {
  const { context } = bench.desktop;
  bench.engine.answers(measured);
  const filmId = await opened("LOOP", phantomFile({ instance: "1.2.276.9.1", frames: 3 }));
  const of = await readFilmOfResults(context, filmId);
  const chosen = { ...of, subject: { ...of.subject, source: null }, film: { ...of.film, frameIndex: 2 } };
  const [film] = await resultObjectsOf(context.dicom, chosen);
  const { pixelData } = readDicomFile(film!.bytes);
  expect([film!.fileName, (pixelData as { bytes: Uint8Array }).bytes[0]]).toEqual(["film.dcm", 160]);
});

it("opens a mail draft with the handout, and reports a missing mail program", async () => {
  const drafts: MailDraft[] = [];
  mail = (draft) => (drafts.push(draft), Promise.resolve("beside"));
  const filmId = await measuredFilm();
  const words = { subject: "Bello: heart size", body: "Please find attached …" };
  const print = vi.spyOn(bench.desktop.context.handouts, "print");
  const asked = { exportId: randomUUID(), filmId, language: "en", audience: "owner", ...words } as const;
  expect(await bench.call("reports.mail", asked)).toEqual({
    way: "beside",
    fileName: "bello.pdf",
    isShortened: false,
  });
  expect(print).toHaveBeenCalledWith(expect.objectContaining({ audience: "owner" }));
  expect(drafts).toEqual([expect.objectContaining(words)]);
  expect(readFileSync(drafts[0]!.attachment).subarray(0, 5).toString()).toBe("%PDF-");
  const request = { exportId: randomUUID(), filmId: "none", language: "en", ...words } as const;
  const other = await openBenchForTest();
  await expect(other.call("reports.mail", request)).rejects.toMatchObject({ code: "NOT_AVAILABLE" });
});

function cancelWhilePrinted(exportId: string): void {
  stubHandouts(bench.desktop.context).mockImplementation(async () => {
    await bench.call("jobs.cancel", { jobId: exportId });
    return emptyHandout;
  });
}

it("opens no mail draft if cancelled while the handout is created, keeps no file and audits nothing", async () => {
  const drafts: MailDraft[] = [];
  mail = (draft) => (drafts.push(draft), Promise.resolve("attached"));
  const [filmId, exportId, before] = [await measuredFilm(), randomUUID(), exportFiles()];
  cancelWhilePrinted(exportId);
  const request = { exportId, filmId, language: "en", subject: "Bello", body: "" } as const;
  expect(await bench.call("reports.mail", request)).toEqual({
    way: "cancelled",
    fileName: "bello.pdf",
    isShortened: false,
  });
  expect([drafts, exportFiles()]).toEqual([[], before]);
  expect(await exportsOf(filmId)).toEqual([]);
  await bench.call("jobs.cancel", { jobId: exportId });
});

it("audits exports with patient and way as soon as they are made", async () => {
  stubHandouts(bench.desktop.context);
  const filmId = await measuredFilm();
  const patient = await bench.addPatient({ name: "Bella", owner: "Weber" }, filmId);
  const request = () => ({ exportId: randomUUID(), filmId, language: "en" }) as const;
  await bench.call("reports.handout", request());
  await bench.call("reports.handout", { ...request(), way: "mail" });
  await bench.call("reports.dicom", { exportId: randomUUID(), filmId });
  await bench.call("reports.mail", { ...request(), subject: "Bella", body: "" });
  const about = { subject: filmId, patientId: patient.id, patientName: "Bella", subjectName: "bello.png" };
  expect(await exportsOf(filmId)).toMatchObject(
    ["mail", "dicom", "mail", "handout"].map((way) => ({ ...about, detail: { way } })),
  );
});

it("neither audits nor keeps an export that is cancelled while it is created", async () => {
  const [filmId, exportId, before] = [await measuredFilm(), randomUUID(), exportFiles()];
  cancelWhilePrinted(exportId);
  const made = bench.call("reports.handout", { exportId, filmId, language: "en" });
  await expect(made).rejects.toMatchObject({ code: "ABORTED" });
  // Cancels at the last moment.
  const { context, parts } = bench.desktop;
  vi.spyOn(context, "now").mockImplementation(() => (parts.jobs.cancel(exportId), new Date()));
  await expect(bench.call("reports.dicom", { exportId, filmId })).rejects.toMatchObject({ code: "ABORTED" });
  expect(exportFiles()).toEqual(before);
  vi.restoreAllMocks();
  expect(await exportsOf(filmId)).toEqual([]);
});

it("fails if an export cannot be audited, and keeps no file", async () => {
  stubHandouts(bench.desktop.context);
  const filmId = await measuredFilm();
  const before = exportFiles();
  const mend = await refuseRows(bench.context.db, "audit_events", { message: "refused" });
  const request = { exportId: randomUUID(), filmId, language: "en" } as const;
  await expect(bench.call("reports.handout", request)).rejects.toMatchObject({ code: "INTERNAL" });
  const drafts: MailDraft[] = [];
  mail = (draft) => (drafts.push(draft), Promise.resolve("attached"));
  await expect(bench.call("reports.mail", { ...request, subject: "Bella", body: "" })).rejects.toMatchObject({
    code: "INTERNAL",
  });
  expect(drafts).toEqual([]);
  await mend();
  expect(exportFiles()).toEqual(before);
});

it("prints no undecided values of other films in reader mode", async () => {
  const filmIds = [await measuredFilm(), await measuredFilm()];
  await bench.addPatient({}, ...filmIds);
  const [filmId] = filmIds as [string];
  await bench.accept(filmId);
  const print = stubHandouts(bench.desktop.context);
  const request = () => ({ exportId: randomUUID(), filmId, language: "en" }) as const;
  await bench.call("reports.handout", request());
  await bench.call("reports.handout", { ...request(), isReaderMode: true });
  await bench.call("reports.mail", { ...request(), subject: "Bella", body: "", isReaderMode: true });
  expect(print.mock.calls.map(([{ trend }]) => trend.length)).toEqual([2, 1, 1]);
});

it("prints the Patient ID of a DICOM film, not Corvet's internal identifier", async () => {
  bench.engine.answers({ ...measured, ...phantomSize });
  const filmId = await opened("bella.dcm", phantomFile({ instance: "1.2.3.4", patientId: "P-4711" }));
  const { film } = await bench.call("films.get", { filmId });
  const print = stubHandouts(bench.desktop.context);
  await bench.call("reports.handout", { exportId: randomUUID(), filmId, language: "en" });
  expect(film.patient?.uuid).toMatch(/^[0-9a-f-]{36}$/);
  expect(print.mock.calls[0]?.[0].patient).toMatchObject({ name: "Bella", uuid: "P-4711" });
  const { species, breed } = film.dicom!.patient;
  expect(species).toBe("dog");
  await bench.call("films.assignPatient", { filmIds: [filmId], patientId: null });
  await bench.call("reports.handout", { exportId: randomUUID(), filmId, language: "en" });
  expect(print.mock.calls[1]?.[0]).toMatchObject({ patient: null, animalInFile: { species, breed } });
});

it("uses the range of the file's species in the report of an unassigned film, with and without names", async () => {
  bench.engine.answers({ ...measured, ...phantomSize });
  const facts = { instance: "1.2.3.5", patientId: "P-4712", species: "Feline" };
  const filmId = await opened("bello.dcm", phantomFile(facts));
  await bench.call("films.assignPatient", { filmIds: [filmId], patientId: null });
  const saysCats = (report: Buffer) => report.includes("vertebrae (cats in general; published limits)");
  expect(saysCats((await dicomOf(filmId)).get("report.dcm")!)).toBe(true);
  const { download } = await bench.call("deidentify.export", {
    exportId: randomUUID(),
    ...{ films: [{ filmId, areas: [] }], contents: ["dicom"], dates: "removed", descriptors: "removed" },
    ...{ keepsPatient: false, withKeyFile: false, language: "en" },
  });
  const limits = { files: 10, fileBytes: 1e8, totalBytes: 1e9 };
  const files = await readZip((await fetched(download.url)).bytes, limits);
  expect(saysCats(files.find(({ name }) => name.endsWith("report.dcm"))!.bytes)).toBe(true);
});

it("writes a reassigned DICOM film with the assigned patient, in a separate study", async () => {
  bench.engine.answers({ ...measured, ...phantomSize });
  const filmId = await opened("bello.dcm", phantomFile({ instance: "1.2.3.6", accession: "A-118" }));
  const tags = ["00100010", "00100020", "00100021", "00102297", "00080050", "0020000D"];
  const told = async () =>
    [...(await dicomOf(filmId))].map(([name, bytes]) => {
      const file = readDicomFile(bytes);
      return [name, ...tags.map((tag) => file.text(tag))];
    });
  const ofFile = ["Sommer^Bella", "P-77", "Praxis am See", "Sommer^Änne", "A-118", "1.2.3.100"];
  expect(await told()).toEqual(["annotated.dcm", "report.dcm", "graphics.dcm"].map((name) => [name, ...ofFile]));
  await bench.addPatient({ owner: "Muster", uuid: "P-9" }, filmId);
  const given = await told();
  const study = given[0]!.at(-1);
  expect(study).toMatch(/^2\.25\./);
  expect(given).toEqual(
    ["film.dcm", "annotated.dcm", "report.dcm", "graphics.dcm"].map((name) => [
      ...[name, "Rex^", "P-9", null, "Muster^", null, study],
    ]),
  );
});

it("reports a missing reading, a missing film and an invalid logo", async () => {
  await bench.call("settings.save", { measuresOnArrival: false });
  const { id: filmId } = await bench.addFile("unread.png", await smallPicture((films += 1)));
  const handout = () => bench.call("reports.handout", { exportId: randomUUID(), filmId, language: "en" });
  const dicom = (of: string) => bench.call("reports.dicom", { exportId: randomUUID(), filmId: of });
  await expect(handout()).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(dicom(filmId)).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(dicom("nobody")).rejects.toMatchObject({ code: "NOT_FOUND" });
  const clinicLogo = `data:image/png;base64,${Buffer.from("no picture").toString("base64")}`;
  await bench.call("settings.save", { measuresOnArrival: true, clinicLogo });
  bench.engine.answers(onPicture);
  await bench.call("films.retry", { filmIds: [filmId] });
  await expect.poll(async () => (await bench.call("films.get", { filmId })).film.state).toBe("done");
  await expect(handout()).rejects.toMatchObject({ code: "INVALID_FIELD" });
  await bench.call("settings.save", { clinicLogo: "" });
  await expect(bench.call("settings.save", { clinicLogo: "https://example.org/logo.png" })).rejects.toMatchObject({
    code: "INVALID_FIELD",
  });
});

it("writes film, annotated image and report with proposal and correction", async () => {
  const filmId = await measuredDog();
  await bench.addPatient({ name: "Bello", breed: "Cavalier", owner: "Familie Groß", uuid: "P-17" }, filmId);
  const { readings } = await bench.call("films.get", { filmId });
  const moved = { ...readings[0]!.heart!, heart_bottom: { x: 650, y: 690 } };
  await bench.call("readings.save", {
    filmId,
    basedOn: readings[0]!.id,
    verdict: "corrected",
    who: "Dr. Weiß",
    remark: "Spitze versetzt",
    geometry: { frame: readings[0]!.frame, corners: null, heart: moved, edges: [...onPicture.edges] },
  });
  const files = await dicomOf(filmId);
  expect([...files.keys()]).toEqual(["film.dcm", "annotated.dcm", "report.dcm", "graphics.dcm", "key-objects.dcm"]);
  const film = readDicomFile(files.get("film.dcm")!);
  const kept = (await bench.call("films.get", { filmId })).readings;
  for (const name of ["annotated.dcm", "report.dcm", "graphics.dcm"] as const) {
    const result = readResultObject(readDicomFile(files.get(name)!))!;
    expect(result.film).toEqual({
      sopInstanceUid: film.text("00080018"),
      frameNumber: 1,
      widthPx: 1080,
      heightPx: 864,
    });
    expect(result.readings.map(({ id, verdict, who, remark }) => [id, verdict, who, remark])).toEqual(
      kept.map(({ id, verdict, who, remark }) => [id, verdict, who, remark]),
    );
    for (const point of heartLandmarkNames)
      expect(result.readings[1]!.heart![point]!.x).toBeCloseTo(kept[1]!.heart![point]!.x, 3);
  }
  expect([film.text("00100010"), film.text("00100020"), film.text("00102297")]).toEqual([
    "Bello^",
    "P-17",
    "Familie Groß^",
  ]);
});

it("restores the readings with their review reasons if film and result are opened again, in either order", async () => {
  const reviewReasons = [reason("member_scatter", 0.171_928, 0.11), reason("fallback_ruler")];
  const filmId = await measuredDog({ ...onPicture, tier: "review", resultCode: 3, reviewReasons });
  await bench.accept(filmId, "Dr. Weiß");
  const kept = (await bench.call("films.get", { filmId })).readings;
  const files = await dicomOf(filmId);
  for (const order of [
    ["film.dcm", "report.dcm"],
    ["annotated.dcm", "film.dcm"],
    ["graphics.dcm", "film.dcm"],
  ]) {
    const elsewhere = await openBenchForTest({ start: false });
    for (const name of order)
      await addObjectToWorklist(elsewhere.desktop.context, { name, origin: "dicom", bytes: files.get(name)! });
    const { films } = await elsewhere.call("films.list", {});
    const restored = (await elsewhere.call("films.get", { filmId: films[0]!.id })).readings;
    const telling = ({ id, verdict, who, score, reviewReasons }: (typeof kept)[number]) => [
      id,
      verdict,
      who,
      score!.vhs,
      reviewReasons,
    ];
    expect(kept.map(({ reviewReasons }) => reviewReasons.length)).toEqual([2, 2]);
    expect([order, restored.map(telling)]).toEqual([order, kept.map(telling)]);
  }
});

it("draws no values on a rejected film", async () => {
  const files = await dicomOf(await measuredDog({ ...rejected, widthPx: 1080, heightPx: 864 }));
  const annotated = readDicomFile(files.get("annotated.dcm")!);
  const pixels = (annotated.pixelData as { bytes: Uint8Array }).bytes;
  let coloured = 0;
  for (let at = 0; at < 1080 * 864 * 3; at += 3) if (Math.abs(pixels[at]! - pixels[at + 2]!) > 8) coloured += 1;
  expect([readResultObject(annotated)!.readings[0]!.resultCode, coloured]).toEqual([6, 0]);
});

/** Whether a printed film shows the line of the next test, as a row of pixels in the colour of drawings. */
async function hasDrawing(jpeg: Uint8Array): Promise<boolean> {
  const { data, info } = await sharp(jpeg)
    .resize(1080, 864)
    .extract({ left: 105, top: 696, width: 190, height: 9 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const isColoured = (at: number) => data[at]! > 200 && data[at]! - data[at + 2]! > 80;
  const columns = Array.from({ length: info.width }, (_, x) =>
    Array.from({ length: info.height }, (_row, y) => (y * info.width + x) * 3).some(isColoured),
  );
  return columns.every(Boolean);
}

it("includes annotations in image, report and handout, in calibrated mm, without changing readings", async () => {
  const filmId = await measuredDog();
  const plain = await dicomOf(filmId);
  const print = stubHandouts(bench.desktop.context);
  await bench.call("reports.handout", { exportId: randomUUID(), filmId, language: "de" });
  await bench.call("annotations.save", {
    filmId,
    basedOn: 0,
    who: "Dr Weber",
    set: {
      frame: { widthPx: 1080, heightPx: 864 },
      corners: null,
      calibration: { from: { x: 0, y: 0 }, to: { x: 100, y: 0 }, lengthMm: 50 },
      annotations: [
        {
          id: "a",
          tool: "length",
          points: [
            { x: 100, y: 700 },
            { x: 300, y: 700 },
          ],
          text: "",
        },
        { id: "b", tool: "note", points: [{ x: 500, y: 100 }], text: "Spondylosis" },
      ],
    },
  });
  const drawn = await dicomOf(filmId);
  expect(drawn.get("annotated.dcm")!.equals(plain.get("annotated.dcm")!)).toBe(false);
  const report = drawn.get("report.dcm")!;
  for (const words of [
    "Annotations of a user on the film",
    "millimeter",
    "Spondylosis",
    "calibrated by hand",
    "Dr Weber",
  ])
    expect(report.includes(words)).toBe(true);
  for (const name of ["report.dcm", "annotated.dcm"]) {
    const read = readResultObject(readDicomFile(drawn.get(name)!))!;
    expect(read.readings).toEqual(readResultObject(readDicomFile(plain.get(name)!))!.readings);
  }
  await bench.call("reports.handout", { exportId: randomUUID(), filmId, language: "de" });
  expect(await Promise.all(print.mock.calls.map(([handout]) => hasDrawing(handout.film.jpeg)))).toEqual([false, true]);
});
