// Runs once: its queries are tested elsewhere.
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError, because } from "../../../../core/app-error.ts";
import { parseHl7, valueOf } from "../../../../core/hl7/hl7-message.ts";
import { explicitLittleEndian } from "../../../../main/dicom/transfer-syntaxes.ts";
import { filmsDir } from "../../../../main/store/files/store-files.ts";
import { isInDatabase } from "../../../../main/services/desktop/film-images.ts";
import { createWatchedFolders, type WatchedFolders } from "../../../../main/services/practice/watched-folders.ts";
import { refuseRows } from "../../../fixtures/raw-store.ts";
import { stubHandouts } from "../../../fixtures/stub-handouts.ts";
import { dataSet, partTen, sequence, text } from "../../dicom/dicom-writer.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { waitFor } from "../../../fixtures/patience.ts";
import { folderForEach } from "../../../fixtures/folders.ts";
import { restart, useBench } from "../../../fixtures/use-bench.ts";

const root = folderForEach();
const bench = useBench();
let watched: WatchedFolders;
const inbox = () => path.join(root(), "in");
const outbox = () => path.join(root(), "out");

beforeEach(async () => {
  mkdirSync(inbox());
  mkdirSync(outbox());
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  // The bench's own folders are scanned on a timer; these only when called.
  await bench.desktop.parts.folders.close();
  watched = watch();
});
afterEach(() => watched.close());

/** Watches folders that are scanned only when called; by default a broken file fails at once. */
function watch(patienceMs = 0): WatchedFolders {
  return createWatchedFolders(bench.desktop.context, { patienceMs, firstPauseMs: 10 });
}

async function settings(afterwards: "move" | "leave", formats: ("json" | "csv" | "pdf" | "hl7")[] = ["json"]) {
  const folders = [{ path: inbox(), afterwards }];
  await watched.save({ folders, outbox: outbox(), formats, allFilmsSince: null });
}

const films = async () => (await bench.call("films.list", {})).films;
const film = (instance = "1.2.3.4") => phantomFile({ instance, patientId: "P-4711" });
const put = (name: string, bytes: Uint8Array | string) => writeFileSync(path.join(inbox(), name), bytes);
const lookTwice = async () => {
  await watched.look();
  await watched.look();
};
async function isMeasured(count = 1): Promise<void> {
  await bench.desktop.parts.queue.whenIdle();
  expect((await films()).filter(({ state }) => state === "done")).toHaveLength(count);
}

async function openMeasured(): Promise<void> {
  put("bella.dcm", film());
  await lookTwice();
  await isMeasured();
}

/** Deletes the images of all films without updating the worklist. */
async function loseImage(): Promise<void> {
  if (isInDatabase(bench.context.db)) return void (await bench.context.db.deleteFrom("filmImages").execute());
  for (const { sha256 } of await films()) rmSync(path.join(filmsDir(bench.dataDir), sha256));
}
const accept = async (filmId?: string) => bench.accept(filmId ?? (await films())[0]!.id, "Dr. Weiß");

