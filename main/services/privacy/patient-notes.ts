import type { ReadableDb, WritableDb } from "../../store/database.ts";
import { readPatientRecord, type PatientIdentity, type StoredRow } from "../../store/privacy/patient-record.ts";
import { deleteFilmNotes, listFilmNotes } from "../desktop/film-notes.ts";
import { forgetKeyFilms, listKeyFilms } from "../worklist/marks/key-films.ts";
import { forgetOrders, listOrdersOf } from "../worklist/orders/taken-orders.ts";
import { forgetMergers, listMergersOf } from "../worklist/patients/patient-merges.ts";

/** Data about a patient outside the patient tables: orders, merges, and notes about its films. */
export type PatientNotes = Readonly<Record<"orders" | "mergers" | "film_notes" | "key_films", readonly StoredRow[]>>;

export async function readPatientNotes(db: ReadableDb, identity: PatientIdentity): Promise<PatientNotes> {
  const filmIds = await filmNames(db, identity);
  const lists = await listKeyFilms(db);
  return {
    orders: (await listOrdersOf(db, identity)).map((taken) => ({ ...taken })),
    mergers: (await listMergersOf(db, identity)).map((merger) => ({ ...merger })),
    film_notes: (await listFilmNotes(db, filmIds)).map((note) => ({ ...note })),
    key_films: lists.filter(({ films }) => films.some(({ sopInstanceUid }) => filmIds.includes(sopInstanceUid))),
  };
}

/** Call it before deleting the patient's rows, which identify its films. */
export async function deletePatientNotes(db: WritableDb, identity: PatientIdentity): Promise<void> {
  const filmIds = await filmNames(db, identity);
  await forgetOrders(db, identity);
  await forgetMergers(db, identity);
  await deleteFilmNotes(db, filmIds);
  await forgetKeyFilms(db, filmIds);
}

/** Returns film ids and SOP Instance UIDs. */
async function filmNames(db: ReadableDb, identity: PatientIdentity): Promise<readonly string[]> {
  if (identity.patientId === null) return [];
  const { films, dicom_instances: objects } = await readPatientRecord(db, identity);
  return [...films.map(({ id }) => String(id)), ...objects.map((object) => String(object["sop_instance_uid"]))];
}
