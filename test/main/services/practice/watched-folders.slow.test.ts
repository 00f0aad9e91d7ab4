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
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { dataSet, partTen, sequence, text } from "../../dicom/dicom-writer.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { waitFor } from "../../../fixtures/patience.ts";
import { folderForEach } from "../../../fixtures/folders.ts";

const root = folderForEach();
let bench: DesktopBench;
let watched: WatchedFolders;
const inbox = () => path.join(root(), "in");
const outbox = () => path.join(root(), "out");

beforeEach(async () => {
  mkdirSync(inbox());
  mkdirSync(outbox());
  bench = await openBench();
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  // The desk's own folders are looked at by its clock; these when they are told to.
  await bench.desktop.parts.folders.close();
  watched = watch();
});
afterEach(async () => {
  await watched.close();
  await bench.remove();
});

/** Looks only when it is told to; a file that stays broken is given up at once. */
function watch(patienceMs = 0): WatchedFolders {
  return createWatchedFolders(bench.desktop.context, () => bench.desktop.parts.queue.wake(), { patienceMs });
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
  await expect.poll(async () => (await films()).filter(({ state }) => state === "done").length).toBe(count);
}

/** Has a film opened from the watched folder and measured. */
async function openMeasured(): Promise<void> {
  put("bella.dcm", film());
  await lookTwice();
  await isMeasured();
}

/** The image of every film is gone, whatever the worklist says. */
async function loseImage(): Promise<void> {
  if (isInDatabase(bench.context.db)) return void (await bench.context.db.deleteFrom("filmImages").execute());
  for (const { sha256 } of await films()) rmSync(path.join(filmsDir(bench.dataDir), sha256));
}
async function accept(filmId?: string): Promise<void> {
  filmId ??= (await films())[0]!.id;
  const basedOn = (await bench.call("films.get", { filmId })).readings[0]!.id;
  await bench.call("readings.save", { filmId, basedOn, verdict: "accepted", who: "Dr. Weiß", geometry: null });
}