describe("a watched folder", () => {
  test("opens and moves a film that is unchanged in two scans, and leaves hidden and unfinished files", async () => {
    await settings("move");
    put("bella.dcm", film());
    put("empty.dcm", "");
    put(".hidden.dcm", film("1.2.3.5"));
    put("luna.dcm.part", film("1.2.3.6"));
    await watched.look();
    expect(await films()).toEqual([]);
    await watched.look();
    expect((await films()).map(({ fileName }) => fileName)).toEqual(["bella.dcm"]);
    expect(readdirSync(inbox()).sort()).toEqual([".hidden.dcm", "done", "empty.dcm", "luna.dcm.part"]);
    expect(readdirSync(path.join(inbox(), "done"))).toEqual(["bella.dcm"]);
    // The empty file is pending.
    expect((await watched.get()).folders[0]).toMatchObject({ isReachable: true, opened: 1, failed: 0, waiting: 1 });
  });

  test("opens a film with a merged number under the current number, also in its result", async () => {
    await settings("move", ["hl7"]);
    put(
      "merge.hl7",
      "MSH|^~\\&|P|C|CORVET||20261122||ADT^A40^ADT_A39|1|P|2.5.1\r" +
        `PID|1||NEW-1^^^P^PI||Muster^Rex||20190304|F${"|".repeat(27)}DOG\rMRG|P-4711^^^P^PI\r`,
    );
    await lookTwice();
    put("rex.dcm", phantomFile({ instance: "1.2.3.4", patientId: "P-4711", issuer: null, patientName: "Muster^Rex" }));
    await lookTwice();
    await isMeasured();
    await accept();
    await watched.look();
    const [patient, ...others] = (await bench.call("patients.list", {})).patients;
    expect([patient?.uuid, others]).toEqual(["NEW-1", []]);
    const [message] = parseHl7(readFileSync(path.join(outbox(), readdirSync(outbox())[0]!), "utf8"));
    expect(valueOf(message!, "PID", 3)).toBe("NEW-1");
  });

  test("waits until a file that was partly copied while the program was not running is complete", async () => {
    await settings("move");
    await watched.close();
    put("bella.dcm", film());
    watched = watch(600_000);
    truncateSync(path.join(inbox(), "bella.dcm"), 900);
    await lookTwice();
    expect([await films(), readdirSync(inbox())]).toEqual([[], ["bella.dcm"]]);
    put("bella.dcm", film());
    await lookTwice();
    expect(await films()).toHaveLength(1);
  });

  test("moves files that cannot be opened to failed, under a free name", async () => {
    await settings("move");
    for (const content of ["no film", "no film either"]) {
      put("broken.dcm", content);
      await lookTwice();
    }
    expect(readdirSync(path.join(inbox(), "failed")).sort()).toEqual([
      "broken-2.dcm",
      "broken-2.dcm.reason.txt",
      "broken.dcm",
      "broken.dcm.reason.txt",
    ]);
    expect(readFileSync(path.join(inbox(), "failed", "broken.dcm.reason.txt"), "utf8")).toMatch(/^broken\.dcm: \S/);
    expect((await watched.get()).folders[0]?.failed).toBe(2);
  });

  test("opens the films of a CD once and does not report its DICOMDIR as failed", async () => {
    await settings("move");
    mkdirSync(path.join(inbox(), "IMAGES"));
    put("IMAGES/ONE", film());
    const record = [text("00041430", "CS", "IMAGE"), text("00041500", "CS", "IMAGES\\ONE")];
    const listed = dataSet(sequence("00041220", record));
    put("DICOMDIR", partTen(explicitLittleEndian, listed, [text("00020002", "UI", "1.2.840.10008.1.3.10")]));
    utimesSync(path.join(inbox(), "IMAGES/ONE"), 1_700_000_000, 1_700_000_000);
    await lookTwice();
    expect(await films()).toHaveLength(1);
    expect((await watched.get()).folders[0]).toMatchObject({ opened: 1, failed: 0, waiting: 0 });
    expect(readdirSync(path.join(inbox(), "done")).sort()).toEqual(["DICOMDIR", "ONE"]);
  });

  test("imports files in the order in which they were written", async () => {
    await settings("move");
    const told = (name: string) =>
      `MSH|^~\\&|VetSoft||||20261122||ADT^A08|1|P|2.5||||||UNICODE UTF-8\rPID|1||P-1||Muster^${name}\r`;
    const names = ["Bella", "Bello", "Belli", "Bellina"];
    for (const [place, name] of names.entries()) {
      const file = `${names.length - place}.hl7`;
      put(file, told(name));
      utimesSync(path.join(inbox(), file), 1_700_000_000 + place, 1_700_000_000 + place);
    }
    await lookTwice();
    expect((await bench.call("patients.list", {})).patients).toMatchObject([{ name: "Bellina", uuid: "P-1" }]);
  });

  test("applies an HL7 file only once, also with an invalid message, so that newer files take precedence", async () => {
    await watched.close();
    watched = watch(600_000);
    await settings("leave");
    const told = (name: string) => `MSH|^~\\&|VetSoft||||20261122||ADT^A08|1|P|2.5\rPID|1||P-1||${name}\r`;
    put("older.hl7", `${told("Bela")}${told("")}`);
    await lookTwice();
    put("newer.hl7", told("Bella"));
    await lookTwice();
    await watched.look();
    expect((await bench.call("patients.list", {})).patients).toMatchObject([{ name: "Bella", uuid: "P-1" }]);
    expect((await watched.get()).folders[0]).toMatchObject({ opened: 1, failed: 1, waiting: 0 });
  });

  test("whose files are not moved opens no file twice, also after a restart", async () => {
    await settings("leave");
    put("bella.dcm", film());
    await lookTwice();
    const [first] = await films();
    await bench.call("films.remove", { filmIds: [first!.id] });
    await watched.close();
    watched = watch();
    await lookTwice();
    expect([await films(), readdirSync(inbox())]).toEqual([[], ["bella.dcm"]]);
    put("bella.dcm", film("1.2.3.5"));
    await lookTwice();
    expect(await films()).toHaveLength(1);
  });

  test("is reported if missing and scanned again later, and must not overlap others or the data", async () => {
    const one = (at: string) => ({ path: at, afterwards: "move" as const });
    for (const folders of [
      [one("in")],
      [one(inbox()), one(path.join(inbox(), "below"))],
      [one(outbox())],
      [one(bench.dataDir)],
    ])
      await expect(watched.save({ folders, outbox: outbox(), formats: [], allFilmsSince: null })).rejects.toMatchObject(
        { code: "INVALID_FIELD" },
      );
    await settings("move");
    rmSync(inbox(), { recursive: true });
    await watched.look();
    expect((await watched.get()).folders[0]?.isReachable).toBe(false);
    mkdirSync(inbox());
    put("bella.dcm", film());
    await lookTwice();
    expect(await films()).toHaveLength(1);
  });

  test("imports the newest files up to the limit and reports the number of the others", async () => {
    await watched.close();
    watched = createWatchedFolders(bench.desktop.context, { everyMs: 3_600_000, mostFiles: 2 });
    await settings("leave");
    for (const [age, name] of ["newest", "newer", "older", "oldest"].entries()) {
      put(`${name}.dcm`, film(`1.2.3.${age}`));
      utimesSync(path.join(inbox(), `${name}.dcm`), 1000 - age, 1000 - age);
    }
    await lookTwice();
    expect((await films()).map(({ fileName }) => fileName).sort()).toEqual(["newer.dcm", "newest.dcm"]);
    expect((await watched.get()).folders[0]).toMatchObject({ opened: 2, waiting: 0, leftOut: 2 });
  });

  test("does not query the store for unchanged files", async () => {
    await settings("leave", []);
    for (const instance of ["1.2.3.1", "1.2.3.2"]) put(`${instance}.dcm`, film(instance));
    await lookTwice();
    const asked = vi.spyOn(bench.desktop.context.db, "selectFrom");
    await lookTwice();
    expect(asked.mock.calls.filter(([table]) => table === "watchedFiles")).toEqual([]);
    asked.mockRestore();
  });
});

