import { z } from "zod";
import { AppError, because } from "../../core/app-error.ts";
import { roles } from "../../core/people/roles.ts";
import { recordAudit } from "./audit/audit-events.ts";
import { sqliteCodeOf, type ReadableDb, type WritableDb } from "./connection.ts";
import type { Setting } from "./settings.ts";

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** argon2id, PHC format. */
  secretHash: z.string(),
  createdAtMs: z.int(),
  retiredAtMs: z.int().nullable(),
  /** In a row. */
  wrongSecrets: z.int(),
  waitUntilMs: z.int(),
});

/** Somebody who uses the program; times are UTC [ms]. */
export type PersonRow = Readonly<z.infer<typeof rowSchema>>;

/** Whether people sign in, and after how long without anybody at the screen it locks [min]. */
export const peopleSetting: Setting<{ readonly isOn: boolean; readonly lockAfterMinutes: number }> = {
  key: "people",
  schema: z.object({ isOn: z.boolean(), lockAfterMinutes: z.int().min(1).max(480) }),
  fallback: { isOn: false, lockAfterMinutes: 10 },
  audit: "settings.changed",
  unaudited: ["isOn"],
};

const columns = `id, name, role, secret_hash AS secretHash, created_at_ms AS createdAtMs, retired_at_ms AS retiredAtMs,
  wrong_secrets AS wrongSecrets, wait_until_ms AS waitUntilMs`;

/** Everybody, by name; those who retired last. */
export function listPeople(db: ReadableDb): readonly PersonRow[] {
  const rows = db
    .prepare(`SELECT ${columns} FROM people ORDER BY retired_at_ms IS NOT NULL, name COLLATE NOCASE`)
    .all();
  return z.array(rowSchema).parse(rows);
}

/** A person, retired ones too. @throws AppError NOT_FOUND */
export function getPerson(db: ReadableDb, id: string): PersonRow {
  const row = db.prepare(`SELECT ${columns} FROM people WHERE id = ?`).get(id);
  if (row === undefined) throw new AppError("NOT_FOUND", because("personNotFound"));
  return rowSchema.parse(row);
}

/**
 * Adds a person.
 *
 * @throws AppError CONFLICT when somebody has the name
 */
export function addPerson(
  db: WritableDb,
  person: Pick<PersonRow, "id" | "name" | "role" | "secretHash">,
  at: Date,
): void {
  const add = db.transaction(() => {
    db.prepare(
      "INSERT INTO people (id, name, role, secret_hash, created_at_ms) VALUES (:id, :name, :role, :secretHash, :atMs)",
    ).run({ ...person, atMs: at.getTime() });
    const { id, name, role } = person;
    recordAudit(db, { action: "person.added", at, subject: id, detail: { name, role } });
  });
  withoutNamesake(() => add.immediate());
}

/**
 * Writes a person's name, role and whether they have retired.
 *
 * @throws AppError NOT_FOUND, CONFLICT when somebody has the name, or when no administrator would be left
 */
export function editPerson(
  db: WritableDb,
  { id, name, role, isRetired }: Pick<PersonRow, "id" | "name" | "role"> & { readonly isRetired: boolean },
  at: Date,
): void {
  const edit = db.transaction(() => {
    const before = getPerson(db, id);
    const hadAdministrator = hasAdministrator(db);
    const wasRetired = before.retiredAtMs !== null;
    const retiredAtMs = isRetired ? (before.retiredAtMs ?? at.getTime()) : null;
    db.prepare(
      "UPDATE people SET name = :name, role = :role, retired_at_ms = :retiredAtMs, wrong_secrets = 0, wait_until_ms = 0 WHERE id = :id",
    ).run({ id, name, role, retiredAtMs });
    if (hadAdministrator && !hasAdministrator(db)) throw new AppError("CONFLICT", because("lastAdministrator"));
    if (name !== before.name || role !== before.role)
      recordAudit(db, { action: "person.edited", at, subject: id, detail: { name, role, was: before.role } });
    if (isRetired !== wasRetired)
      recordAudit(db, { action: isRetired ? "person.retired" : "person.returned", at, subject: id, detail: { name } });
  });
  withoutNamesake(() => edit.immediate());
}

/** Gives a person another PIN or password. @throws AppError NOT_FOUND */
export function setSecretHash(db: WritableDb, id: string, secretHash: string, at: Date): void {
  const set = db.transaction(() => {
    const { name } = getPerson(db, id);
    db.prepare("UPDATE people SET secret_hash = ?, wrong_secrets = 0, wait_until_ms = 0 WHERE id = ?").run(
      secretHash,
      id,
    );
    recordAudit(db, { action: "person.secret_changed", at, subject: id, detail: { name } });
  });
  set.immediate();
}

/** Counts the wrong secrets of a person; 0 forgets them. */
export function setWrongSecrets(db: WritableDb, id: string, wrongSecrets: number, waitUntilMs: number): void {
  db.prepare("UPDATE people SET wrong_secrets = ?, wait_until_ms = ? WHERE id = ?").run(wrongSecrets, waitUntilMs, id);
}

/** Whether somebody can administer the program. */
export function hasAdministrator(db: ReadableDb): boolean {
  return db.prepare("SELECT 1 FROM people WHERE role = 'administrator' AND retired_at_ms IS NULL").get() !== undefined;
}

function withoutNamesake(write: () => void): void {
  try {
    write();
  } catch (cause) {
    if (sqliteCodeOf(cause) === "SQLITE_CONSTRAINT_UNIQUE")
      throw new AppError("CONFLICT", because("nameTaken"), { cause });
    throw cause;
  }
}
