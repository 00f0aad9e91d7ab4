import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import { recordAudit } from "../audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { findPatient, getPatient, unknownFacts, writePatient, type PatientRow } from "./patients.ts";

/** What a merger did: everything that taking it back needs. */
export type MergedPatients = {
  readonly kept: PatientRow;
  readonly gone: PatientRow;
  readonly filmIds: readonly string[];
  /** Links of DICOM patient ids, as they stood. */
  readonly dicomUuids: readonly string[];
  /** Identifiers (compared) that were the gone patient's before. */
  readonly aliases: readonly string[];
};

const texts = z.array(z.string());

/** Identifiers, as they are compared, that a patient was given by mergers; its own is not among them. */
export function listAliases(db: ReadableDb, patientId: string): readonly string[] {
  return texts.parse(
    db.prepare("SELECT uuid_nfc FROM patient_aliases WHERE patient_id = ? ORDER BY uuid_nfc").pluck().all(patientId),
  );
}

/**
 * Makes two patients one: films, DICOM links and identifiers of the gone one are the kept one's from now on, and with
 * the identifiers what was measured and screened under them. What the kept one lacks it takes from the gone one.
 *
 * @returns what `unmergePatients` needs
 * @throws AppError NOT_FOUND, INVALID_FIELD for two species or one and the same patient
 */
export function mergePatients(db: WritableDb, keptId: string, goneId: string): MergedPatients {
  const merge = db.transaction((): MergedPatients => {
    const kept = getPatient(db, keptId);
    const gone = getPatient(db, goneId);
    if (keptId === goneId || kept.species !== gone.species)
      throw new AppError("INVALID_FIELD", because("mergeDiffers"));
    const of = (sql: string) => texts.parse(db.prepare(sql).pluck().all(goneId));
    const filmIds = of("SELECT id FROM films WHERE patient_id = ?");
    const dicomUuids = of("SELECT uuid FROM dicom_patients WHERE patient_id = ?");
    const aliases = listAliases(db, goneId);
    const owners = { keptId, goneId };
    db.prepare("UPDATE films SET patient_id = :keptId WHERE patient_id = :goneId").run(owners);
    db.prepare("UPDATE dicom_patients SET patient_id = :keptId WHERE patient_id = :goneId").run(owners);
    db.prepare("UPDATE patient_aliases SET patient_id = :keptId WHERE patient_id = :goneId").run(owners);
    db.prepare("DELETE FROM patients WHERE id = ?").run(goneId);
    // Without an identifier of the practice a patient is screened under the program's own: either stays findable.
    const alias = db.prepare("INSERT INTO patient_aliases (uuid_nfc, uuid, patient_id) VALUES (?, ?, ?)");
    for (const uuid of [goneId, gone.uuid ?? ""]) if (uuid !== "") alias.run(comparedIdentifier(uuid), uuid, keptId);
    writePatient(db, withFactsOf(kept, gone));
    recordAudit(db, {
      action: "patient.merged",
      patientId: keptId,
      subject: goneId,
      detail: { films: filmIds.length },
    });
    return { kept, gone, filmIds, dicomUuids, aliases };
  });
  return merge.immediate();
}

/**
 * Takes a merger back. Films that were given to somebody else meanwhile stay there.
 *
 * @throws AppError NOT_FOUND when the kept patient is gone, or has been merged into another one
 */
export function unmergePatients(db: WritableDb, { kept, gone, filmIds, dicomUuids, aliases }: MergedPatients): void {
  const unmerge = db.transaction(() => {
    const now = getPatient(db, kept.id);
    const goneUuids = [gone.id, ...(gone.uuid === null ? [] : [gone.uuid])].map(comparedIdentifier);
    const unalias = db.prepare("DELETE FROM patient_aliases WHERE uuid_nfc = ? AND patient_id = ?");
    for (const uuid of goneUuids) unalias.run(uuid, kept.id);
    writePatient(db, withoutFactsOf(now, kept, gone));
    if (findPatient(db, gone.id) === null) writePatient(db, gone);
    const owners = { keptId: kept.id, goneId: gone.id };
    const back = (table: string, key: string, keys: readonly string[]) =>
      db
        .prepare(
          `UPDATE ${table} SET patient_id = :goneId WHERE patient_id = :keptId AND ${key} IN (SELECT value FROM json_each(:keys))`,
        )
        .run({ ...owners, keys: JSON.stringify(keys) });
    back("films", "id", filmIds);
    back("dicom_patients", "uuid", dicomUuids);
    back("patient_aliases", "uuid_nfc", aliases);
    recordAudit(db, { action: "patient.unmerged", patientId: kept.id, subject: gone.id });
  });
  unmerge.immediate();
}

const facts = ["breed", "owner", ...(Object.keys(unknownFacts) as (keyof typeof unknownFacts)[])] as const;
const isUnknown = (value: unknown) => value === null || value === "";

/** The identifier is not among the facts: that of the gone patient stays as another one. */
function withFactsOf(kept: PatientRow, gone: PatientRow): PatientRow {
  const taken = facts.filter((name) => isUnknown(kept[name])).map((name) => [name, gone[name]]);
  return {
    ...kept,
    ...Object.fromEntries(taken),
    lastSeenAtMs: Math.max(kept.lastSeenAtMs, gone.lastSeenAtMs),
  };
}

/** What was taken over goes back, unless somebody has written something else since. */
function withoutFactsOf(now: PatientRow, kept: PatientRow, gone: PatientRow): PatientRow {
  const given = facts.filter((name) => isUnknown(kept[name]) && now[name] === gone[name]);
  return { ...now, ...Object.fromEntries(given.map((name) => [name, kept[name]])) };
}
