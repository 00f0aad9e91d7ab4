// Runs once: opens PostgreSQL or both engines directly.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepReport } from "../../../../main/dicom/network/receiving/received-report.ts";
import { explicitLittleEndian } from "../../../../main/dicom/transfer-syntaxes.ts";
import { addObjectToWorklist } from "../../../../main/services/import/import-files.ts";
import { listSendings, noteSending, openCommitment } from "../../../../main/services/network/sendings.ts";
import { createSetAside } from "../../../../main/services/network/set-aside.ts";
import { makeResultObjects } from "../../../../main/services/results/result-objects.ts";
import { keepMarks } from "../../../../main/services/worklist/marks/foreign-marks.ts";
import { keepKeyFilms } from "../../../../main/services/worklist/marks/key-films.ts";
import type { WritableDb } from "../../../../main/store/database.ts";
import { listSetAside } from "../../../../main/store/films/dicom/set-aside-objects.ts";
import { listWaitingResults } from "../../../../main/store/films/waiting-results.ts";
import { receivedDir } from "../../../../main/store/store-files.ts";
import { openBench, type DesktopBench } from "../../../fixtures/desktop-bench.ts";
import { openDraftsBench, type DraftsBench } from "../../../fixtures/drafts-bench.ts";
import { dataSet, partTen, text } from "../../dicom/dicom-writer.ts";
import { phantomElements, phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";
import { patience } from "../../../fixtures/patience.ts";

const sopInstanceUid = "1.2.3.6.1";
const at = "2026-11-21T09:00:00.000Z";
const film = phantomFile({ instance: sopInstanceUid, study: "1.2.3.6" });

let opened: DraftsBench;
let bench: DesktopBench;
let drafts: WritableDb;
beforeEach(async () => {
  opened = await openDraftsBench();
  ({ bench, drafts } = opened);
  await bench.call("settings.save", { measuresOnArrival: false });
});
afterEach(() => opened.remove());

const goAway = () => opened.goAway();
const comeBack = () => opened.comeBack();
const receive = (bytes: Uint8Array) =>
  addObjectToWorklist(bench.desktop.context, { name: "object.dcm", bytes, origin: "dicom" });
const readingsOf = async (of: DesktopBench) => {
  const [listed] = (await of.call("films.list", {})).films;
  const { readings } = await of.call("films.get", { filmId: listed!.id });
  return readings.map((reading) => ({ ...reading, filmId: null }));
};

/**
 * Readings of the film at another practice, and what is received of them: the exact picture of the first decision, and a
 * report that tells of the second.
 */
async function readElsewhere() {
  const other = await openBench();
  try {
    other.engine.answers({ ...measured, widthPx: 96, heightPx: 80, votes: [measured.landmarks] });
    await other.addFile("film.dcm", film);
    await other.desktop.parts.queue.whenIdle();
    const [listed] = (await other.call("films.list", {})).films;
    const filmId = listed!.id;
    const judge = async (who: string, fileName: string) => {
      const basedOn = (await other.call("films.get", { filmId })).readings.at(-1)!.id;
      await other.call("readings.save", { filmId, basedOn, verdict: "accepted", who, remark: "", geometry: null });
      const objects = await makeResultObjects(other.desktop.context, filmId);
      return objects.find((object) => object.fileName === fileName)!.bytes;
    };
    const picture = await judge("Dr. Weiß", "annotated.dcm");
    const report = await judge("Dr. Öz", "report.dcm");
    return { readings: await readingsOf(other), picture, report };
  } finally {
    await other.remove();
  }
}

/** What another program drew on the film, as its presentation state says it. */
const draw = (of: { readonly state: string; readonly text: string; readonly frameNumber?: number }) =>
  keepMarks(bench.desktop.context, {
    ...{ sopInstanceUid: of.state, label: "MARKS", creator: null, at },
    films: [{ sopInstanceUid, frameNumber: of.frameNumber ?? 1, marks: [{ points: [{ x: 1, y: 1 }], text: of.text }] }],
  });
const choose = (list: string, title: string) =>
  keepKeyFilms(bench.desktop.context, {
    ...{ sopInstanceUid: list, title, description: null, at, patientName: "Bella", patientId: "P-77" },
    films: [{ studyInstanceUid: "1.2.3.6", seriesInstanceUid: "1.2.3.6.5", sopInstanceUid }],
  });
const draftSettings = async () => (await drafts.selectFrom("settings").select("key").execute()).map(({ key }) => key);

/** An object without a picture comes from a machine called XRAY, and cannot be shown. */
async function receiveFaulty() {
  const content = dataSet(...phantomElements({ instance: "1.2.3.6.2" }).slice(0, -1));
  const kind = "1.2.840.10008.5.1.4.1.1.1.1";
  const meta = [text("00020002", "UI", kind), text("00020003", "UI", "1.2.3.6.2"), text("00020016", "AE", "XRAY")];
  mkdirSync(receivedDir(bench.dataDir), { recursive: true });
  writeFileSync(path.join(receivedDir(bench.dataDir), "faulty.dcm"), partTen(explicitLittleEndian, content, meta));
  bench.desktop.parts.receive.take("faulty.dcm");
  return await vi.waitUntil(async () => (await notShown())[0], patience);
}
const notShown = async () => (await bench.call("received.list", {})).objects;

async function expectRestored(readings: Awaited<ReturnType<typeof readingsOf>>): Promise<void> {
  const restored = await readingsOf(bench);
  expect(restored.map(({ id, who }) => [id, who])).toEqual(readings.map(({ id, who }) => [id, who]));
  expect(restored.slice(0, 2)).toEqual(readings.slice(0, 2));
}

describe("what is received on drafts without its film", () => {
  it("is restored to the practice's film: a result's readings, the exact ones and in their order", async () => {
    const { readings, report, picture } = await readElsewhere();
    await receive(film);
    await goAway();
    for (const result of [report, picture]) expect(await receive(result)).toMatchObject({ name: "resultKept" });
    await comeBack();
    expect(readings).toHaveLength(3);
    await expectRestored(readings);
    for (const db of [drafts, bench.context.db]) expect(await listWaitingResults(db)).toEqual([]);
    const told = bench.eventsOf("film.changed").at(-1)!.film;
    expect(told.reading).toMatchObject({ verdict: "accepted" });
  });

  it("waits in the practice for a film that comes there later, in the place of what waits there of the same", async () => {
    const { readings, report, picture } = await readElsewhere();
    await receive(report);
    await goAway();
    await receive(picture);
    await receive(report);
    // With no page open, as a program does that starts when drafts are left.
    opened.setAway(false);
    await bench.desktop.parts.drafts!.hearDatabase(false);
    expect(await listWaitingResults(drafts)).toEqual([]);
    expect(await listWaitingResults(bench.context.db)).toHaveLength(2);
    await receive(film);
    await expectRestored(readings);
  });

  it("is drawn on the practice's film: other programs' marks, the newest first, each state once", async () => {
    await receive(film);
    await draw({ state: "1.2.3.8.1", text: "as before" });
    await draw({ state: "1.2.3.8.2", text: "of before" });
    const [listed] = (await bench.call("films.list", {})).films;
    const texts = async () => {
      const { sets } = await bench.call("marks.list", { filmId: listed!.id });
      return sets.map(({ marks }) => marks.map(({ text }) => text).join());
    };
    await goAway();
    await draw({ state: "1.2.3.8.1", text: "corrected" });
    await draw({ state: "1.2.3.8.3", text: "of the night" });
    const told = bench.eventsOf("film.changed").length;
    await comeBack();
    expect(await texts()).toEqual(["of the night", "corrected", "of before"]);
    expect(bench.eventsOf("film.changed").slice(told)).toMatchObject([{ film: { id: listed!.id } }]);
    expect((await draftSettings()).filter((key) => key.startsWith("marks"))).toEqual([]);
  });

  it("is kept for a film that comes later, and no film has more than twenty sets of marks", async () => {
    for (let state = 1; state <= 20; state += 1) await draw({ state: `1.2.3.8.${state}`, text: `${state}` });
    await goAway();
    await draw({ state: "1.2.3.9.1", text: "of the night" });
    opened.setAway(false);
    await bench.desktop.parts.drafts!.hearDatabase(false);
    await receive(film);
    const [listed] = (await bench.call("films.list", {})).films;
    const { sets } = await bench.call("marks.list", { filmId: listed!.id });
    expect(sets.map(({ sopInstanceUid: state }) => state)).toEqual([
      "1.2.3.9.1",
      ...Array.from({ length: 19 }, (_, before) => `1.2.3.8.${20 - before}`),
    ]);
  });

  it("stands among the practice's lists of key films, in the place of the same list", async () => {
    await choose("1.2.3.7.1", "For Surgery");
    await choose("1.2.3.7.2", "For Referring Provider");
    await goAway();
    await choose("1.2.3.7.1", "For Teaching");
    await choose("1.2.3.7.3", "For Research");
    await comeBack();
    const { lists } = await bench.call("keyFilms.list", {});
    expect(lists.map(({ title }) => title)).toEqual(["For Research", "For Teaching", "For Referring Provider"]);
    expect(await draftSettings()).not.toContain("keyFilms");
  });

  it("is listed in the practice with its reason where it cannot be shown, and can be acted on there", async () => {
    await goAway();
    const faulty = await receiveFaulty();
    expect(faulty).toMatchObject({ sender: "XRAY", failure: { code: "DICOM_WITHOUT_PIXELS" } });
    await comeBack();
    expect(await notShown()).toEqual([faulty]);
    expect(await listSetAside(drafts)).toEqual([]);
    await bench.call("received.export", { objectId: faulty.id });
    expect((await bench.call("received.retry", { objectIds: [faulty.id] })).opened).toBe(0);
    expect(await bench.call("received.delete", { objectIds: [faulty.id] })).toEqual({ objects: [] });
  });

  it("has its reason, its sender and its time also where the practice has found its file by itself", async () => {
    await goAway();
    const { id, ...faulty } = await receiveFaulty();
    opened.setAway(false);
    // As at a start that finds the database there and the drafts not handed over.
    const practice = { ...bench.desktop.context, db: bench.context.db };
    await createSetAside(practice, receivedDir(bench.dataDir), () => undefined).adopt();
    const [found] = await listSetAside(practice.db);
    expect(JSON.parse(found!.failure)).toMatchObject({ code: "INVALID_DICOM" });
    await comeBack();
    expect(id).not.toBe(found!.id);
    expect(await notShown()).toEqual([{ ...faulty, id: found!.id }]);
  });

  it("waits, where a node answers for what it was sent, for the practice's database, which knows what was sent", async () => {
    await receive(film);
    const { context, parts } = bench.desktop;
    const { id: filmId } = (await bench.call("films.list", {})).films[0]!;
    const objects = [{ sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1", sopInstanceUid }];
    const { id } = await noteSending(context, filmId, { node: { id: "archive", name: "Archive" }, objects });
    const transactionUid = await openCommitment(context, filmId, id);
    const state = async () => (await listSendings(bench.context.db, filmId))[0]!.commitment!.state;
    await goAway();
    mkdirSync(receivedDir(bench.dataDir), { recursive: true });
    const name = keepReport(receivedDir(bench.dataDir), { transactionUid, kept: [sopInstanceUid], failed: [] })!;
    parts.receive.take(name);
    await vi.waitUntil(() => bench.logged.some((line) => line.includes("STORE_UNAVAILABLE")), patience);
    await comeBack();
    expect(await state()).toBe("asked");
    parts.receive.take(name);
    await expect.poll(state).toBe("kept");
    expect(existsSync(path.join(receivedDir(bench.dataDir), name))).toBe(false);
  });
});
