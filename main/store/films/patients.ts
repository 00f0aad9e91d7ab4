import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import { sqliteCodeOf, type ReadableDb, type WritableDb } from "../connection.ts";
import { recordAudit } from "../audit/audit-events.ts";
import { likePattern, searchedFunction } from "../like-pattern.ts";

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  species: z.enum(["dog", "cat"]),
  breed: z.string(),
  owner: z.string(),
  uuid: z.string().nullable(),
  microchip: z.string().nullable(),
  sex: z.enum(["male", "female"]).nullable(),
  isNeutered: z
    .union([z.literal(0), z.literal(1)])
    .transform(Boolean)
    .nullable(),
  birthDate: z.string().nullable(),
  weightKg: z.number().nullable(),
  createdAtMs: z.int(),
  lastSeenAtMs: z.int(),
});

/** An animal as stored; times in ms UTC, the date of birth as a calendar day. */
export type PatientRow = Readonly<z.infer<typeof rowSchema>>;

/** What a practice may know of an animal and often does not. */
export const unknownFacts = { microchip: null, sex: null, isNeutered: null, birthDate: null, weightKg: null };

/** A patient to be written; facts that are left out are unknown. */
export type WrittenPatient = Omit<PatientRow, keyof typeof unknownFacts> &
  Partial<Pick<PatientRow, keyof typeof unknownFacts>>;

const columns = `id, name, species, breed, owner, uuid, microchip, sex, is_neutered AS isNeutered, birth_date AS birthDate, weight_kg AS weightKg,
  created_at_ms AS createdAtMs, last_seen_at_ms AS lastSeenAtMs`;

/**
 * SQL of everything that a patient is found by, the ids of its DICOM files included; NULL where there is no patient.
 */
export const searchedPatient = `patients.name || char(10) || patients.owner || char(10) || patients.breed || char(10) || coalesce(patients.uuid, '')
  || char(10) || coalesce(patients.microchip, '')
  || char(10) || coalesce((SELECT group_concat(number, char(10)) FROM dicom_patients WHERE patient_id = patients.id), '')`;
const matches = `(:like = '%%' OR ${searchedFunction}(${searchedPatient}) LIKE :like ESCAPE '\\')`;

/**
 * Patients whose name, owner, breed, uuid, microchip or DICOM patient id contains the text, whatever its case and
 * accents, last seen first; with the number of all that match.
 */
export function listPatients(
  db: ReadableDb,
  args: { readonly search: string; readonly limit: number; readonly offset: number },
): { readonly rows: readonly PatientRow[]; readonly total: number } {
  const like = likePattern(args.search);
  const rows = db.prepare(
    `SELECT ${columns} FROM patients WHERE ${matches} ORDER BY last_seen_at_ms DESC, id LIMIT :limit OFFSET :offset`,
  );
  const count = db.prepare(`SELECT count(*) FROM patients WHERE ${matches}`).pluck();
  return {
    rows: z.array(rowSchema).parse(rows.all({ like, limit: args.limit, offset: args.offset })),
    total: z.int().parse(count.get({ like })),
  };
}

/** A patient, null when there is none of that id. */
export function findPatient(db: ReadableDb, id: string): PatientRow | null {
  const row = db.prepare(`SELECT ${columns} FROM patients WHERE id = ?`).get(id);
  return row === undefined ? null : rowSchema.parse(row);
}

/** The patient with a practice's identifier, its own or that of one it was merged with; null when there is none. */
export function findPatientByUuid(db: ReadableDb, uuid: string): PatientRow | null {
  const row = db
    .prepare(
      `SELECT ${columns} FROM patients WHERE uuid_nfc = :uuid OR id = (SELECT patient_id FROM patient_aliases WHERE uuid_nfc = :uuid)`,
    )
    .get({ uuid: comparedIdentifier(uuid) });
  return row === undefined ? null : rowSchema.parse(row);
}

/** @throws AppError NOT_FOUND */
export function getPatient(db: ReadableDb, id: string): PatientRow {
  const patient = findPatient(db, id);
  if (patient === null) throw new AppError("NOT_FOUND", because("patientNotFound"));
  return patient;
}

/**
 * What the practice calls a patient by: its identifier, or the DICOM patient id that the identifier only stands for;
 * null where it has neither.
 */
export function numberOfPatient(db: ReadableDb, { id, uuid }: Pick<PatientRow, "id" | "uuid">): string | null {
  const numbers = z
    .array(z.string())
    .parse(
      db
        .prepare(
          "SELECT number FROM dicom_patients WHERE patient_id = :id AND number IS NOT NULL AND (:uuid IS NULL OR uuid = :uuid)",
        )
        .pluck()
        .all({ id, uuid }),
    );
  return numbers[0] ?? uuid;
}

/**
 * Adds a patient or writes the changed one.
 *
 * @throws AppError CONFLICT when another patient has the uuid
 */
export function savePatient(db: WritableDb, written: WrittenPatient): PatientRow {
  const row: PatientRow = { ...unknownFacts, ...written };
  const save = db.transaction(() => {
    const other = row.uuid === null ? null : findPatientByUuid(db, row.uuid);
    if (other !== null && other.id !== row.id) throw new AppError("CONFLICT", because("uuidTaken"));
    const before = findPatient(db, row.id);
    writePatient(db, row);
    const changed = editedFields.filter((name) => before?.[name] !== row[name]);
    if (before === null) recordAudit(db, { action: "patient.created", patientId: row.id });
    else if (changed.length > 0)
      recordAudit(db, { action: "patient.edited", patientId: row.id, detail: { changed: changed.join(", ") } });
  });
  try {
    save.immediate();
  } catch (cause) {
    if (sqliteCodeOf(cause) === "SQLITE_CONSTRAINT_UNIQUE")
      throw new AppError("CONFLICT", because("uuidTaken"), { cause });
    throw cause;
  }
  return row;
}

const facts = Object.keys(unknownFacts) as (keyof typeof unknownFacts)[];
const editedFields = ["name", "species", "breed", "owner", "uuid", ...facts] as const;

/** Writes a patient's row as it is, without a word in the audit trail: the caller says what was done. */
export function writePatient(db: WritableDb, row: PatientRow): void {
  db.prepare(
    `INSERT INTO patients (id, name, species, breed, owner, uuid, uuid_nfc, microchip, sex, is_neutered, birth_date, weight_kg, created_at_ms, last_seen_at_ms)
     VALUES (:id, :name, :species, :breed, :owner, :uuid, :comparedUuid, :microchip, :sex, :isNeutered, :birthDate, :weightKg, :createdAtMs, :lastSeenAtMs)
     ON CONFLICT (id) DO UPDATE SET name = :name, species = :species, breed = :breed, owner = :owner, uuid = :uuid, uuid_nfc = :comparedUuid,
       microchip = :microchip, sex = :sex, is_neutered = :isNeutered, birth_date = :birthDate, weight_kg = :weightKg, last_seen_at_ms = :lastSeenAtMs`,
  ).run({
    ...row,
    comparedUuid: comparedIdentifier(row.uuid),
    isNeutered: row.isNeutered === null ? null : Number(row.isNeutered),
  });
}

/** Brings a patient to the top of those seen last. */
export function markPatientSeen(db: WritableDb, id: string, atMs: number): void {
  db.prepare("UPDATE patients SET last_seen_at_ms = max(last_seen_at_ms, :atMs) WHERE id = :id").run({ id, atMs });
}
