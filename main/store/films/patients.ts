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
  createdAtMs: z.int(),
  lastSeenAtMs: z.int(),
});

/** An animal as stored; times in ms UTC. */
export type PatientRow = Readonly<z.infer<typeof rowSchema>>;

const columns = "id, name, species, breed, owner, uuid, created_at_ms AS createdAtMs, last_seen_at_ms AS lastSeenAtMs";
const matches = `${searchedFunction}(name || char(10) || owner || char(10) || breed || char(10) || coalesce(uuid, '')) LIKE :like ESCAPE '\\'`;

/**
 * Patients whose name, owner, breed or uuid contains the text, whatever its case and accents, last seen first; with the
 * number of all that match.
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

/** The patient with a practice's identifier, null when there is none. */
export function findPatientByUuid(db: ReadableDb, uuid: string): PatientRow | null {
  const row = db.prepare(`SELECT ${columns} FROM patients WHERE uuid_nfc = ?`).get(comparedIdentifier(uuid));
  return row === undefined ? null : rowSchema.parse(row);
}

/** @throws AppError NOT_FOUND */
export function getPatient(db: ReadableDb, id: string): PatientRow {
  const patient = findPatient(db, id);
  if (patient === null) throw new AppError("NOT_FOUND", because("patientNotFound"));
  return patient;
}

/**
 * Adds a patient or writes the changed one.
 *
 * @throws AppError CONFLICT when another patient has the uuid
 */
export function savePatient(db: WritableDb, row: PatientRow): PatientRow {
  const statement = db.prepare(
    `INSERT INTO patients (id, name, species, breed, owner, uuid, uuid_nfc, created_at_ms, last_seen_at_ms)
     VALUES (:id, :name, :species, :breed, :owner, :uuid, :comparedUuid, :createdAtMs, :lastSeenAtMs)
     ON CONFLICT (id) DO UPDATE SET name = :name, species = :species, breed = :breed, owner = :owner, uuid = :uuid, uuid_nfc = :comparedUuid,
       last_seen_at_ms = :lastSeenAtMs`,
  );
  const save = db.transaction(() => {
    const other = row.uuid === null ? null : findPatientByUuid(db, row.uuid);
    if (other !== null && other.id !== row.id) throw new AppError("CONFLICT", because("uuidTaken"));
    const before = findPatient(db, row.id);
    statement.run({ ...row, comparedUuid: comparedIdentifier(row.uuid) });
    const changed = (["name", "species", "breed", "owner", "uuid"] as const).filter(
      (name) => before?.[name] !== row[name],
    );
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

/** Brings a patient to the top of those seen last. */
export function markPatientSeen(db: WritableDb, id: string, atMs: number): void {
  db.prepare("UPDATE patients SET last_seen_at_ms = max(last_seen_at_ms, :atMs) WHERE id = :id").run({ id, atMs });
}
