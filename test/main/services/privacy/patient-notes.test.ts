import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Order } from "../../../../core/contract/desktop/network/orders.ts";
import type { Film } from "../../../../core/contract/desktop/films.ts";
import { recordSending, openCommitment } from "../../../../main/services/network/sendings.ts";
import {
  listWaiting,
  scheduleRetry,
  queueResult,
  saveDestination,
} from "../../../../main/services/practice/mllp/mllp-outbox.ts";
import { readPatientNotes } from "../../../../main/services/privacy/patient-notes.ts";
import { saveForeignMarks } from "../../../../main/services/worklist/marks/foreign-marks.ts";
import { saveKeyFilms } from "../../../../main/services/worklist/marks/key-films.ts";
import { takeOrder } from "../../../../main/services/worklist/orders/take-order.ts";
import { orderOfFilm, clearTakenOrder } from "../../../../main/services/worklist/orders/taken-orders.ts";
import { findIdentity } from "../../../../main/store/privacy/patient-record.ts";
import { smallPicture } from "../../../fixtures/desktop-bench.ts";
import { isOnPostgres, rawly } from "../../../fixtures/raw-store.ts";
import { useBench } from "../../../fixtures/use-bench.ts";
import { unzipped } from "../../../fixtures/unzipped.ts";
import { phantomFile } from "../../dicom/phantom-film.ts";
import { measured } from "../../store/sample-store.ts";

const at = "2026-11-21T09:00:00.000Z";
const bench = useBench();
let bella: Film;

beforeEach(async () => {
  // Closed, since a transmission in progress would queue results twice.
  await bench.desktop.parts.mllp.close();
  bench.engine.answers({ ...measured, widthPx: 96, heightPx: 80 });
  await saveDestination(
    bench.context.db,
    { isOn: true, host: "192.0.2.1", port: 2575, application: "", facility: "", results: "all", tls: null },
    0,
  );
  bella = await filmWithNotes("Bella", "P-77", "1.2.3.91");
  await filmWithNotes("Minka", "P-78", "1.2.3.92");
});

async function filmWithNotes(name: string, patientId: string, study: string): Promise<Film> {
  const { db } = bench.context;
  const [instance, patientName] = [`${study}.1`, `Sommer^${name}`];
  const file = phantomFile({ instance, study, patientId, patientName, grey: 80 + name.length });
  const { id: filmId } = await bench.openFilm(`${name}.dcm`, file);
  await takeOrder(bench.desktop.context, orderOf({ study, name, number: patientId, fullName: patientName }));
  const { film } = await bench.call("films.get", { filmId });
  await saveForeignMarks(bench.desktop.context, {
    ...{ sopInstanceUid: `${study}.8`, label: `marks of ${name}`, creator: null, at },
    films: [{ sopInstanceUid: instance, frameNumber: 1, marks: [{ points: [{ x: 1, y: 1 }], text: name }] }],
  });
  await saveKeyFilms(bench.desktop.context, {
    ...{ sopInstanceUid: `${study}.9`, title: "For Surgery", description: null, at, patientName: name, patientId },
    isOwn: false,
    films: [{ studyInstanceUid: study, seriesInstanceUid: `${study}.5`, sopInstanceUid: instance }],
  });
  const objects = [{ sopClassUid: "1.2.840.10008.5.1.4.1.1.88.33", sopInstanceUid: `${study}.7` }];
  const sending = await recordSending(bench.context, film.id, {
    node: { id: "pacs", name: `PACS of ${name}` },
    objects,
  });
  await openCommitment(bench.context, film.id, sending.id);
  await queueResult(db, film.id);
  const waiting = (await listWaiting(db)).find(({ filmId }) => filmId === film.id);
  await scheduleRetry(db, waiting!, { reason: "message-refused", detail: `nobody is called ${name}` }, 0);
  return film;
}

type Named = { readonly study: string; readonly name: string; readonly number: string; readonly fullName: string };

