import type { Selectable } from "kysely";
import { z } from "zod";
import { AppError, because } from "../../../core/app-error.ts";
import type { Role } from "../../../core/people/roles.ts";
import { recordAudit } from "../audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "../connection.ts";
import { transaction, transactionOrConflict } from "../engines/engine.ts";
import type { Setting } from "../settings.ts";
import type { Tables } from "../tables.ts";

/** A user of the program; times are UTC [ms]. */
export type PersonRow = Readonly<Selectable<Tables["people"]>>;

const signingIn = z.object({
  isOn: z.boolean(),
  /** Idle time before the screen locks [min]. */
  lockAfterMinutes: z.int().min(1).max(480),
  /** Number of times that sign-in was turned on; earlier sessions are invalid. */
  turnedOn: z.int(),
});

export const peopleSetting: Setting<z.infer<typeof signingIn>> = {
  key: "people",
  schema: signingIn,
  fallback: { isOn: false, lockAfterMinutes: 10, turnedOn: 0 },
  audit: "settings.changed",
  unaudited: ["isOn", "turnedOn"],
};

/** By name, retired ones last. */
export async function listPeople(db: ReadableDb): Promise<readonly PersonRow[]> {
  const people = db.selectFrom("people").selectAll();
  return await people
    .orderBy((row) => row("retiredAtMs", "is not", null))
    .orderBy((row) => row.fn("lower", ["name"]))
    .execute();
}

/** Active or retired. @throws AppError NOT_FOUND */
export async function getPerson(db: ReadableDb, id: string): Promise<PersonRow> {
  const row = await db.selectFrom("people").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) throw new AppError("NOT_FOUND", because("personNotFound"));
  return row;
}

/** @throws AppError CONFLICT if the name is taken */
export async function addPerson(
  db: WritableDb,
  { id, name, role, secretHash }: Pick<PersonRow, "id" | "name" | "role" | "secretHash">,
  at: Date,
): Promise<void> {
  await transactionOrConflict(db, because("nameTaken"), async () => {
    await db.insertInto("people").values({ id, name, role, secretHash, createdAtMs: at.getTime() }).execute();
    await recordAudit(db, { action: "person.added", at, subject: id, detail: { name, role } });
  });
}

type PersonChanges = {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly isRetired?: boolean | undefined;
};

/**
 * @returns whether the user retired or returned
 * @throws AppError NOT_FOUND, CONFLICT if the name is taken or no administrator would be left
 */
export async function editPerson(db: WritableDb, id: string, changes: PersonChanges, at: Date): Promise<boolean> {
  return await transactionOrConflict(db, because("nameTaken"), async () => {
    const before = await getPerson(db, id);
    const hadAdministrator = await hasAdministrator(db);
    const wasRetired = before.retiredAtMs !== null;
    const { name = before.name, role = before.role, isRetired = wasRetired } = changes;
    const retiredAtMs = isRetired ? (before.retiredAtMs ?? at.getTime()) : null;
    await db
      .updateTable("people")
      .set({ name, role, retiredAtMs, wrongSecrets: 0, waitUntilMs: 0 })
      .where("id", "=", id)
      .execute();
    if (hadAdministrator && !(await hasAdministrator(db))) throw new AppError("CONFLICT", because("lastAdministrator"));
    if (name !== before.name || role !== before.role)
      await recordAudit(db, { action: "person.edited", at, subject: id, detail: { name, role, was: before.role } });
    if (isRetired !== wasRetired)
      await recordAudit(db, {
        action: isRetired ? "person.retired" : "person.returned",
        at,
        subject: id,
        detail: { name },
      });
    return isRetired !== wasRetired;
  });
}

/** @throws AppError NOT_FOUND */
export async function setSecretHash(db: WritableDb, id: string, secretHash: string, at: Date): Promise<void> {
  await transaction(db, async () => {
    const { name } = await getPerson(db, id);
    await db.updateTable("people").set({ secretHash, wrongSecrets: 0, waitUntilMs: 0 }).where("id", "=", id).execute();
    await recordAudit(db, { action: "person.secret_changed", at, subject: id, detail: { name } });
  });
}

export async function setWrongSecrets(
  db: WritableDb,
  id: string,
  wrongSecrets: number,
  waitUntilMs: number,
): Promise<void> {
  await db.updateTable("people").set({ wrongSecrets, waitUntilMs }).where("id", "=", id).execute();
}

export async function hasAdministrator(db: ReadableDb): Promise<boolean> {
  const administrators = db.selectFrom("people").select("id").where("role", "=", "administrator");
  return (await administrators.where("retiredAtMs", "is", null).executeTakeFirst()) !== undefined;
}