describe("the outbox", () => {
  test("contains the results of a measured film in all formats", async () => {
    await settings("move", ["json", "csv", "pdf", "hl7"]);
    await openMeasured();
    await watched.look();
    const written = () => readdirSync(outbox()).sort();
    await expect
      .poll(() => written().map((name) => name.replace(/-[0-9a-f]{8}/, "")))
      .toEqual(["bella.csv", "bella.hl7", "bella.json", "bella.pdf"]);
    const names = written();
    const of = (ending: string) => readFileSync(path.join(outbox(), `${names[0]!.slice(0, -4)}.${ending}`));
    const facts = JSON.parse(of("json").toString()) as Record<string, unknown>;
    expect(facts).toMatchObject({
      file: "bella.dcm",
      patient: "P-4711",
      verdict: null,
      isClinicallyValidated: "false",
      pack: "landmarks",
      packVersion: "1.2.0",
      packReleasedBy: null,
      packPublisher: null,
    });
    const [message] = parseHl7(of("hl7").toString());
    expect([valueOf(message!, "MSH", 9, 2), valueOf(message!, "PID", 3), valueOf(message!, "OBX", 5)]).toEqual([
      "R01",
      "P-4711",
      String(facts["vhs"]),
    ]);
    // OBX-11 is the status and OBX-14 the time of the reading.
    expect(valueOf(message!, "OBX", 11)).toBe("P");
    expect(valueOf(message!, "OBX", 14)).toMatch(/^\d{14}[+-]\d{4}$/);
    expect(of("pdf").subarray(0, 5).toString()).toBe("%PDF-");
    expect((await watched.get()).outbox).toMatchObject({ isWritable: true, waiting: 0 });
    const { events } = await bench.call("audit.list", { actions: ["film.sent"] });
    expect(events).toMatchObject([{ subject: (await films())[0]!.id, detail: { formats: "json, csv, pdf, hl7" } }]);
  });

  test("is rewritten only after a new reading, and only its own old temporary files are deleted", async () => {
    const left = (digit: number) => `.corvet-${String(digit).repeat(8)}-0000-4000-8000-000000000000.tmp`;
    for (const name of [left(1), left(2), "results.tmp"]) writeFileSync(path.join(outbox(), name), "half");
    for (const name of [left(1), "results.tmp"]) utimesSync(path.join(outbox(), name), 0, 0);
    await settings("move");
    await openMeasured();
    await watched.look();
    const [half, name, foreign] = readdirSync(outbox()).sort();
    expect([half, foreign]).toEqual([left(2), "results.tmp"]);
    const file = path.join(outbox(), name!);
    rmSync(file);
    await watched.look();
    expect(readdirSync(outbox()).sort()).toEqual([left(2), "results.tmp"]);
    await accept();
    await watched.look();
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ verdict: "accepted", signedBy: "Dr. Weiß" });
  });

  test("is rewritten after a film was reassigned, its date changed or its patient merged", async () => {
    await settings("move");
    await openMeasured();
    const written = async () => {
      await watched.look();
      const file = path.join(outbox(), readdirSync(outbox())[0]!);
      const { patient, taken } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      return [patient, taken];
    };
    const [, taken] = await written();
    const filmId = (await films())[0]!.id;
    const { id: goneId } = await bench.addPatient({ uuid: "P-9" }, filmId);
    const { id: keptId } = await bench.addPatient({ uuid: "P-10" });
    expect(await written()).toEqual(["P-9", taken]);
    const other = "2026-01-02T03:04:05.000Z";
    await bench.call("films.edit", { filmId, takenAt: other });
    expect(await written()).toEqual(["P-9", other]);
    await bench.call("patients.merge", { keptId, goneId });
    expect(await written()).toEqual(["P-10", other]);
    expect((await watched.get()).outbox).toMatchObject({ waiting: 0 });
  });

  test("contains decisions on removed films, but not their proposals", async () => {
    stubHandouts(bench.desktop.context);
    await settings("leave", ["json", "pdf"]);
    const ids = new Map<string, string>();
    for (const name of ["decided", "proposed"]) {
      put(`${name}.dcm`, film(name === "decided" ? "1.2.3.4" : "1.2.3.5"));
      await lookTwice();
      await isMeasured(ids.size + 1);
      ids.set(name, (await films()).find(({ fileName }) => fileName === `${name}.dcm`)!.id);
    }
    for (const name of readdirSync(outbox())) rmSync(path.join(outbox(), name));
    await accept(ids.get("decided"));
    await bench.call("films.remove", { filmIds: [...ids.values()] });
    await watched.look();
    const [name, ...others] = readdirSync(outbox());
    expect([name, others]).toEqual([expect.stringMatching(/^decided-[0-9a-f]{8}\.json$/), []]);
    expect(JSON.parse(readFileSync(path.join(outbox(), name!), "utf8"))).toMatchObject({ verdict: "accepted" });
    expect((await watched.get()).outbox).toMatchObject({ waiting: 0 });
  });

  test("skips the handout of a film without an image, and logs this once per reading", async () => {
    await settings("leave", []);
    await openMeasured();
    await loseImage();
    await settings("leave", ["pdf"]);
    await watched.look();
    expect(readdirSync(outbox())).toEqual([]);
    expect((await watched.get()).outbox).toMatchObject({ waiting: 0, lastWrittenAt: null });
    expect((await bench.call("audit.list", { actions: ["film.sent"] })).events).toEqual([]);
    const notices = () => bench.logged.filter((line) => line.includes("without the handout"));
    expect(notices()).toHaveLength(1);
    await accept();
    await settings("leave", ["pdf", "json", "hl7"]);
    await lookTwice();
    expect(readdirSync(outbox()).sort()).toEqual([expect.stringMatching(/\.hl7$/), expect.stringMatching(/\.json$/)]);
    expect((await watched.get()).outbox).toMatchObject({ waiting: 0 });
    expect(notices()).toHaveLength(2);
  });

  test("waits for a handout that fails because of the computer or the practice's settings", async () => {
    stubHandouts(bench.desktop.context);
    await settings("leave", []);
    await openMeasured();
    await bench.call("settings.save", { clinicLogo: "data:image/png;base64,AAAA" });
    await settings("leave", ["json", "pdf"]);
    await watched.look();
    expect((await watched.get()).outbox).toMatchObject({ waiting: 1 });
    await bench.call("settings.save", { clinicLogo: "" });
    const frame = vi.spyOn(bench.desktop.context.dicom, "frame");
    frame.mockRejectedValueOnce(new AppError("DECODING_INTERRUPTED", because("dicomPictureTooSlow")));
    await waitFor(async () => {
      await watched.look();
      expect(readdirSync(outbox()).map((name) => path.extname(name))).toEqual([".json", ".pdf"]);
    });
    expect(frame).toHaveBeenCalledTimes(2);
    expect(bench.logged.filter((line) => line.includes("without the handout"))).toEqual([]);
  });

  test("contains a correction that was accepted later as a correction", async () => {
    await settings("leave", ["json", "hl7"]);
    await openMeasured();
    const filmId = (await films())[0]!.id;
    for (const verdict of ["corrected", "accepted"] as const) await bench.decide(filmId, { verdict });
    await watched.look();
    const said = (format: string) => {
      const name = readdirSync(outbox()).find((file) => file.endsWith(format));
      return readFileSync(path.join(outbox(), name!), "utf8");
    };
    expect(JSON.parse(said(".json"))).toMatchObject({ verdict: "corrected", confidence: null, resultCode: null });
    expect(said(".hl7")).toContain("|corrected|");
  });

  test("contains films opened in another way only from the configured date", async () => {
    await bench.addFile("before.dcm", film("1.2.3.1"));
    await isMeasured();
    const formats = ["json" as const];
    await watched.save({ folders: [], outbox: outbox(), formats, allFilmsSince: null });
    expect(readdirSync(outbox())).toEqual([]);
    const since = bench.context.now().toISOString();
    await watched.save({ folders: [], outbox: outbox(), formats, allFilmsSince: since });
    await bench.addFile("window.dcm", film("1.2.3.2"));
    await isMeasured(2);
    await watched.look();
    expect(readdirSync(outbox())).toEqual([expect.stringMatching(/^window-[0-9a-f]{8}\.json$/)]);
    rmSync(path.join(outbox(), readdirSync(outbox())[0]!));
    await watched.look();
    expect(readdirSync(outbox())).toEqual([]);
  });

  test("loses no results if it cannot be written, even after a start that deletes images", async () => {
    stubHandouts(bench.desktop.context);
    await settings("move", ["json", "pdf"]);
    await bench.call("settings.save", { keepImages: "while_open" });
    rmSync(outbox(), { recursive: true });
    await openMeasured();
    await watched.look();
    expect((await watched.get()).outbox).toMatchObject({ isWritable: false, waiting: 1 });
    await watched.close();
    await restart(bench);
    await bench.desktop.parts.folders.close();
    stubHandouts(bench.desktop.context);
    mkdirSync(outbox());
    watched = watch();
    await watched.look();
    expect(readdirSync(outbox())).toHaveLength(2);
    expect((await watched.get()).outbox).toMatchObject({ isWritable: true, waiting: 0 });
    expect(await watched.listUnwritten()).toEqual([]);
  });
});

