import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { storedInstance } from "../../../core/contract/desktop/network/dicom-instance.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import { areSpeciesCompatible } from "../../../core/species.ts";
import { recordAudit } from "../audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { transaction, transactionOrConflict } from "../engines/engine.ts";
import {
  findPatient,
  findPatientByUuid,
  getPatient,
  patientJson,
  unknownFacts,
  writePatient,
  type PatientRow,
} from "./patients.ts";

const ids = z.array(z.string()).readonly();
export const mergedPatients = z.object({
  kept: patientJson,
  gone: patientJson,
  filmIds: ids,
  /** Films of the kept patient before the merge. */
  ownFilmIds: ids,
  dicomUuids: ids,
  /** In comparison form. */
  aliases: ids,
});
export type MergedPatients = Readonly<z.infer<typeof mergedPatients>>;

/** In comparison form, without the present identifier. */
export async function listAliases(db: ReadableDb, patientId: string): Promise<readonly string[]> {
  const aliases = db.selectFrom("patientAliases").select("uuidNfc").where("patientId", "=", patientId);
  return (await aliases.orderBy("uuidNfc").execute()).map(({ uuidNfc }) => uuidNfc);
}

/**
 * Moves films, DICOM links and identifiers of the removed patient to the kept one, and with the identifiers all
 * measurements and screenings made under them. Unknown facts are filled from the removed one.
 *
 * @returns input of `unmergePatients`
 * @throws AppError NOT_FOUND, INVALID_FIELD if the species differ or both are the same patient
 */
export function mergePatients(db: WritableDb, keptId: string, goneId: string): Promise<MergedPatients> {
  return transaction(db, async () => {
    const kept = await getPatient(db, keptId);
    const gone = await getPatient(db, goneId);
    if (keptId === goneId || !areSpeciesCompatible(kept.species, gone.species))
      throw new AppError("INVALID_FIELD", because("mergeDiffers"));
    const owner = { patientId: keptId };
    const own = await db.selectFrom("films").select("id").where("patientId", "=", keptId).execute();
    const films = await db.updateTable("films").set(owner).where("patientId", "=", goneId).returning("id").execute();
    const links = db.updateTable("dicomPatients").set(owner).where("patientId", "=", goneId).returning("uuid");
    const dicomUuids = (await links.execute()).map(({ uuid }) => uuid);
    const aliases = await listAliases(db, goneId);
    await db.updateTable("patientAliases").set(owner).where("patientId", "=", goneId).execute();
    await db.deleteFrom("patients").where("id", "=", goneId).execute();
    await addAliases(db, keptId, gone);
    await writePatient(db, withFactsOf(kept, gone));
    await recordAudit(db, {
      action: "patient.merged",
      patientId: keptId,
      subject: goneId,
      detail: { films: films.length },
    });
    const [filmIds, ownFilmIds] = [films.map(({ id }) => id), own.map(({ id }) => id)];
    return { kept, gone, filmIds, ownFilmIds, dicomUuids, aliases };
  });
}

/** The generated id, under which a patient without an identifier is screened, and all other identifiers. */
function identifiersOf({ id, uuid, microchip }: PatientRow): readonly string[] {
  return [id, uuid, microchip].filter((identifier) => identifier !== null);
}

/** A microchip may belong to a third patient. */
async function addAliases(db: WritableDb, patientId: string, gone: PatientRow): Promise<void> {
  for (const identifier of identifiersOf(gone)) {
    const owner = identifier === gone.microchip ? await findPatientByUuid(db, identifier) : null;
    if (owner === null || owner.id === patientId) await addAlias(db, patientId, identifier);
  }
}

async function addAlias(db: WritableDb, patientId: string, uuid: string): Promise<void> {
  const alias = { uuidNfc: comparedIdentifier(uuid), uuid, patientId };
  await db
    .insertInto("patientAliases")
    .values(alias)
    .onConflict((former) => former.column("uuidNfc").doUpdateSet({ patientId }))
    .execute();
}

/** A merge may arrive before the film or the registration that it refers to. */
export function addFormerNumber(db: WritableDb, patientId: string, number: string): Promise<void> {
  return transaction(db, async () => {
    await addAlias(db, patientId, number);
    await recordAudit(db, { action: "patient.merged", patientId, subject: number, detail: { films: 0 } });
  });
}

/** For a merge in the opposite direction. The present number becomes a former one. */
export function restoreFormerNumber(db: WritableDb, patientId: string, number: string): Promise<void> {
  return transaction(db, async () => {
    const row = await getPatient(db, patientId);
    const compared = comparedIdentifier(number);
    if (row.uuid !== null && comparedIdentifier(row.uuid) === compared) return;
    await db.deleteFrom("patientAliases").where("uuidNfc", "=", compared).where("patientId", "=", patientId).execute();
    await writePatient(db, { ...row, uuid: number });
    if (row.uuid !== null) await addAlias(db, patientId, row.uuid);
    await recordAudit(db, { action: "patient.edited", patientId, detail: { changed: "uuid" } });
  });
}