describe("a watched folder", () => {
  test("opens a film that two looks find unchanged, and moves it; hidden and unfinished files stay", async () => {
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
    // The empty file.
    expect((await watched.get()).folders[0]).toMatchObject({ isReachable: true, opened: 1, failed: 0, waiting: 1 });
  });

  test("opens a film of a merged number as one of the present number, in its result as well", async () => {
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

  test("waits for a copy that is not whole, written while the program was not running, and opens it then", async () => {
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

  test("moves what cannot be opened to failed, under a free name", async () => {
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

  test("opens the films of a CD once, without a failure for its DICOMDIR", async () => {
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

  test("applies an HL7 file once, also one with an unusable message, so that newer files take precedence", async () => {
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

  test("without moving opens no file twice, also after a restart", async () => {
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

  test("that is missing is reported and scanned again later; none may overlap another or the data", async () => {
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

  test("beyond the scan limit imports the newest files, and reports the number of others", async () => {
    await watched.close();
    watched = createWatchedFolders(bench.desktop.context, () => undefined, { everyMs: 3_600_000, mostFiles: 2 });
    await settings("leave");
    for (const [age, name] of ["newest", "newer", "older", "oldest"].entries()) {
      put(`${name}.dcm`, film(`1.2.3.${age}`));
      utimesSync(path.join(inbox(), `${name}.dcm`), 1000 - age, 1000 - age);
    }
    await lookTwice();
    expect((await films()).map(({ fileName }) => fileName).sort()).toEqual(["newer.dcm", "newest.dcm"]);
    expect((await watched.get()).folders[0]).toMatchObject({ opened: 2, waiting: 0, leftOut: 2 });
  });

  test("asks the store nothing of files that have not changed", async () => {
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
  test("has the results of a film in every format once it is measured", async () => {
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
    // Every OBX has to say its status; the field after it but two is when the reading was made.
    expect(valueOf(message!, "OBX", 11)).toBe("P");
    expect(valueOf(message!, "OBX", 14)).toMatch(/^\d{14}[+-]\d{4}$/);
    expect(of("pdf").subarray(0, 5).toString()).toBe("%PDF-");
    expect((await watched.get()).outbox).toMatchObject({ isWritable: true, waiting: 0 });
    const { events } = await bench.call("audit.list", { actions: ["film.sent"] });
    expect(events).toMatchObject([{ subject: (await films())[0]!.id, detail: { formats: "json, csv, pdf, hl7" } }]);
  });

  test("is rewritten only after a correction, and loses only its own half-written files", async () => {
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

  test("is rewritten after a film is assigned or dated, or its patient is merged", async () => {
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
    const rex = { name: "Rex", species: "dog", breed: "", owner: "Muster" } as const;
    const [goneId, keptId] = [
      (await bench.call("patients.create", { ...rex, uuid: "P-9" })).id,
      (await bench.call("patients.create", { ...rex, uuid: "P-10" })).id,
    ];
    await bench.call("films.assignPatient", { filmIds: [filmId], patientId: goneId });
    expect(await written()).toEqual(["P-9", taken]);
    const other = "2026-01-02T03:04:05.000Z";
    await bench.call("films.edit", { filmId, takenAt: other });
    expect(await written()).toEqual(["P-9", other]);
    await bench.call("patients.merge", { keptId, goneId });
    expect(await written()).toEqual(["P-10", other]);
    expect((await watched.get()).outbox).toMatchObject({ waiting: 0 });
  });

  test("contains decisions on removed films, and none of their proposals", async () => {
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

  test("of handouts alone skips a film without a file; other formats report it once for each reading", async () => {
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

  test("waits for a handout that only the machine or the practice's settings hinder", async () => {
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

  test("writes a correction accepted later as a correction", async () => {
    await settings("leave", ["json", "hl7"]);
    await openMeasured();
    const filmId = (await films())[0]!.id;
    const { frame, corners, heart, edges } = (await bench.call("films.get", { filmId })).readings[0]!;
    for (const verdict of ["corrected", "accepted"] as const) {
      const basedOn = (await bench.call("films.get", { filmId })).readings.at(-1)!.id;
      const geometry = verdict === "corrected" ? { frame, corners, heart: heart!, edges } : null;
      await bench.call("readings.save", { filmId, basedOn, verdict, who: "Dr. Weiß", geometry });
    }
    await watched.look();
    const said = (format: string) => {
      const name = readdirSync(outbox()).find((file) => file.endsWith(format));
      return readFileSync(path.join(outbox(), name!), "utf8");
    };
    expect(JSON.parse(said(".json"))).toMatchObject({ verdict: "corrected", confidence: null, resultCode: null });
    expect(said(".hl7")).toContain("|corrected|");
  });

  test("serves films that were opened in another way from the day on which the practice wishes it", async () => {
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

  test("that cannot be written to loses nothing, at a start that tidies images either", async () => {
    await settings("move", ["json", "pdf"]);
    await bench.call("settings.save", { keepImages: "while_open" });
    await openMeasured();
    rmSync(outbox(), { recursive: true });
    await watched.look();
    expect((await watched.get()).outbox).toMatchObject({ isWritable: false, waiting: 1 });
    const { dataDir } = bench;
    await watched.close();
    await bench.close();
    bench = await openBench({ dataDir });
    await bench.desktop.parts.folders.close();
    mkdirSync(outbox());
    watched = watch();
    await watched.look();
    expect(readdirSync(outbox())).toHaveLength(2);
    expect((await watched.get()).outbox).toMatchObject({ isWritable: true, waiting: 0 });
    expect(await watched.findUnwritten()).toEqual([]);
  });
});

test("patients of an HL7 file are taken over in the character set that it names, and films find them", async () => {
  await settings("move");
  const species = `${"|".repeat(27)}448169003^Katze^SCT|^EKH`;
  const message = `MSH|^~\\&|VetSoft||||20261122||ADT^A04|1|P|2.5||||||8859/1\rPID|1||P-4711||M\u00fcller^Mohrle|||F${species}\r`;
  put("patient.hl7", Buffer.from(message, "latin1"));
  await lookTwice();
  const { patients } = await bench.call("patients.list", {});
  expect(patients).toMatchObject([{ name: "Mohrle", owner: "Müller", species: "cat", breed: "EKH", uuid: "P-4711" }]);
  put("merge.hl7", message.replace("ADT^A04", "ADT^A40").replace("P-4711", "P-9") + "MRG|P-4711\r");
  await lookTwice();
  // One animal: the emptied entry is gone, and what names it by the former number still finds it.
  const merged = (await bench.call("patients.list", {})).patients;
  expect(merged).toMatchObject([{ name: "Mohrle", uuid: "P-9" }]);
  await bench.desktop.parts.openings.askByLink("corvet://open?number=P-4711");
  expect((await bench.call("opening.claim", {})).opening).toEqual({ kind: "patient", patientId: merged[0]!.id });
});

test("a file of HL7 messages that cannot be applied states which, and why", async () => {
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

test("every merger of a message is done; where one cannot be, the others are and the file has failed", async () => {
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

test("a number that is only that of films is merged into an animal of the same name, and into no other", async () => {
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

test("a film that comes before its message is the patient's that the message makes; another name is another animal", async () => {
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
  // Told again, nothing is made anew.
  put("again.hl7", told("P-4711", "Bella"));
  await lookTwice();
  expect((await bench.call("patients.list", {})).total).toBe(3);
});

test("a file that a fault of the program keeps waiting keeps neither the others nor the outbox waiting", async () => {
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
