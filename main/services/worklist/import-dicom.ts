import { randomUUID } from "node:crypto";
import { AppError, because } from "../../../core/app-error.ts";
import type { DicomInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import type { DicomContents } from "../../dicom/dicom-contents.ts";
import { findDicomPatient, linkDicomPatient, type DicomPatientLink } from "../../store/films/dicom/dicom-patients.ts";
import { saveDicomInstance } from "../../store/films/dicom/dicom-instances.ts";
import { findPatientByUuid, savePatient } from "../../store/films/patients.ts";
import type { DesktopContext } from "../desktop/desktop-context.ts";

export type InstanceWithShape = { readonly instance: DicomInstance; readonly shape: string };

/** @throws AppError INVALID_DICOM for a DICOMDIR, DICOM_WITHOUT_PIXELS for reports and documents */
export function pictureOf({ directory, instance, hasPicture, hasDocument }: DicomContents): DicomInstance {
  if (directory !== null) throw new AppError("INVALID_DICOM", because("dicomdirAlone"));
  if (!hasPicture) throw new AppError("DICOM_WITHOUT_PIXELS", hasDocument ? because("dicomHoldsPdf") : null);
  return instance;
}

export async function saveReceivedInstance(
  context: DesktopContext,
  filmId: string,
  { instance, shape }: InstanceWithShape,
): Promise<void> {
  const { sopInstanceUid, studyInstanceUid, seriesInstanceUid } = instance;
  await saveDicomInstance(context.db, {
    filmId,
    sopInstanceUid,
    studyInstanceUid,
    seriesInstanceUid,
    facts: JSON.stringify(instance),
    shape,
  });
}

/**
 * Finds or creates the patient by issuer and Patient ID. Null without an ID, for other species, and if the ID belongs
 * to an animal with another name.
 */
export async function patientOfInstance(
  context: DesktopContext,
  { patient: said }: DicomInstance,
): Promise<string | null> {
  if (said.uuid === null || said.species === "other") return null;
  const name = said.name ?? said.id ?? "";
  const link = await findDicomPatient(context.db, said.uuid);
  if (link !== null) return isNameOf(link, name) ? link.patientId : null;
  const patientId = (await findPatientByUuid(context.db, said.uuid))?.id ?? (await newPatient(context, name, said));
  await linkDicomPatient(context.db, said.uuid, { patientId, name, number: said.id });
  return patientId;
}

async function newPatient(context: DesktopContext, name: string, said: DicomInstance["patient"]): Promise<string> {
  const nowMs = context.now().getTime();
  const { id } = await savePatient(context.db, {
    id: randomUUID(),
    name: name.slice(0, 120),
    species: said.species === "other" ? null : said.species,
    breed: (said.breed ?? "").slice(0, 120),
    owner: said.responsiblePerson ?? "",
    uuid: said.uuid,
    sex: said.sex === "other" ? null : said.sex,
    isNeutered: said.isNeutered,
    birthDate: said.birthDate,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
  });
  return id;
}

/** Compares with the name in the first file and the patient's current one, which may be a correction. */
export function isNameOf(link: DicomPatientLink, name: string): boolean {
  return isSameName(link.name, name) || isSameName(link.presentName, name);
}

/** Ignores case, accents and punctuation. */
export function isSameName(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: "base", ignorePunctuation: true }) === 0;
}
