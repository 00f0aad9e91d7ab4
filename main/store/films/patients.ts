import { expressionBuilder, sql, type Expression, type RawBuilder, type SqlBool } from "kysely";
import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import { comparedIdentifier } from "../../../core/identifiers.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { recordAudit } from "../audit/audit-events.ts";
import { transactionOrConflict } from "../engines/engine.ts";
import { containsNumber, containsTyped } from "../search/like-pattern.ts";
import type { Tables } from "../tables.ts";

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  species: z.enum(["dog", "cat"]).nullable(),
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

export const patientJson = rowSchema.extend({ isNeutered: z.boolean().nullable() });

/** A stored patient; times in UTC [ms], the date of birth as a calendar day. */
export type PatientRow = Readonly<z.infer<typeof rowSchema>>;

export const unknownFacts = { microchip: null, sex: null, isNeutered: null, birthDate: null, weightKg: null };

/** A patient to be written; facts left out are unknown. */
export type WrittenPatient = Omit<PatientRow, keyof typeof unknownFacts> &
  Partial<Pick<PatientRow, keyof typeof unknownFacts>>;

const columns = Object.keys(rowSchema.shape) as (keyof PatientRow)[];

const newline = sql.lit("\n");

function linesOf(...texts: readonly Expression<unknown>[]): RawBuilder<string | null> {
  return sql.join([...texts], sql` || ${newline} || `);
}

const patient = expressionBuilder<Tables, never>();

/** Searched texts of a patient. Must match an index of PostgreSQL. */
const searchedPatient = linesOf(
  sql`patients.name`,
  sql`patients.owner`,
  sql`patients.breed`,
  sql`coalesce(patients.uuid, '')`,
  sql`coalesce(patients.microchip, '')`,
);

/** Searches Patient IDs and former identifiers, too, and ignores how digits of numbers are grouped. */
export function patientsFoundBy(search: string) {
  const contains = (text: RawBuilder<unknown>) =>
    hasDigit.test(search)
      ? sql<SqlBool>`(${containsTyped(text, search)} OR ${containsNumber(text, search)})`
      : containsTyped(text, search);
  return patient
    .selectFrom("patients")
    .select("patients.id")
    .where(contains(searchedPatient))
    .union(
      patient
        .selectFrom("dicomPatients")
        .select("patientId as id")
        .where(contains(sql`number`)),
    )
    .union(
      patient
        .selectFrom("patientAliases")
        .select("patientId as id")
        .where(contains(sql`patient_aliases.uuid`)),
    );
}

const hasDigit = /\d/;

/** `canBe`: only patients of this species or of unknown species. */
export type PatientQuery = {
  readonly search: string;
  readonly canBe?: PatientRow["species"];
  readonly limit: number;
  readonly offset: number;
};

/** Ignores case and accents; last seen first. */
export async function listPatients(
  db: ReadableDb,
  { search, canBe = null, limit, offset }: PatientQuery,
): Promise<{ readonly rows: readonly PatientRow[]; readonly total: number }> {
  const all = db.selectFrom("patients");
  const patients =
    canBe === null ? all : all.where(({ eb, or }) => or([eb("species", "=", canBe), eb("species", "is", null)]));
  const found = search.trim() === "" ? patients : patients.where("patients.id", "in", patientsFoundBy(search));
  const page = found.select(columns).orderBy("lastSeenAtMs", "desc").orderBy("id").limit(limit).offset(offset);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { rows: z.array(rowSchema).parse(await page.execute()), total };
}

export async function findPatient(db: ReadableDb, id: string): Promise<PatientRow | null> {
  return (await findPatients(db, [id])).get(id) ?? null;
}

export async function findPatients(db: ReadableDb, ids: readonly string[]): Promise<ReadonlyMap<string, PatientRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("patients").select(columns).where("id", "in", ids).execute();
  return new Map(
    z
      .array(rowSchema)
      .parse(rows)
      .map((row) => [row.id, row]),
  );
}