test("imports patients of an HL7 file in its character set, and merges them", async () => {
  await settings("move");
  const species = `${"|".repeat(27)}448169003^Katze^SCT|^EKH`;
  const message = `MSH|^~\\&|VetSoft||||20261122||ADT^A04|1|P|2.5||||||8859/1\rPID|1||P-4711||M\u00fcller^Mohrle|||F${species}\r`;
  put("patient.hl7", Buffer.from(message, "latin1"));
  await lookTwice();
  const { patients } = await bench.call("patients.list", {});
  expect(patients).toMatchObject([{ name: "Mohrle", owner: "Müller", species: "cat", breed: "EKH", uuid: "P-4711" }]);
  put("merge.hl7", message.replace("ADT^A04", "ADT^A40").replace("P-4711", "P-9") + "MRG|P-4711\r");
  await lookTwice();
  // The merged entry is deleted, and the former number still finds the patient.
  const merged = (await bench.call("patients.list", {})).patients;
  expect(merged).toMatchObject([{ name: "Mohrle", uuid: "P-9" }]);
  await bench.desktop.parts.openings.openLink("corvet://open?number=P-4711");
  expect((await bench.call("opening.claim", {})).opening).toEqual({ kind: "patient", patientId: merged[0]!.id });
});

test("states which messages of an HL7 file cannot be applied, and why", async () => {
  await settings("move");
  const told = (number: string, name: string) => `MSH|^~\\&|x||||2026||ADT^A08|1|P|2.5\rPID|1||${number}||${name}\r`;
  put("broken.hl7", `${told("", "Rex")}${told("P-1", "Bella")}${told("P-2", "")}`);
  put("long.hl7", told("P-3", "Luna").padEnd(5_000_000, "\r"));
  await lookTwice();
  const reasonOf = (name: string) => readFileSync(path.join(inbox(), "failed", `${name}.reason.txt`), "utf8");
  expect(reasonOf("broken.hl7")).toBe(
    "message 1: The HL7 message has no PID-3\nmessage 3: The HL7 message has no PID-5\n",
  );
  expect(reasonOf("long.hl7")).toBe("file: The HL7 file is too long\n");
  expect((await bench.call("patients.list", {})).patients.map(({ uuid }) => uuid)).toEqual(["P-1"]);
});

