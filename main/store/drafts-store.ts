import { rmSync } from "node:fs";
import path from "node:path";
import type { NotNull, Selectable } from "kysely";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { readAuditEvents } from "./audit/audit-events.ts";
import type { ReadableDb, WritableDb } from "./connection.ts";
import { openStore, startEmptyStore } from "./database.ts";
import { engineOf, sqliteFileOf, transaction } from "./engines/engine.ts";
import { filmColumns, filmRow, type FilmRow } from "./films/films.ts";
import { editedFields } from "./films/patients.ts";
import { moveAnchor } from "./ledger/record-anchor.ts";
import { backupsDir, draftsDir } from "./store-files.ts";
import type { Tables } from "./tables.ts";

/** What drafts begin with the next time, and who was let in to the page; it names nobody's patient. */
const keptTables: readonly string[] = ["migrations", "settings", "people", "page_sessions"];

type Trigger = { readonly name: string; readonly sql: string };

/**
 * Opens the drafts of a machine. Nobody is asked about damaged ones: they are set aside and started afresh, since the
 * practice's work does not wait for them. They are never encrypted, so that what is no database is damaged. No copy is
 * kept of what an older program left: it would outlive the hand-over.
 */
export async function openDrafts(dataDir: string, onDamage: (damage: string) => void): Promise<WritableDb> {
  const folder = draftsDir(dataDir);
  try {
    const db = await openStore(folder, { keepCopy: false, mayBeEncrypted: false });
    if (!(await holdsDrafts(db))) deleteCopies(folder);
    return db;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "STORE_DAMAGED") throw error;
    onDamage(error.message);
    await startEmptyStore(folder);
    return await openStore(folder);
  }
}

/** Whether anything is left of what was done on drafts: films, also removed ones, or patients. */
export async function holdsDrafts(db: ReadableDb): Promise<boolean> {
  for (const table of ["films", "patients"] as const)
    if ((await db.selectFrom(table).select("id").limit(1).executeTakeFirst()) !== undefined) return true;
  return false;
}

/**
 * Patients of whom somebody said something: all but those whom a DICOM film made and nobody has changed since. What films
 * teach, they teach in the practice, too.
 */
export async function enteredPatients(db: ReadableDb): Promise<readonly string[]> {
  const madeByFilm = db
    .selectFrom("dicomPatients")
    .innerJoin("patients as made", "made.id", "dicomPatients.patientId")
    .whereRef("made.uuid", "=", "dicomPatients.uuid")
    .select("made.id");
  const edited = db
    .selectFrom("auditEvents")
    .select("patientId")
    .where("action", "=", "patient.edited")
    .where("detail", "not like", '%"isLearned":true%')
    .$narrowType<{ patientId: NotNull }>();
  const entered = await db
    .selectFrom("patients")
    .select("id")
    .where(({ eb, or }) => or([eb("id", "not in", madeByFilm), eb("id", "in", edited)]))
    .execute();
  return entered.map(({ id }) => id);
}

/** Which fields of a patient were changed after it was there. */
export async function editedFieldsOf(
  db: ReadableDb,
  patientId: string,
): Promise<readonly (typeof editedFields)[number][]> {
  const changed = new Set<string>();
  for await (const { detail } of readAuditEvents(db, { actions: ["patient.edited"], patientId }))
    for (const name of detail["isLearned"] ? [] : String(detail["changed"]).split(", ")) changed.add(name);
  return editedFields.filter((name) => changed.has(name));
}

/** A setting as the table holds it. */
type StoredSetting = Readonly<Selectable<Tables["settings"]>>;

/** Settings by how their keys begin. */
export async function listStoredSettings(db: ReadableDb, beginning: string): Promise<readonly StoredSetting[]> {
  const all = await db.selectFrom("settings").selectAll().orderBy("key").execute();
  return all.filter(({ key }) => key.startsWith(beginning));
}

/** Forgets a setting, unless it has another value than when it was read. */
export async function forgetStoredSetting(db: WritableDb, { key, value }: StoredSetting): Promise<void> {
  await db.deleteFrom("settings").where("key", "=", key).where("value", "=", value).execute();
}

/** Films that were taken off the list after a person had read them, the first added first. */
export async function removedFilmsWithReadings(db: ReadableDb): Promise<readonly FilmRow[]> {
  const read = db.selectFrom("readings").select("filmId").where("source", "=", "person");
  const films = db.selectFrom("films").where("removedAtMs", "is not", null).where("id", "in", read);
  return z.array(filmRow).parse(await films.select(filmColumns).orderBy("addedAtMs").execute());
}

/**
 * Empties the drafts of a machine once the practice has them: there the record goes on, is sealed and can be erased; a
 * second copy here would outlive an erasure. No byte of it stays in the store's files, nor in copies of them. Damaged
 * drafts that were set aside stay: the practice may have none of what is in them.
 */
export async function emptyDrafts(db: WritableDb): Promise<void> {
  const file = sqliteFileOf(db);
  await transaction(db, async () => {
    file.pragma("defer_foreign_keys = ON");
    // They keep the record of a practice from being changed; this is none any more.
    const triggers = file.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as Trigger[];
    for (const { name } of triggers) file.exec(`DROP TRIGGER ${name}`);
    const tables = file
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .pluck()
      .all() as string[];
    for (const name of tables.filter((name) => !keptTables.includes(name))) file.exec(`DELETE FROM ${name}`);
    // Numbers begin anew, or the next verification would miss the rows before them.
    file.exec("DELETE FROM sqlite_sequence");
    for (const { sql } of triggers) file.exec(sql);
    const engine = engineOf(db);
    await engine.forgetDeleted();
    await engine.driver.afterCommit(() => moveAnchor(db));
  });
  deleteCopies(path.dirname(file.name));
}

/** Earlier versions copied drafts before they changed their schema. */
function deleteCopies(folder: string): void {
  rmSync(backupsDir(folder), { recursive: true, force: true });
}
