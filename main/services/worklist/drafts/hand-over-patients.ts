import { comparedIdentifier } from "../../../../core/identifiers.ts";
import { dicomInstance } from "../../../../core/contract/desktop/network/dicom-instance.ts";
import { readAuditEvents } from "../../../store/audit/audit-events.ts";
import type { ReadableDb } from "../../../store/connection.ts";
import { editedFieldsOf, enteredPatients } from "../../../store/drafts-store.ts";
import { transaction } from "../../../store/engines/engine.ts";
import { findDicomInstance } from "../../../store/films/dicom/dicom-instances.ts";
import {
  findDicomPatient,
  linkDicomPatient,
  listDicomPatients,
  type DicomPatient,
} from "../../../store/films/dicom/dicom-patients.ts";
import { assignFilm, getFilm, patientOfFilm, type FilmRow } from "../../../store/films/films.ts";
import {
  findPatient,
  findPatientByUuid,
  getPatient,
  markPatientSeen,
  savePatient,
  type PatientRow,
} from "../../../store/films/patients.ts";
import { listAliases } from "../../../store/films/merged-patients.ts";
import type { DesktopContext } from "../../desktop/desktop-context.ts";
import { isSameName } from "../import-dicom.ts";
import { noteOrderOfAssigned } from "../orders/taken-orders.ts";
import { learnSpeciesWithin } from "../patients/learn-species.ts";
import { editPatient } from "../patients/patients.ts";

/** Both ends of a hand-over: the same program on one store and on the other. */
export type HandOver = { readonly from: DesktopContext; readonly to: DesktopContext };

/** Whose film it is in the practice by what was decided on drafts (null: nobody's), and since when. */
export type Decided = { readonly patientId: string | null; readonly atMs: number };

/** What was decided on drafts of whose film it is; null where its file alone says it, or nothing does. */
export async function decidedPatient(stores: HandOver, film: FilmRow): Promise<Decided | null> {
  const { db } = stores.from;
  const assignedAtMs = await lastAssignedAtMs(db, film.id, 0);
  if (assignedAtMs === null && (film.patientId === null || (await isOfItsFile(db, film)))) return null;
  return { patientId: await patientThere(stores, film.patientId), atMs: assignedAtMs ?? film.addedAtMs };
}

/** Whether a film has the patient whom its file made, and of whom nobody said more. */
async function isOfItsFile(db: ReadableDb, { id, patientId }: FilmRow): Promise<boolean> {
  const instance = await findDicomInstance(db, id);
  const uuid = instance && dicomInstance.parse(JSON.parse(instance.facts)).patient.uuid;
  if (patientId === null || uuid === null || (await findDicomPatient(db, uuid))?.patientId !== patientId) return false;
  return !(await enteredPatients(db)).includes(patientId);
}

/** When a film was last given to somebody, or to nobody, since a time [ms UTC]; null: not since. */
async function lastAssignedAtMs(db: ReadableDb, filmId: string, fromMs: number): Promise<number | null> {
  let atMs: number | null = null;
  for await (const event of readAuditEvents(db, { actions: ["film.assigned"], fromMs }))
    if (event.subject === filmId) atMs = event.atMs;
  return atMs;
}

/**
 * Gives a film of the practice to whom drafts decided, unless the practice decided after that. Called within the
 * transaction of what else goes over.
 *
 * @returns whose film it is now
 */
export async function handOverPatient(
  to: DesktopContext,
  filmId: string,
  decided: Decided | null,
): Promise<string | null> {
  const present = await patientOfFilm(to.db, filmId);
  if (decided === null || decided.patientId === present) return present;
  if ((await lastAssignedAtMs(to.db, filmId, decided.atMs)) !== null) return present;
  await assignFilm(to.db, filmId, decided.patientId);
  await noteOrderOfAssigned(to, await getFilm(to.db, filmId));
  if (decided.patientId !== null) await markPatientSeen(to.db, decided.patientId, to.now().getTime());
  return decided.patientId;
}

/**
 * The practice's patient of the same number, its own or that of its films; a name alone is no proof, so others are added
 * beside. Films that come later with the same number are found as on drafts.
 */
export async function patientThere({ from, to }: HandOver, patientId: string | null): Promise<string | null> {
  const patient = patientId === null ? null : await findPatient(from.db, patientId);
  if (patient === null) return null;
  const files = await listDicomPatients(from.db, patient.id);
  return await transaction(to.db, async () => {
    // It went over with an earlier film, and may have been merged there meanwhile.
    const earlier = (await findPatient(to.db, patient.id)) ?? (await findPatientByUuid(to.db, patient.id));
    const known = earlier?.id ?? (await ofSameNumber(to.db, patient, files));
    const id = known ?? (await addThere(to, patient));
    if (known !== null) await learnSpeciesWithin(to.db, { patientId: id, species: patient.species });
    for (const { uuid, ...link } of files)
      if ((await findDicomPatient(to.db, uuid)) === null)
        await linkDicomPatient(to.db, uuid, { ...link, patientId: id });
    return id;
  });
}

async function ofSameNumber(
  db: ReadableDb,
  patient: PatientRow,
  files: readonly DicomPatient[],
): Promise<string | null> {
  const isOfFile = files.some(({ uuid }) => uuid === patient.uuid);
  const own = patient.uuid === null || isOfFile ? null : await findPatientByUuid(db, patient.uuid);
  if (own !== null) return own.id;
  for (const { uuid, name } of files) {
    const link = await findDicomPatient(db, uuid);
    const named = link === null ? await findPatientByUuid(db, uuid) : null;
    if (named !== null) return named.id;
    if (link !== null && isSameName(link.name, name)) return link.patientId;
  }
  return null;
}

/** Where the practice's films have the same number for an animal of another name, the number is not taken along. */
async function addThere({ db }: DesktopContext, patient: PatientRow): Promise<string> {
  const { uuid } = patient;
  const other = uuid && ((await findDicomPatient(db, uuid)) ?? (await findPatientByUuid(db, uuid)));
  return (await savePatient(db, { ...patient, uuid: other ? null : uuid })).id;
}

/**
 * What was changed of a patient on drafts is changed in the practice. Its own number stays: it was not to be seen on
 * drafts. Nothing is changed of the one that it was merged into there: of two, that one's facts count.
 */
export async function handOverEdits({ from, to }: HandOver, patientId: string, thereId: string): Promise<void> {
  if ((await listAliases(to.db, thereId)).includes(comparedIdentifier(patientId))) return;
  const [patient, there] = [await getPatient(from.db, patientId), await getPatient(to.db, thereId)];
  const changed = (await editedFieldsOf(from.db, patientId)).filter((name) => patient[name] !== there[name]);
  const isNumberWanted =
    patient.uuid !== null &&
    (await findPatientByUuid(to.db, patient.uuid)) === null &&
    (there.uuid === null || (await findDicomPatient(to.db, there.uuid)) !== null);
  const said = changed.filter((name) => name !== "uuid" || isNumberWanted);
  if (said.length > 0) await editPatient(to, thereId, Object.fromEntries(said.map((name) => [name, patient[name]])));
}