/** Includes patients into which one with this identifier was merged. */
export async function findPatientByUuid(db: ReadableDb, uuid: string): Promise<PatientRow | null> {
  const compared = comparedIdentifier(uuid);
  const row = await db
    .selectFrom("patients")
    .select(columns)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb("uuidNfc", "=", compared),
        eb("id", "=", selectFrom("patientAliases").select("patientId").where("patientAliases.uuidNfc", "=", compared)),
      ]),
    )
    .executeTakeFirst();
  return row ? rowSchema.parse(row) : null;
}

/** @throws AppError NOT_FOUND */
export async function getPatient(db: ReadableDb, id: string): Promise<PatientRow> {
  const patient = await findPatient(db, id);
  if (patient === null) throw new AppError("NOT_FOUND", because("patientNotFound"));
  return patient;
}

/** The identifier, or the DICOM patient id from which it is derived; null without either. */
export async function numberOfPatient(
  db: ReadableDb,
  patient: Pick<PatientRow, "id" | "uuid">,
): Promise<string | null> {
  return (await numbersOfPatients(db, [patient])).get(patient.id) ?? null;
}

/** By patient id. @see numberOfPatient */
export async function numbersOfPatients(
  db: ReadableDb,
  patients: readonly Pick<PatientRow, "id" | "uuid">[],
): Promise<ReadonlyMap<string, string | null>> {
  if (patients.length === 0) return new Map();
  const ids = patients.map(({ id }) => id);
  const numbers = await db
    .selectFrom("dicomPatients")
    .select(["patientId", "uuid", "number"])
    .where("patientId", "in", ids)
    .where("number", "is not", null)
    .orderBy("uuid")
    .execute();
  const ofPatient = Map.groupBy(numbers, ({ patientId }) => patientId);
  return new Map(
    patients.map(({ id, uuid }) => {
      const own = ofPatient.get(id)?.find((each) => uuid === null || each.uuid === uuid);
      return [id, own?.number ?? uuid];
    }),
  );
}

/** @throws AppError CONFLICT if another patient has the uuid */
export async function savePatient(db: WritableDb, written: WrittenPatient): Promise<PatientRow> {
  const row: PatientRow = { ...unknownFacts, ...written };
  await transactionOrConflict(db, because("uuidTaken"), async () => {
    const other = row.uuid === null ? null : await findPatientByUuid(db, row.uuid);
    if (other !== null && other.id !== row.id) throw new AppError("CONFLICT", because("uuidTaken"));
    const before = await findPatient(db, row.id);
    await writePatient(db, row);
    const changed = editedFields.filter((name) => before?.[name] !== row[name]);
    if (before === null) await recordAudit(db, { action: "patient.created", patientId: row.id });
    else if (changed.length > 0)
      await recordAudit(db, { action: "patient.edited", patientId: row.id, detail: { changed: changed.join(", ") } });
  });
  return row;
}

const facts = Object.keys(unknownFacts) as (keyof typeof unknownFacts)[];
/** The audit trail names changed ones. */
const editedFields = ["name", "species", "breed", "owner", "uuid", ...facts] as const;

/** The caller records the audit event. */
export async function writePatient(db: WritableDb, row: PatientRow): Promise<void> {
  const { id, name, species, breed, owner, uuid, microchip, sex, birthDate, weightKg, createdAtMs, lastSeenAtMs } = row;
  const uuidNfc = comparedIdentifier(uuid);
  const isNeutered = row.isNeutered === null ? null : Number(row.isNeutered);
  const known = { microchip, sex, isNeutered, birthDate, weightKg };
  const written = { name, species, breed, owner, uuid, uuidNfc, ...known, lastSeenAtMs };
  await db
    .insertInto("patients")
    .values({ id, createdAtMs, ...written })
    .onConflict((former) => former.column("id").doUpdateSet(written))
    .execute();
}

export async function markPatientSeen(db: WritableDb, id: string, atMs: number): Promise<void> {
  await db
    .updateTable("patients")
    .set({ lastSeenAtMs: atMs })
    .where("id", "=", id)
    .where("lastSeenAtMs", "<", atMs)
    .execute();
}
