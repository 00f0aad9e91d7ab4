// Runs once: opens PostgreSQL or both engines directly.
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import type { Order } from "../../../../core/contract/desktop/network/orders.ts";
import type { Patient } from "../../../../core/contract/desktop/patients.ts";
import { dayMs } from "../../../../core/durations.ts";
import { filmsDir } from "../../../../main/services/desktop/film-files.ts";
import { hasFilmImage } from "../../../../main/services/desktop/film-images.ts";
import { getDesktopSettings } from "../../../../main/services/desktop/desktop-settings.ts";
import { receiverSetting } from "../../../../main/services/network/dicom-settings.ts";
import { listFolder } from "../../../../main/services/practice/folder-scan.ts";
import { createPerson } from "../../../../main/services/people/people.ts";
import type { PatientFields } from "../../../../main/services/worklist/patients/patients.ts";
import { assignPatient } from "../../../../main/services/worklist/films.ts";
import { takeOrder } from "../../../../main/services/worklist/orders/take-order.ts";
import { finishHandOver } from "../../../../main/services/worklist/drafts/hand-over.ts";
import { patientThere } from "../../../../main/services/worklist/drafts/hand-over-patients.ts";
import { listAuditEvents, recordAudit } from "../../../../main/store/audit/audit-events.ts";
import type { WritableDb } from "../../../../main/store/database.ts";
import { engineOf } from "../../../../main/store/engines/engine.ts";
import { mergePatients } from "../../../../main/store/films/merged-patients.ts";
import { listReadings } from "../../../../main/store/films/readings.ts";
import {
  filmsForOutbox,
  keepWatched,
  noteWritten,
  watchedOutcome,
} from "../../../../main/store/films/watched-files.ts";
import { editPerson, listPeople } from "../../../../main/store/people/people.ts";
import { getSetting } from "../../../../main/store/settings.ts";
import { verifyRecord } from "../../../../main/store/record/record-verification.ts";
import { smallPicture, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { openDraftsBench, type DraftsBench } from "../../../fixtures/drafts-bench.ts";
import { phantomFile, type PhantomFacts } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { patience } from "../../../fixtures/patience.ts";

let opened: DraftsBench;
let bench: DesktopBench;
let drafts: WritableDb;
beforeEach(async () => {
  opened = await openDraftsBench();
  ({ bench, drafts } = opened);
  bench.engine.answers(measured);
});
afterEach(() => opened.remove());

const films = async (): Promise<readonly Film[]> => (await bench.call("films.list", {})).films;
const state = async () => (await bench.call("drafts.get", {})).state;
const goAway = () => opened.goAway();
const comeBack = () => opened.comeBack();
const drop = async (name: string, seed: number) => {
  await bench.addFile(name, await smallPicture(seed));
  await bench.desktop.parts.queue.whenIdle();
  return (await films()).find(({ fileName }) => fileName === name)!;
};
/** A film of P-77, Bella, unless the facts say otherwise. */
const receive = async (facts: PhantomFacts) => {
  const name = `${facts.instance}.dcm`;
  await bench.addFile(name, phantomFile(facts));
  await bench.desktop.parts.queue.whenIdle();
  return (await films()).find(({ fileName }) => fileName === name)!;
};
const facts = { species: "dog", breed: "", owner: "Muster" } as const;
const assign = async (filmId: string, patientId: string | null) =>
  void (await bench.call("films.assignPatient", { filmIds: [filmId], patientId }));
const sign = async (filmId: string) => {
  const basedOn = (await bench.call("films.get", { filmId })).readings.at(-1)!.id;
  await bench.call("readings.save", { filmId, basedOn, verdict: "accepted", who: "Dr Weber", geometry: null });
};
const edit = async ({ id, name, species, breed, owner, uuid }: Patient, changes: Partial<PatientFields>) =>
  void (await bench.call("patients.edit", { patientId: id, name, species, breed, owner, uuid, ...changes }));
const patients = async () => (await bench.call("patients.list", { search: "" })).patients;

describe("while the practice's database is away", () => {
  it("films are opened, measured, corrected, drawn on and given to a patient; then the practice has all of it", async () => {
    const before = await drop("before.png", 1);
    await goAway();
    expect(await films()).toEqual([]);
    const draft = await drop("draft.png", 2);
    const bella = { name: "Bella", species: "dog", breed: "", owner: "Weber", uuid: "P-1" } as const;
    const patient = await bench.call("patients.create", bella);
    await bench.call("films.assignPatient", { filmIds: [draft.id], patientId: patient.id });
    const { readings } = await bench.call("films.get", { filmId: draft.id });
    await bench.call("readings.save", {
      filmId: draft.id,
      basedOn: readings.at(-1)!.id,
      verdict: "accepted",
      who: "Dr Weber",
      geometry: null,
    });
    expect(await state()).toEqual({ isAway: true, isOnDrafts: true, films: 1 });
    await comeBack();
    expect(await state()).toEqual({ isAway: false, isOnDrafts: false, films: 0 });
    const [there] = (await films()).filter(({ fileName }) => fileName === "draft.png");
    expect((await films()).map(({ fileName }) => fileName).sort()).toEqual(["before.png", "draft.png"]);
    expect(there).toMatchObject({ state: "done", patient: { name: "Bella", uuid: "P-1" } });
    const after = await bench.call("films.get", { filmId: there!.id });
    expect(after.readings.map(({ verdict, who }) => [verdict, who])).toEqual([
      [null, null],
      ["accepted", "Dr Weber"],
    ]);
    expect(after.readings[0]!.id).toBe(readings[0]!.id);
    expect((await verifyRecord(bench.context.db, null)).fault).toBeNull();
    expect((await films()).map(({ id }) => id)).toContain(before.id);
  });

  it("films keep their images, however long that is and whatever is kept in the practice", async () => {
    await opened.remove();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    opened = await openDraftsBench();
    ({ bench, drafts } = opened);
    bench.engine.answers(measured);
    const old = await drop("old.png", 1);
    await bench.call("settings.save", { keepImages: "days", keepImagesDays: 1 });
    await bench.desktop.parts.drafts?.hearSettings();
    const tidyDaysLater = async (days: number) => {
      bench.setNow(new Date(bench.context.now().getTime() + days * dayMs));
      vi.advanceTimersByTime(dayMs);
      await bench.desktop.close();
    };
    await goAway();
    const draft = await drop("draft.png", 2);
    await tidyDaysLater(3);
    vi.useRealTimers();
    expect(await hasFilmImage({ db: drafts }, draft.sha256, "original")).toBe(true);
    expect(await hasFilmImage({ db: bench.context.db }, old.sha256, "original")).toBe(true);
  });

  it("begin with settings that were read before they were written: drafts wait for no network", async () => {
    const practice = bench.context.db;
    const select = practice.selectFrom.bind(practice);
    const whileWriting: string[] = [];
    const asked = vi.spyOn(practice, "selectFrom").mockImplementation(((table: "settings") => {
      let isBetween = false;
      void engineOf(drafts).driver.afterCommit(() => Promise.resolve(void (isBetween = true)));
      if (!isBetween) whileWriting.push(table);
      return select(table);
    }) as never);
    await bench.desktop.parts.drafts?.hearSettings();
    expect(asked).toHaveBeenCalled();
    expect(whileWriting).toEqual([]);
    asked.mockRestore();
  });

  it("begin with what was saved of receiver and folders, and copy nothing for what those only tell", async () => {
    const { parts, context } = bench.desktop;
    const kept = vi.spyOn(parts.drafts!, "hearSettings");
    for (const name of ["dicom.changed", "folders.changed"] as const) context.publish({ name, payload: {} });
    await bench.call("dicom.log", {});
    expect(kept).not.toHaveBeenCalled();
    await bench.call("dicom.configure", { aeTitle: "SURGERY" });
    await expect.poll(async () => (await getSetting(drafts, receiverSetting)).aeTitle).toBe("SURGERY");
  });

  it.each([
    ["gone", (file: string) => rmSync(file)],
    ["damaged", (file: string) => writeFileSync(file, "of a disk")],
  ])("a film whose file is %s is handed over without it, and holds up no other", async (_what, spoil) => {
    await goAway();
    const [spoilt, draft] = [await drop("spoilt.png", 1), await drop("draft.png", 2)];
    await sign(spoilt.id);
    spoil(path.join(filmsDir(path.dirname(engineOf(drafts).file!.name)), spoilt.sha256));
    await comeBack();
    expect(await state()).toEqual({ isAway: false, isOnDrafts: false, films: 0 });
    const there = await films();
    expect(there.map(({ fileName, sha256, hasImage }) => [fileName, sha256, hasImage]).sort()).toEqual([
      ["draft.png", draft.sha256, true],
      ["spoilt.png", spoilt.sha256, false],
    ]);
    const { readings } = await bench.call("films.get", { filmId: spoilt.id });
    expect(readings.map(({ who }) => who)).toEqual([null, "Dr Weber"]);
    expect((await verifyRecord(bench.context.db, null)).fault).toBeNull();
  });

  it("films' results wait for the practice software once they are handed over", async () => {
    const receiver = { isOn: true, host: "127.0.0.1", port: 1, application: "P", facility: "C" };
    await bench.call("hl7.save", { ...receiver, results: "decided", tls: null });
    await goAway();
    const [one, other] = [await drop("one.png", 1), await drop("other.png", 2)];
    await sign(one.id);
    await comeBack();
    expect(await films()).toHaveLength(2);
    expect(other.reading).not.toBeNull();
    expect(await bench.call("hl7.get", {})).toMatchObject({ waiting: 1 });
  });

  it("leave nothing behind on this machine once the practice has them", async () => {
    await bench.call("settings.save", { theme: "light" });
    await goAway();
    const draft = await drop("Bella Weber.png", 2);
    const bella = { name: "Bella", species: "dog", breed: "", owner: "Weber", uuid: "P-1" } as const;
    const patient = await bench.call("patients.create", bella);
    await bench.call("films.assignPatient", { filmIds: [draft.id], patientId: patient.id });
    await bench.call("patients.create", { ...bella, name: "Rex", uuid: "P-2" });
    const { file } = engineOf(drafts);
    const bytes = () => ["", "-wal"].map((end) => readFileSync(`${file!.name}${end}`).toString("latin1")).join("");
    expect(bytes()).toMatch(/Weber/);
    const schema = () => file!.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
    const before = schema();
    await comeBack();
    expect(bytes()).not.toMatch(/Weber|Bella|P-1|Rex/);
    expect(schema()).toEqual(before);
    const patients = (await bench.call("patients.list", { search: "" })).patients;
    expect(patients.map(({ name }) => name).sort()).toEqual(["Bella", "Rex"]);
    expect((await getDesktopSettings(drafts)).theme).toBe("light");
    await goAway();
    await drop("again.png", 3);
    await comeBack();
    expect((await films()).map(({ fileName }) => fileName).sort()).toEqual(["Bella Weber.png", "again.png"]);
    expect((await verifyRecord(drafts, null)).fault).toBeNull();
  });

  it("what a person read on a film that was removed again stays, and so does its patient", async () => {
    await goAway();
    const [read, unread] = [await drop("read.png", 2), await drop("unread.png", 3)];
    const bella = { name: "Bella", species: "dog", breed: "", owner: "Weber", uuid: "P-1" } as const;
    const patient = await bench.call("patients.create", bella);
    const filmIds = [read.id, unread.id];
    await bench.call("films.assignPatient", { filmIds, patientId: patient.id });
    const basedOn = (await bench.call("films.get", { filmId: read.id })).readings.at(-1)!.id;
    const signed = { filmId: read.id, basedOn, verdict: "accepted", who: "Dr Weber", geometry: null } as const;
    await bench.call("readings.save", signed);
    await bench.call("films.remove", { filmIds });
    await comeBack();
    expect(await films()).toEqual([]);
    const { patients } = await bench.call("patients.list", { search: "" });
    expect(patients.map(({ name }) => name)).toEqual(["Bella"]);
    const practice = bench.context.db;
    expect((await listReadings(practice, read.id)).map(({ who }) => who)).toEqual([null, "Dr Weber"]);
    expect((await verifyRecord(practice, null)).fault).toBeNull();
    expect((await drop("read.png", 2)).reading).toMatchObject({ verdict: "accepted" });
  });

  it("that a draft was handed out is in the practice's trail, about the film that it is there", async () => {
    await goAway();
    const draft = await drop("draft.png", 2);
    await bench.call("reports.handOut", { exportId: randomUUID(), filmId: draft.id, language: "en" });
    await comeBack();
    const [there] = await films();
    const { events } = await bench.call("audit.list", { actions: ["film.exported"] });
    expect(events.map(({ subject }) => subject)).toEqual([there!.id]);
    expect(there!.id).not.toBe(draft.id);
  });

  it("a handout that is made while its draft is handed over is in the practice's trail, about the film there", async () => {
    await goAway();
    const draft = await drop("draft.png", 2);
    const { handOuts } = bench.desktop.context;
    const print = handOuts.print.bind(handOuts);
    vi.spyOn(handOuts, "print").mockImplementation(async (handOut) => {
      await comeBack();
      return print(handOut);
    });
    await bench.call("reports.handOut", { exportId: randomUUID(), filmId: draft.id, language: "en" });
    const [there] = await films();
    const { events } = await bench.call("audit.list", { actions: ["film.exported"] });
    expect(events.map(({ subject, filmName }) => [subject, filmName])).toEqual([[there!.id, "draft.png"]]);
    expect(there!.id).not.toBe(draft.id);
  });

  it("who signed in is in the practice's trail once, however often a hand-over begins", async () => {
    await goAway();
    const at = new Date("2026-11-20T03:00:00Z");
    await recordAudit(drafts, { action: "session.signed_in", at, subject: "a person" });
    const context = bench.desktop.context;
    // As if the program had been killed after the practice had the sign-in and before the drafts were emptied.
    await recordAudit(bench.context.db, { action: "session.signed_in", at, subject: "a person" });
    await finishHandOver({ from: { ...context, db: drafts }, to: { ...context, db: bench.context.db } });
    const { rows } = await listAuditEvents(bench.context.db, { actions: ["session.signed_in"], limit: 9, offset: 0 });
    expect(rows).toHaveLength(1);
  });

  it("a film of a watched folder is still one for the outbox afterwards, once", async () => {
    await goAway();
    const [read, written] = [await drop("read.png", 4), await drop("written.png", 5)];
    const file = { path: "/films/read.png", sizeBytes: 10, changedAtMs: 1 };
    await keepWatched(drafts, file, { outcome: "opened", filmIds: [read.id, written.id], atMs: 1 });
    const { readings } = await bench.call("films.get", { filmId: written.id });
    await noteWritten(drafts, written.id, readings[0]!.id);
    await comeBack();
    const there = (await films()).find(({ fileName }) => fileName === "read.png");
    expect((await filmsForOutbox(bench.context.db, 0)).map(({ filmId }) => filmId)).toEqual([there?.id]);
  });

  it("receiver and watched folders go on as the practice set them; results are written when it has the films", async () => {
    const root = mkdtempSync(path.join(tmpdir(), "corvet-drafts-folders-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const [inbox, outbox] = ["in", "out"].map((name) => path.join(root, name)) as [string, string];
    for (const folder of [inbox, outbox]) mkdirSync(folder);
    const put = async (name: string, seed: number) =>
      writeFileSync(path.join(inbox, name), await smallPicture(seed, "png"));
    const lookTwice = async () => {
      for (let look = 0; look < 2; look += 1) await bench.desktop.parts.folders.look();
      await bench.desktop.parts.queue.whenIdle();
    };
    await bench.call("folders.save", {
      ...{ folders: [{ path: inbox, afterwards: "leave" }], outbox, formats: ["json"], allFilmsSince: null },
    });
    await bench.desktop.parts.receive.configure({ aeTitle: "WARD" });
    await put("before.png", 1);
    await lookTwice();
    await bench.desktop.parts.folders.look();
    await vi.waitUntil(async () => (await getSetting(drafts, receiverSetting)).aeTitle === "WARD", patience);
    await goAway();
    expect((await bench.call("dicom.get", {})).receiver.aeTitle).toBe("WARD");
    await put("during.png", 2);
    await lookTwice();
    await bench.desktop.parts.folders.look();
    expect((await films()).map(({ fileName }) => fileName)).toEqual(["during.png"]);
    expect(readdirSync(outbox)).toEqual([expect.stringMatching(/^before-/)]);
    await comeBack();
    await lookTwice();
    expect((await films()).map(({ fileName }) => fileName).sort()).toEqual(["before.png", "during.png"]);
    expect(readdirSync(outbox).sort()).toEqual([expect.stringMatching(/^before-/), expect.stringMatching(/^during-/)]);
    // Another run of the program, to which the files are not new either.
    const [file] = (await listFolder(inbox))!.filter((one) => one.path.endsWith("during.png"));
    expect(await watchedOutcome(bench.context.db, file!)).toBe("opened");
    expect((await listAuditEvents(drafts, { actions: ["settings.changed"], limit: 9, offset: 0 })).rows).toEqual([]);
  });

  it("what is the practice's is refused with the reason, and drafts are none while the database answers", async () => {
    await expect(bench.call("drafts.begin", {})).rejects.toMatchObject({ code: "CONFLICT" });
    await goAway();
    for (const refused of ["keys.list", "ledger.usage", "people.list"] as const)
      await expect(bench.call(refused, {} as never)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await expect(bench.call("drafts.handOver", {})).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("a hand-over that breaks off goes on, and takes nothing twice", async () => {
    await goAway();
    const [one, other] = [await drop("one.png", 1), await drop("other.png", 2)];
    const { readings } = await bench.call("films.get", { filmId: one.id });
    // As if the program had been killed after the practice had the film and before the draft was gone.
    const { handOverFilms } = await import("../../../../main/services/worklist/drafts/hand-over.ts");
    const context = bench.desktop.context;
    await handOverFilms({ from: { ...context, db: drafts }, to: { ...context, db: bench.context.db } });
    await bench.addFile("one.png", await smallPicture(1));
    await bench.desktop.parts.queue.whenIdle();
    await comeBack();
    expect((await films()).map(({ fileName }) => fileName).sort()).toEqual([one.fileName, other.fileName].sort());
    const [there] = (await films()).filter(({ fileName }) => fileName === "one.png");
    expect((await bench.call("films.get", { filmId: there!.id })).readings[0]!.id).toBe(readings[0]!.id);
  });

  it("films of a patient that was merged while they went over are the kept one's", async () => {
    const kept = await bench.call("patients.create", { ...facts, name: "Bella", uuid: "P-77" });
    await goAway();
    const [one, other] = [await drop("one.png", 1), await drop("other.png", 2)];
    const bella = await bench.call("patients.create", { ...facts, name: "Bella", uuid: null });
    for (const { id } of [one, other]) await assign(id, bella.id);
    await edit(bella, { owner: "Weber", breed: "Pointer" });
    // As if the hand-over had been broken off after the first film.
    const [from, to] = [drafts, bench.context.db].map((db) => ({ ...bench.desktop.context, db }));
    await patientThere({ from: from!, to: to! }, bella.id);
    await mergePatients(bench.context.db, kept.id, bella.id);
    await comeBack();
    expect((await films()).map(({ patient }) => patient?.id)).toEqual([kept.id, kept.id]);
    const taken = { breed: "Pointer" };
    expect(await patients()).toMatchObject([{ id: kept.id, name: "Bella", owner: "Muster", uuid: "P-77", ...taken }]);
  });

  it("a film without a patient stays without one when an order waits in the practice", async () => {
    const nobody = { issuer: null, breed: "", sex: null, isNeutered: null, birthDate: null };
    const patient = { ...nobody, number: "P-7", fullName: "Sommer^Luna", name: "Luna", owner: "Sommer" } as const;
    const steps = { procedureId: null, procedure: null, stepId: null, step: null, station: null, modality: null };
    const order: Order = {
      studyInstanceUid: "1.2.3",
      accessionNumber: "A1",
      ...steps,
      ...{ day: null, time: null, referrer: null },
      patient: { ...patient, species: "dog" },
    };
    await goAway();
    await drop("draft.png", 1);
    await takeOrder({ ...bench.desktop.context, db: bench.context.db }, order);
    await comeBack();
    expect(await films()).toMatchObject([{ fileName: "draft.png", patient: null }]);
    expect((await bench.call("orders.next", {})).next).toMatchObject({ patient: { name: "Luna" } });
    expect(await drop("awaited.png", 2)).toMatchObject({ patient: { name: "Luna" } });
  });

  it("begin with the settings of the practice as they are then", async () => {
    await bench.call("settings.save", { theme: "light", clinicName: "Clinic" });
    await vi.waitUntil(async () => (await getDesktopSettings(drafts)).clinicName === "Clinic", patience);
    await goAway();
    expect(await bench.call("settings.get", {})).toMatchObject({ theme: "light", clinicName: "Clinic" });
  });

  it("know the PIN that somebody chose for themselves, and no longer the one before", async () => {
    const person = { name: "Dr Weber", role: "administrator", secret: "1234" } as const;
    const { id: personId } = (await bench.call("people.add", person)).people[0]!;
    await bench.call("people.turnOn", { personId, secret: "1234" });
    await bench.call("people.setOwnSecret", { oldSecret: "1234", secret: "5678" });
    const hashes = async () =>
      [await listPeople(bench.context.db), await listPeople(drafts)].map(([me]) => me?.secretHash);
    await vi.waitUntil(async () => new Set(await hashes()).size === 1, patience);
    await goAway();
    await expect(bench.call("session.signIn", { personId, secret: "1234" })).rejects.toThrow("WRONG_SECRET");
    expect((await bench.call("session.signIn", { personId, secret: "5678" })).me?.name).toBe("Dr Weber");
  });

  it("begin with what a command has changed, and copy nothing that is as it was", async () => {
    const { db, now } = bench.context;
    await createPerson(db, { name: "Dr Weber", role: "veterinarian", secret: "1234" }, now());
    const look = () => bench.desktop.parts.drafts?.lookAtSettings();
    await look();
    const [weber] = await listPeople(drafts);
    expect(weber).toMatchObject({ name: "Dr Weber", retiredAtMs: null });
    await editPerson(db, weber!.id, { isRetired: true }, now());
    await look();
    expect((await listPeople(drafts))[0]?.retiredAtMs).not.toBeNull();
    const written = vi.spyOn(drafts, "insertInto");
    await look();
    expect(written).not.toHaveBeenCalled();
    bench.desktop.context.publish({ name: "events.missed", payload: {} });
    await vi.waitFor(() => expect(written).toHaveBeenCalled(), patience);
  });

  it("with no page open the program begins drafts by itself, and hands them over", async () => {
    opened.setAway(true);
    await bench.desktop.parts.drafts!.hearDatabase(false);
    expect(await state()).toMatchObject({ isOnDrafts: true });
    await drop("night.png", 3);
    opened.setAway(false);
    await bench.desktop.parts.drafts!.hearDatabase(false);
    expect(await state()).toEqual({ isAway: false, isOnDrafts: false, films: 0 });
    expect((await films()).map(({ fileName }) => fileName)).toEqual(["night.png"]);
  });
});

describe("whose a DICOM film is, decided while the database is away,", () => {
  it("is so in the practice: a film without Patient ID is the patient's that a person gave it to", async () => {
    await goAway();
    const film = await receive({ instance: "1.2.3.1", patientId: null });
    expect(film.patient).toBeNull();
    const bella = await bench.call("patients.create", { ...facts, name: "Bella", uuid: "P-1" });
    await assign(film.id, bella.id);
    await sign(film.id);
    await comeBack();
    const there = { patient: { name: "Bella", uuid: "P-1" }, reading: { verdict: "accepted" } };
    expect(await films()).toMatchObject([there]);
  });

  it("is so in the practice: a film of another Patient ID is the patient's that a person gave it to", async () => {
    await goAway();
    const film = await receive({ instance: "1.2.3.1" });
    expect(film.patient).toMatchObject({ name: "Bella" });
    const rex = await bench.call("patients.create", { ...facts, name: "Rex", uuid: null });
    await assign(film.id, rex.id);
    await sign(film.id);
    const nobodys = await receive({ instance: "1.2.3.2" });
    await assign(nobodys.id, null);
    await comeBack();
    const there = new Map((await films()).map((one) => [one.fileName, one]));
    expect(there.get("1.2.3.1.dcm")).toMatchObject({ patient: { name: "Rex" }, reading: { verdict: "accepted" } });
    expect(there.get("1.2.3.2.dcm")!.patient).toBeNull();
  });

  it("is so in the practice for another frame of its file, too", async () => {
    await goAway();
    const film = await receive({ instance: "1.2.3.1", frames: 2 });
    const carlo = await receive({ instance: "1.2.3.9", patientId: "P-9", patientName: "Muster^Carlo" });
    await assign(film.id, carlo.patient!.id);
    await bench.call("films.openFrame", { filmId: film.id, frameIndex: 1 });
    await bench.desktop.parts.queue.whenIdle();
    await comeBack();
    expect((await films()).map(({ patient }) => patient?.name)).toEqual(["Carlo", "Carlo", "Carlo"]);
  });

  it("is so for a film that the practice lists as nobody's, unless the practice decided later", async () => {
    const [one, other] = [
      await receive({ instance: "1.2.3.1", patientId: null }),
      await receive({ instance: "1.2.3.2", patientId: null }),
    ];
    const luna = await bench.call("patients.create", { ...facts, name: "Luna", uuid: null });
    await goAway();
    const rex = await bench.call("patients.create", { ...facts, name: "Rex", uuid: null });
    await assign((await receive({ instance: "1.2.3.1", patientId: null })).id, rex.id);
    await assign((await receive({ instance: "1.2.3.2", patientId: null })).id, rex.id);
    const practice = { ...bench.desktop.context, db: bench.context.db };
    await assignPatient(practice, [other.id], luna.id);
    await comeBack();
    const names = new Map((await films()).map(({ id, patient }) => [id, patient?.name]));
    expect(names).toEqual(
      new Map([
        [one.id, "Rex"],
        [other.id, "Luna"],
      ]),
    );
  });

  it("is what its file says in the practice where nobody decided it, and its patient is there once", async () => {
    const before = await receive({ instance: "1.2.3.1" });
    await goAway();
    await receive({ instance: "1.2.3.2" });
    await comeBack();
    expect((await films()).map(({ patient }) => patient?.id)).toEqual([before.patient!.id, before.patient!.id]);
    expect(await patients()).toHaveLength(1);
  });

  it("takes along what was changed of the patient, whether the practice knows it or not", async () => {
    const known = await receive({ instance: "1.2.3.1" });
    await edit(known.patient!, { breed: "Pointer" });
    await goAway();
    const [bella, luna] = [
      await receive({ instance: "1.2.3.2" }),
      await receive({ instance: "1.2.3.3", patientId: "P-78", patientName: "Sommer^Luna" }),
    ];
    const change = { owner: "Weber", weightKg: 12.5 };
    await edit(bella.patient!, { ...change, uuid: "P-555" });
    await edit(luna.patient!, { ...change, uuid: "P-556" });
    await comeBack();
    const there = new Map((await patients()).map((patient) => [patient.name, patient]));
    expect(there.get("Bella")).toMatchObject({ id: known.patient!.id, ...change, uuid: "P-555", breed: "Pointer" });
    expect(there.get("Luna")).toMatchObject({ ...change, uuid: "P-556", breed: "Beagle" });
    const later = await receive({ instance: "1.2.3.4", patientId: "P-78", patientName: "Sommer^Luna" });
    expect(later.patient!.id).toBe(there.get("Luna")!.id);
    expect(await patients()).toHaveLength(2);
  });

  it("never makes it an animal's of another name that has the same Patient ID in the practice", async () => {
    const other = await receive({ instance: "1.2.3.1", patientName: "Sommer^Rex" });
    await goAway();
    const film = await receive({ instance: "1.2.3.2" });
    await edit(film.patient!, { weightKg: 4 });
    await sign(film.id);
    await comeBack();
    const there = (await films()).find(({ fileName }) => fileName === "1.2.3.2.dcm")!;
    expect(there).toMatchObject({ patient: { name: "Bella" }, reading: { verdict: "accepted" } });
    const rex = (await patients()).find(({ id }) => id === other.patient!.id)!;
    expect(rex).toMatchObject({ name: "Rex", weightKg: null });
  });
});