test("applies all merges of a message; if one fails, the others are applied and the file fails", async () => {
  await settings("move");
  const [header, end] = ["MSH|^~\\&|VetSoft||||20261122||ADT^A", "|1|P|2.5||||||UNICODE UTF-8\r"];
  const animal = (number: string, name: string) => `PID|1||${number}||Muster^${name}\r`;
  const told = ["Rex", "Bo", "Kim"].map((name, at) => `${header}04${end}${animal(`1${at}`, name)}`);
  put("patients.hl7", told.join(""));
  await lookTwice();
  const merger = (number: string, name: string, former: string) => `${animal(number, name)}PV1|1\rMRG|${former}\r`;
  const numbers = async () => (await bench.call("patients.list", {})).patients.map(({ uuid }) => uuid).sort();
  put("merge.hl7", `${header}40${end}${merger("20", "Rex", "10")}${merger("21", "Bo", "11")}`);
  await lookTwice();
  expect(await numbers()).toEqual(["12", "20", "21"]);
  await bench.addFile("luna.dcm", phantomFile({ instance: "1.2.3.1", patientId: "99" }));
  const before = (await numbers()).length;
  put("half.hl7", `${header}40${end}${merger("20", "Rex", "99")}${merger("22", "Kim", "12")}`);
  await lookTwice();
  expect(await numbers()).toHaveLength(before);
  expect(await numbers()).toEqual(expect.arrayContaining(["20", "21", "22"]));
  expect(readdirSync(path.join(inbox(), "failed"))).toEqual(["half.hl7", "half.hl7.reason.txt"]);
  expect(bench.logged.filter((line) => line.includes("hl7OtherAnimal"))).toHaveLength(1);
});

