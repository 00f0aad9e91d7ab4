import type { ReadableDb, WritableDb } from "../../connection.ts";

/** The patient that an issuer and patient id stand for, and the animal's name in the file that said so first. */
export type DicomPatientLink = { readonly patientId: string; readonly name: string };

/** @param uuid  stands for issuer and patient id */
export async function findDicomPatient(db: ReadableDb, uuid: string): Promise<DicomPatientLink | null> {
  const link = db.selectFrom("dicomPatients").select(["patientId", "name"]).where("uuid", "=", uuid);
  return (await link.executeTakeFirst()) ?? null;
}

/** Remembers which patient an issuer and patient id stand for. */
export async function linkDicomPatient(
  db: WritableDb,
  uuid: string,
  link: DicomPatientLink & {
    /** Patient ID as the file has it. */
    readonly number: string | null;
  },
): Promise<void> {
  const { patientId, name, number } = link;
  await db.insertInto("dicomPatients").values({ uuid, patientId, name, number }).execute();
}