/**
 * Undoes a merge. Films added since then under a Patient ID of the removed patient move to it; reassigned ones stay.
 *
 * @throws AppError NOT_FOUND if the kept patient was removed or merged into another one; CONFLICT if a third one has
 *   the previous identifier of the kept patient
 */
export async function unmergePatients(db: WritableDb, merged: MergedPatients): Promise<void> {
  await transactionOrConflict(db, because("uuidTaken"), () => unmerge(db, merged));
}

async function unmerge(db: WritableDb, merged: MergedPatients): Promise<void> {
  const { kept, gone, dicomUuids, aliases } = merged;
  const now = await getPatient(db, kept.id);
  const removedUuids = identifiersOf(gone).map((identifier) => comparedIdentifier(identifier));
  // Keep aliases from an earlier merge: they move back to the removed patient below.
  const added = removedUuids.filter((uuid) => !aliases.includes(uuid));
  await db.deleteFrom("patientAliases").where("uuidNfc", "in", added).where("patientId", "=", kept.id).execute();
  const ownUuid = await uuidWithout(db, [...removedUuids, ...aliases], { now, kept });
  await writePatient(db, { ...withoutFactsOf(now, kept, gone), uuid: ownUuid });
  if ((await findPatient(db, gone.id)) === null) await writePatient(db, gone);
  const owner = { patientId: gone.id };
  const filmIds = [...merged.filmIds, ...(await filmsSince(db, merged))];
  if (filmIds.length > 0)
    await db.updateTable("films").set(owner).where("patientId", "=", kept.id).where("id", "in", filmIds).execute();
  for (const uuid of dicomUuids)
    await db
      .updateTable("dicomPatients")
      .set(owner)
      .where("patientId", "=", kept.id)
      .where("uuid", "=", uuid)
      .execute();
  for (const uuid of aliases)
    await db
      .updateTable("patientAliases")
      .set(owner)
      .where("patientId", "=", kept.id)
      .where("uuidNfc", "=", uuid)
      .execute();
  await recordAudit(db, { action: "patient.unmerged", patientId: kept.id, subject: gone.id });
}

/** Films that the kept patient received after the merge by a Patient ID of the removed one. */
async function filmsSince(
  db: ReadableDb,
  { kept, ownFilmIds, dicomUuids }: MergedPatients,
): Promise<readonly string[]> {
  const films = db.selectFrom("dicomInstances").innerJoin("films", "films.id", "filmId").select(["filmId", "facts"]);
  const rows = await films.where("patientId", "=", kept.id).execute();
  const isOfGone = (facts: string) => dicomUuids.includes(storedInstance(facts).patient.uuid ?? "");
  return rows
    .filter(({ filmId, facts }) => !ownFilmIds.includes(filmId) && isOfGone(facts))
    .map(({ filmId }) => filmId);
}

/** The previous identifier if the present one is the removed patient's. */
async function uuidWithout(
  db: ReadableDb,
  ofGone: readonly string[],
  { now, kept }: Record<"now" | "kept", PatientRow>,
): Promise<string | null> {
  if (now.uuid === null || !ofGone.includes(comparedIdentifier(now.uuid))) return now.uuid;
  const other = kept.uuid === null ? null : await findPatientByUuid(db, kept.uuid);
  if (other !== null && other.id !== kept.id) throw new AppError("CONFLICT", because("uuidTaken"));
  return kept.uuid;
}

const facts = ["species", "breed", "owner", ...(Object.keys(unknownFacts) as (keyof typeof unknownFacts)[])] as const;
const isUnknown = (value: unknown) => value === null || value === "";

/** The identifier is not a fact: it becomes an alias. */
function withFactsOf(kept: PatientRow, gone: PatientRow): PatientRow {
  const taken = facts.filter((name) => isUnknown(kept[name])).map((name) => [name, gone[name]]);
  return {
    ...kept,
    ...Object.fromEntries(taken),
    lastSeenAtMs: Math.max(kept.lastSeenAtMs, gone.lastSeenAtMs),
  };
}

/** Keeps facts that were edited since the merge. */
function withoutFactsOf(now: PatientRow, kept: PatientRow, gone: PatientRow): PatientRow {
  const given = facts.filter((name) => isUnknown(kept[name]) && now[name] === gone[name]);
  return { ...now, ...Object.fromEntries(given.map((name) => [name, kept[name]])) };
}