function orderOf({ study, name, number, fullName }: Named): Order {
  const [accessionNumber, day] = [`A of ${name}`, "2026-11-21"];
  const steps = { procedureId: null, procedure: null, stepId: null, step: null, station: null, modality: null };
  const facts = { species: "dog", breed: "", sex: null, isNeutered: null, birthDate: null } as const;
  const patient = { number, issuer: null, fullName, name, owner: "Sommer", ...facts };
  return { studyInstanceUid: study, accessionNumber, ...steps, day, time: null, referrer: null, patient };
}

const notesOf = async (patientId: string) =>
  readPatientNotes(bench.context.db, await findIdentity(bench.context.db, patientId));

/** Exports a patient after its films were deleted, so that no results are created. */
async function exported(patientId: string): Promise<Map<string, Buffer>> {
  if (isOnPostgres) await rawly(bench.context.db, "DELETE FROM film_images");
  else rmSync(path.join(bench.dataDir, "films"), { recursive: true });
  const { download } = await bench.call("patients.export", { patientId, language: "en" });
  return unzipped(readFileSync(path.join(bench.dataDir, "exports", path.basename(download.url))));
}

test("exports the notes on a patient's films, but not those on other films", async () => {
  const files = await exported(bella.patient!.id);
  const { film_notes, key_films, orders } = JSON.parse(String(files.get("data/patient.json"))) as Record<
    string,
    Record<string, unknown>[]
  >;
  expect(film_notes?.map(({ subject }) => subject)).toEqual(["sendings", "marks", "hl7Waiting", "openCommitments"]);
  expect(film_notes?.[0]).toMatchObject({
    film: bella.id,
    note: [{ node: "PACS of Bella", at: expect.stringMatching(/^2026-11-21T/) as string }],
  });
  expect(film_notes?.[1]).toMatchObject({ film: "1.2.3.91.1", note: [{ marks: [{ text: "Bella" }] }] });
  expect([key_films?.length, orders?.length, orders?.[0]?.["order"]]).toMatchObject([
    1,
    1,
    { accessionNumber: "A of Bella" },
  ]);
  for (const table of ["film_notes", "key_films", "orders"]) expect([...files.keys()]).toContain(`data/${table}.csv`);
  for (const [name, bytes] of files) expect([name, bytes.includes("Minka")]).toEqual([name, false]);
});

test("deletes the notes of an erased patient and keeps those of others", async () => {
  const minka = (await bench.call("films.list", {})).films.find(({ id }) => id !== bella.id)!.patient!.id;
  const before = await notesOf(minka);
  expect(before.film_notes).toHaveLength(4);
  const again = { name: "Bella S.", uuid: "P-79" };
  const { id: goneId } = await bench.addPatient(again);
  await bench.call("patients.merge", { keptId: bella.patient!.id, goneId });
  expect((await notesOf(bella.patient!.id)).mergers).toMatchObject([{ gone: again }]);
  await bench.call("patients.erase", { patientId: bella.patient!.id, why: "the owner asked for it" });
  const settings = await bench.context.db.selectFrom("settings").selectAll().execute();
  expect(settings.filter(({ value }) => /Bella|P-77|1\.2\.3\.91/.test(value) || value.includes(bella.id))).toEqual([]);
  expect(await notesOf(minka)).toEqual(before);
  expect(await bench.call("hl7.get", {})).toMatchObject({ waiting: 1, refused: 1 });
});

test("deletes the order of an erased patient from an image that was reassigned", async () => {
  const { id: other } = await bench.addPatient({ name: "Luna" });
  await clearTakenOrder(bench.desktop.context);
  const id = await bench.addMeasured("picture.png", await smallPicture(1), measured);
  const orders = async (patientId: string) => {
    await bench.call("films.assignPatient", { filmIds: [id], patientId });
    return orderOfFilm(bench.context.db, { id, patientId });
  };
  expect(await orders(bella.patient!.id)).toMatchObject({ accessionNumber: "A of Bella" });
  expect(await orders(other)).toBeNull();
  await bench.call("patients.erase", { patientId: bella.patient!.id, why: "the owner asked for it" });
  expect(await orderOfFilm(bench.context.db, { id, patientId: other })).toBeNull();
  const settings = await bench.context.db.selectFrom("settings").selectAll().execute();
  expect(settings.filter(({ value }) => value.includes("Bella"))).toEqual([]);
});
