import type { ReadableDb, WritableDb } from "../../connection.ts";

/** The patient that an issuer and patient id stand for, and the animal's name in the file that said so first. */
export type DicomPatientLink = { readonly patientId: string; readonly name: string };

/** What the program calls a patient by that has no number. */
const programId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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

/**
 * Every number that a practice knows a patient by: the Patient IDs that stand for it, its identifier, and those of
 * patients that were merged into it. An identifier that only stands for a Patient ID, or is the program's own, is none.
 */
export async function listNumbersOfPatient(
  db: ReadableDb,
  { id, uuid }: { readonly id: string; readonly uuid: string | null },
): Promise<readonly string[]> {
  const links = await listDicomPatients(db, id);
  const merged = await db.selectFrom("patientAliases").select("uuid").where("patientId", "=", id).execute();
  const standIns = new Set(links.map((link) => link.uuid));
  const aliases = merged.map((alias) => alias.uuid).filter((alias) => !programId.test(alias));
  const own = [...(uuid === null ? [] : [uuid]), ...aliases].filter((one) => !standIns.has(one));
  return [...new Set([...links.flatMap(({ number }) => number ?? []), ...own])];
}

/** Remembers which patient an issuer and patient id stand for. */
export async function linkDicomPatient(db: WritableDb, uuid: string, link: Omit<DicomPatient, "uuid">): Promise<void> {
  const { patientId, name, number } = link;
  await db.insertInto("dicomPatients").values({ uuid, patientId, name, number }).execute();
}
