import type { ReadableDb, WritableDb } from "../../connection.ts";

/** The patient that an issuer and patient id stand for, and the animal's name in the file that said so first. */
export type DicomPatientLink = { readonly patientId: string; readonly name: string };

/** What an issuer and patient id stand for: `uuid` stands for them, `number` is the Patient ID as the file has it. */
export type DicomPatient = DicomPatientLink & { readonly uuid: string; readonly number: string | null };

/** @param uuid  stands for issuer and patient id */
export async function findDicomPatient(db: ReadableDb, uuid: string): Promise<DicomPatientLink | null> {
  const link = db.selectFrom("dicomPatients").select(["patientId", "name"]).where("uuid", "=", uuid);
  return (await link.executeTakeFirst()) ?? null;
}

/** The issuers and patient ids that stand for a patient. */
export async function listDicomPatients(db: ReadableDb, patientId: string): Promise<readonly DicomPatient[]> {
  const links = db.selectFrom("dicomPatients").select(["uuid", "patientId", "name", "number"]);
  return await links.where("patientId", "=", patientId).orderBy("uuid").execute();
}

/** Remembers which patient an issuer and patient id stand for. */
export async function linkDicomPatient(db: WritableDb, uuid: string, link: Omit<DicomPatient, "uuid">): Promise<void> {
  const { patientId, name, number } = link;
  await db.insertInto("dicomPatients").values({ uuid, patientId, name, number }).execute();
}