test("merges a number known only from films only into an animal of the same name", async () => {
  await settings("move");
  const merging = (number: string, name: string) =>
    `MSH|^~\\&|VetSoft||||20261122||ADT^A40|1|P|2.5||||||UNICODE UTF-8\rPID|1||${number}||Muster^${name}\rMRG|12\r`;
  await bench.addFile("bella.dcm", phantomFile({ instance: "1.2.3.1", patientId: "12" }));
  const owner = async () => (await films())[0]!.patient;
  put("rex.hl7", merging("4711", "Rex"));
  await lookTwice();
  expect(readdirSync(path.join(inbox(), "failed"))).toEqual(["rex.hl7", "rex.hl7.reason.txt"]);
  expect(bench.logged.filter((line) => line.includes("hl7OtherAnimal"))).toHaveLength(1);
  expect([(await owner())?.name, (await bench.call("patients.list", {})).total]).toEqual(["Bella", 2]);
  put("bella.hl7", merging("4712", "BELLA"));
  await lookTwice();
  expect(await owner()).toMatchObject({ name: "BELLA", uuid: "4712" });
  expect((await bench.call("patients.list", {})).total).toBe(2);
});

test("links an earlier film to the patient of a later message, unless the names differ", async () => {
  await settings("move");
  const told = (number: string, name: string) =>
    `MSH|^~\\&|VetSoft||||20261122||ADT^A04|1|P|2.5||||||UNICODE UTF-8\rPID|1||${number}^^^VetSoft^PI||Sommer^${name}|||F${"|".repeat(27)}448771007^Dog^SCT\r`;
  await bench.addFile("bella.dcm", film("1.2.3.1"));
  await bench.addFile("other.dcm", phantomFile({ instance: "1.2.3.2", patientId: "P-5" }));
  put("bella.hl7", told("P-4711", "Bella"));
  put("luna.hl7", told("P-5", "Luna"));
  await lookTwice();
  const { patients } = await bench.call("patients.list", {});
  expect(patients.map(({ name, uuid }) => `${name} ${uuid?.startsWith("P-") ? uuid : "-"}`).sort()).toEqual([
    "Bella -",
    "Bella P-4711",
    "Luna P-5",
  ]);
  const bella = patients.find(({ uuid }) => uuid === "P-4711")!;
  await bench.addFile("again.dcm", film("1.2.3.3"));
  const owners = (await films()).map(({ fileName, patient }) => [fileName, patient?.id === bella.id]);
  expect(Object.fromEntries(owners)).toEqual({ "bella.dcm": true, "again.dcm": true, "other.dcm": false });
  // A repeated message creates no new patient.
  put("again.hl7", told("P-4711", "Bella"));
  await lookTwice();
  expect((await bench.call("patients.list", {})).total).toBe(3);
});

test("processes other files and the outbox while a file waits because of an internal error", async () => {
  await settings("move");
  const mend = await refuseRows(bench.context.db, "patients", { message: "a bug", condition: "NEW.name = 'Rex'" });
  const message = "MSH|^~\\&|VetSoft||||20261122||ADT^A04|1|P|2.5||||||UNICODE UTF-8\rPID|1||P-1||Muster^Rex\r";
  put("rex.hl7", message);
  utimesSync(path.join(inbox(), "rex.hl7"), 1, 1);
  put("bella.dcm", film());
  await lookTwice();
  expect((await films()).map(({ fileName }) => fileName)).toEqual(["bella.dcm"]);
  await isMeasured();
  await watched.look();
  expect(readdirSync(outbox())).toHaveLength(1);
  expect((await watched.get()).folders[0]).toMatchObject({ opened: 1, failed: 0, waiting: 1 });
  expect(bench.logged.filter((line) => line.includes("watched folder could not be imported"))).toHaveLength(1);
  await mend();
  await watched.look();
  expect((await bench.call("patients.list", { search: "P-1" })).patients.map(({ name }) => name)).toEqual(["Rex"]);
  expect((await watched.get()).folders[0]).toMatchObject({ opened: 2, waiting: 0 });
});
