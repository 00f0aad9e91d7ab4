// Runs once: opens PostgreSQL or both engines directly.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { finishHandOver, handOverFilms } from "../../../../../main/services/worklist/drafts/hand-over.ts";
import { recordAudit } from "../../../../../main/store/audit/audit-events.ts";
import { engineOf } from "../../../../../main/store/engines/engine.ts";
import { verifyRecord } from "../../../../../main/store/record/record-verification.ts";
import { smallPicture } from "../../../../fixtures/desktop-bench.ts";
import { openDraftsBench, type DraftsBench } from "../../../../fixtures/drafts-bench.ts";
import { phantomFile } from "../../../dicom/phantom-film.ts";
import { measured } from "../../../store/sample-store.ts";

let opened: DraftsBench;
beforeEach(async () => {
  opened = await openDraftsBench();
  opened.bench.engine.answers(measured);
});
afterEach(() => opened.remove());

const films = async () => (await opened.bench.call("films.list", {})).films;
const add = async (name: string, bytes: Buffer) => {
  await opened.bench.addFile(name, bytes);
  await opened.bench.desktop.parts.queue.whenIdle();
};
const handOut = (filmId: string) =>
  opened.bench.call("reports.handOut", { exportId: randomUUID(), filmId, language: "en" });
const exported = async () => (await opened.bench.call("audit.list", { actions: ["film.exported"] })).events;
const stores = () => {
  const { drafts, bench } = opened;
  const { context } = bench.desktop;
  return { from: { ...context, db: drafts }, to: { ...context, db: bench.context.db } };
};

it("handouts that end once their drafts went over, the page still on drafts, are in the practice's trail", async () => {
  const instance = "1.2.276.9.1";
  await add("received.dcm", phantomFile({ instance }));
  await opened.goAway();
  await add("draft.png", await smallPicture(2));
  // The practice has this one in other bytes.
  await add("sent again.dcm", phantomFile({ instance, accession: "A-1" }));
  const { handOuts } = opened.bench.desktop.context;
  const print = handOuts.print.bind(handOuts);
  const gone = Promise.withResolvers<unknown>();
  let begun = 0;
  vi.spyOn(handOuts, "print").mockImplementation(async (page) => {
    begun += 1;
    if (begun === 2) gone.resolve(handOverFilms(stores()));
    await gone.promise;
    return print(page);
  });
  await Promise.all((await films()).map(({ id }) => handOut(id)));
  expect(await films()).toEqual([]);
  await opened.comeBack();
  const there = (await films()).map(({ id, fileName, patient }) => [id, fileName, patient?.id ?? null]);
  expect(there.map(([, fileName]) => fileName).sort()).toEqual(["draft.png", "received.dcm"]);
  const events = (await exported()).map(({ subject, filmName, patientId }) => [subject, filmName, patientId]);
  expect(events.sort()).toEqual(there.sort());
  expect((await verifyRecord(opened.bench.context.db, null)).fault).toBeNull();
});

it("a draft that was handed out and removed again unread leaves that in the practice's trail", async () => {
  await opened.goAway();
  await add("draft.png", await smallPicture(2));
  const [draft] = await films();
  await handOut(draft!.id);
  await opened.bench.call("films.remove", { filmIds: [draft!.id] });
  await opened.comeBack();
  expect((await exported()).map(({ subject, filmName }) => [subject, filmName])).toEqual([[draft!.id, null]]);
});

it("what is recorded after the events were read stays on drafts, and goes with the next hand-over, once", async () => {
  await opened.goAway();
  await add("draft.png", await smallPicture(2));
  await handOut((await films())[0]!.id);
  await handOverFilms(stores());
  const { driver } = engineOf(opened.drafts);
  const transact = driver.transaction.bind(driver);
  const late = vi.spyOn(driver, "transaction").mockImplementationOnce(async (mode, work) => {
    await recordAudit(opened.drafts, { action: "film.exported", subject: "late" });
    return transact(mode, work);
  });
  await finishHandOver(stores());
  expect(late).toHaveBeenCalled();
  await opened.comeBack();
  const [there] = await films();
  expect((await exported()).map(({ subject }) => subject)).toEqual(["late", there!.id]);
});
