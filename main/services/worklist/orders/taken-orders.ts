import { z } from "zod";
import type { DicomInstance } from "../../../../core/contract/desktop/network/dicom-instance.ts";
import { order, type NextOrder, type Order } from "../../../../core/contract/desktop/network/orders.ts";
import { comparedIdentifier } from "../../../../core/identifiers.ts";
import { patientUuid } from "../../../dicom/patient-uuid.ts";
import { findDicomInstance } from "../../../store/films/dicom/dicom-instances.ts";
import type { FilmRow } from "../../../store/films/films.ts";
import type { MergedPatients } from "../../../store/films/merged-patients.ts";
import { findPatient, findPatientByUuid, findPatients } from "../../../store/films/patients.ts";
import type { ReadableDb, WritableDb } from "../../../store/database.ts";
import { changeSetting, getSetting, listMachineVariants, saveSetting, type Setting } from "../../../store/settings.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { filmNote, listNotesOfFilms } from "../../desktop/film-notes.ts";
import { toPatient } from "../film-view.ts";

const takenOrder = z.object({ order, patientId: z.string(), takenAtMs: z.int(), isNext: z.boolean() });
type TakenOrder = z.infer<typeof takenOrder>;

/** Orders taken in the last 24 hours; a picture assigned to their patient later is linked to them, too. */
const takenSetting: Setting<readonly TakenOrder[]> = {
  key: "takenOrders",
  schema: z.array(takenOrder),
  fallback: [],
};
const [keptMs, mostKept] = [24 * 60 * 60 * 1000, 50] as const;

/** DICOM films contain their order. */
function filmOrderSetting(filmId: string): Setting<FilmOrder | null> {
  return filmNote("order", filmId, filmOrder);
}

type FilmOrder = Pick<TakenOrder, "order" | "patientId">;
const filmOrder = { schema: takenOrder.pick({ order: true, patientId: true }).nullable(), fallback: null };

export async function saveTakenOrder(
  { db, now, publish }: DesktopContext,
  taken: Order,
  patientId: string,
): Promise<void> {
  const nowMs = now().getTime();
  await changeSetting(db, takenSetting, (before) => {
    const others = before
      .filter((one) => isOfToday(one, nowMs))
      .filter((one) => one.order.studyInstanceUid !== taken.studyInstanceUid)
      .map((one) => ({ ...one, isNext: false }));
    return [{ order: taken, patientId, takenAtMs: nowMs, isNext: true }, ...others].slice(0, mostKept);
  });
  publish({ name: "orders.changed", payload: {} });
}

/** Returns null if the patient was erased. */
export async function getNextOrder({ db, now }: Pick<DesktopContext, "db" | "now">): Promise<NextOrder | null> {
  const next = await nextOf(db, now());
  const patient = next && (await findPatient(db, next.patientId));
  return patient && { order: next.order, patient: await toPatient(db, patient) };
}

export async function clearTakenOrder({ db, publish }: Pick<DesktopContext, "db" | "publish">): Promise<void> {
  await saveNextless(db);
  publish({ name: "orders.changed", payload: {} });
}

export async function orderedPatient(context: Pick<DesktopContext, "db" | "now">): Promise<string | null> {
  return (await getNextOrder(context))?.patient.id ?? null;
}

/**
 * Links a picture to its patient's order. A DICOM film of the pending order completes it, so that the next picture is
 * not linked to it.
 *
 * @param instance  the film's DICOM header; null for a picture
 */
export async function noteOrderOfFilm(
  { db, now }: Pick<DesktopContext, "db" | "now">,
  film: Pick<FilmRow, "id" | "patientId">,
  instance: Pick<DicomInstance, "studyInstanceUid" | "accessionNumber"> | null,
): Promise<void> {
  const next = await nextOf(db, now());
  if (instance !== null) {
    const isOfOrder =
      instance.studyInstanceUid === next?.order.studyInstanceUid ||
      (next !== null && next.order.accessionNumber !== null && instance.accessionNumber === next.order.accessionNumber);
    if (next !== null && (isOfOrder || film.patientId === next.patientId)) await saveNextless(db);
    return;
  }
  if (film.patientId === null || (await orderOfFilm(db, film)) !== null) return;
  const found = (await takenOf(db, now())).find(({ patientId }) => patientId === film.patientId);
  if (found === undefined) return;
  await saveSetting(db, filmOrderSetting(film.id), { order: found.order, patientId: found.patientId });
  if (found.isNext) await saveNextless(db);
}

