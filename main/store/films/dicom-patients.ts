import { z } from "zod";
import type { ReadableDb, WritableDb } from "../connection.ts";

const linkSchema = z.object({ patientId: z.string(), name: z.string() });

/** The patient that an issuer and patient id stand for, and the animal's name in the file that said so first. */
export type DicomPatientLink = Readonly<z.infer<typeof linkSchema>>;

/** @param uuid  stands for issuer and patient id */
export function findDicomPatient(db: ReadableDb, uuid: string): DicomPatientLink | null {
  const row = db.prepare("SELECT patient_id AS patientId, name FROM dicom_patients WHERE uuid = ?").get(uuid);
  return row === undefined ? null : linkSchema.parse(row);
}

/** Remembers which patient an issuer and patient id stand for. */
export function linkDicomPatient(
  db: WritableDb,
  uuid: string,
  link: DicomPatientLink & {
    /** Patient ID as the file has it. */
    readonly number: string | null;
  },
): void {
  db.prepare(
    "INSERT INTO dicom_patients (uuid, patient_id, name, number) VALUES (:uuid, :patientId, :name, :number)",
  ).run({ uuid, ...link });
}