export async function noteOrderOfAssigned(context: Pick<DesktopContext, "db" | "now">, film: FilmRow): Promise<void> {
  if ((await findDicomInstance(context.db, film.id)) === null) await noteOrderOfFilm(context, film, null);
}

/** Null if the film was assigned to another patient since, unless by a merge. */
export async function orderOfFilm(
  db: ReadableDb,
  { id, patientId }: Pick<FilmRow, "id" | "patientId">,
): Promise<Order | null> {
  const noted = await getSetting(db, filmOrderSetting(id));
  if (noted === null || patientId === null) return null;
  const isOfPatient = noted.patientId === patientId || (await findPatientByUuid(db, noted.patientId))?.id === patientId;
  return isOfPatient ? noted.order : null;
}

/** Includes those of other workstations. */
export async function listOrdersOf(db: ReadableDb, patient: Named): Promise<readonly TakenOrder[]> {
  const orders: TakenOrder[] = [];
  for (const setting of await listMachineVariants(db, takenSetting)) orders.push(...(await getSetting(db, setting)));
  return orders.filter((one) => isOf(one, patient));
}

/** Includes orders of films that were assigned to another patient since. */
export async function forgetOrders(db: WritableDb, patient: Named): Promise<void> {
  for (const setting of await listMachineVariants(db, takenSetting))
    await changeSetting(db, setting, (all) => all.filter((one) => !isOf(one, patient)));
  for (const [filmId, noted] of await listNotesOfFilms(db, "order", filmOrder))
    if (noted !== null && isOf(noted, patient)) await saveSetting(db, filmOrderSetting(filmId), null);
}

/**
 * Moves orders with the numbers of a removed patient back to it when its merge is undone.
 *
 * @returns ids of films of these orders that did not belong to the kept patient before the merge
 */
export async function returnOrders(db: WritableDb, merged: MergedPatients): Promise<readonly string[]> {
  const { kept, gone, ownFilmIds, dicomUuids, aliases } = merged;
  const numbers = new Set([...aliases, comparedIdentifier(gone.uuid)]);
  const isOfGone = ({ number, issuer }: Order["patient"]) =>
    numbers.has(comparedIdentifier(number)) || dicomUuids.includes(patientUuid(issuer, number));
  const returned = <Taken extends FilmOrder>(taken: Taken): Taken =>
    taken.patientId === kept.id && isOfGone(taken.order.patient) ? { ...taken, patientId: gone.id } : taken;
  for (const setting of await listMachineVariants(db, takenSetting))
    await changeSetting(db, setting, (all) => all.map(returned));
  const filmIds: string[] = [];
  for (const [filmId, noted] of await listNotesOfFilms(db, "order", filmOrder)) {
    if (noted === null) continue;
    const now = returned(noted);
    if (now !== noted) await saveSetting(db, filmOrderSetting(filmId), now);
    if (now.patientId === gone.id && !ownFilmIds.includes(filmId)) filmIds.push(filmId);
  }
  return filmIds;
}

type Named = { readonly patientId: string | null; readonly uuids: readonly string[] };

/** `uuids` includes the ids of merged patients. */
function isOf(taken: FilmOrder, { patientId, uuids }: Named): boolean {
  return taken.patientId === patientId || uuids.includes(taken.patientId);
}

/** Patients may have been merged since. */
async function takenOf(db: ReadableDb, now: Date): Promise<readonly TakenOrder[]> {
  const taken = (await getSetting(db, takenSetting)).filter((one) => isOfToday(one, now.getTime()));
  const patientIds = taken.map(({ patientId }) => patientId);
  const there = await findPatients(db, patientIds);
  const merged = new Map<string, string>();
  for (const id of new Set(patientIds)) {
    const kept = there.has(id) ? null : await findPatientByUuid(db, id);
    if (kept !== null) merged.set(id, kept.id);
  }
  return taken.map((one) => ({ ...one, patientId: merged.get(one.patientId) ?? one.patientId }));
}

/** Ignores an order dated a day or more ahead, which was taken while the clock was wrong. */
function isOfToday({ takenAtMs }: TakenOrder, nowMs: number): boolean {
  return Math.abs(nowMs - takenAtMs) < keptMs;
}

async function nextOf(db: ReadableDb, now: Date): Promise<TakenOrder | null> {
  return (await takenOf(db, now)).find(({ isNext }) => isNext) ?? null;
}

async function saveNextless(db: WritableDb): Promise<void> {
  await changeSetting(db, takenSetting, (all) => all.map((one) => ({ ...one, isNext: false })));
}
