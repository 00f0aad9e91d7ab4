import { expressionBuilder, sql } from "kysely";
import { z } from "zod";
import type { ReadableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import { asSearched, containsTyped } from "../search/like-pattern.ts";
import type { Tables } from "../tables.ts";
import { filmColumns, filmRow, type FilmRow } from "./films.ts";
import { patientsFoundBy } from "./patients.ts";

export type FilmFilter = {
  readonly search: string;
  readonly standing?: keyof typeof standings | undefined;
  readonly takenFromMs?: number | undefined;
  readonly patientId?: string | undefined;
  readonly order?: keyof typeof orders;
  readonly limit: number;
  readonly offset: number;
};

const film = expressionBuilder<Tables, "films" | "patients">();
const readingsOfFilm = film.selectFrom("readings").whereRef("filmId", "=", "films.id");
const lastReading = readingsOfFilm.orderBy("version", "desc").limit(1);
const isSettled = film("state", "in", ["done", "cancelled"]);

const isDecided = film(lastReading.select("source"), "=", "person");

const standings = {
  waiting: film("state", "in", ["queued", "measuring"]),
  undecided: film.and([isSettled, film(lastReading.select("source"), "=", "model")]),
  decided: film.and([isSettled, isDecided]),
  /** With points that a user placed or accepted. */
  annotated: film.and([isDecided, film(lastReading.select("verdict"), "is distinct from", "rejected")]),
  failed: film("state", "=", "failed"),
  unmeasured: film.and([isSettled, film.not(film.exists(readingsOfFilm.select("version")))]),
} as const;

const asAdded = sql`added_at_ms DESC, place, films.rowid`;
const orders = {
  added: asAdded,
  takenNewest: sql`taken_at_ms DESC, ${asAdded}`,
  takenOldest: sql`taken_at_ms, ${asAdded}`,
  patient: sql`patients.name IS NULL, ${asSearched(sql`patients.name`)}, patients.id, taken_at_ms DESC, ${asAdded}`,
  // A decided film needs no review any more.
  tier: sql`CASE ${lastReading.select("tier")} WHEN 'review' THEN 0 WHEN 'good' THEN 1 WHEN 'optimal' THEN 2 ELSE 3 END, ${asAdded}`,
} as const;

/** Searches each text separately, so that indexes are used and patients are searched once, not once per film. */
function isFoundBy(db: ReadableDb, search: string) {
  const named = film
    .selectFrom("films as named")
    .select("named.id")
    .where(containsTyped(sql`named.file_name`, search));
  const numbered = film
    .selectFrom("dicomInstances")
    .select("filmId as id")
    .where(containsTyped(engineOf(db).patientNumber, search));
  const owned = film.selectFrom("films as owned").select("owned.id");
  return film(
    "films.id",
    "in",
    named.union(numbered).union(owned.where("owned.patientId", "in", patientsFoundBy(search))),
  );
}

/**
 * Searches file name, patient, owner, breed and numbers, ignoring case and accents. Films that were added together keep
 * their order.
 */
export async function listFilms(
  db: ReadableDb,
  filter: FilmFilter,
): Promise<{ readonly rows: readonly FilmRow[]; readonly total: number }> {
  const { search, standing, takenFromMs, patientId, order = "added", limit, offset } = filter;
  // Include only the filters in use, since each one is evaluated on every row.
  const conditions = [
    film("removedAtMs", "is", null),
    ...(search.trim() ? [isFoundBy(db, search)] : []),
    ...(takenFromMs === undefined ? [] : [film("takenAtMs", ">=", takenFromMs)]),
    ...(patientId ? [film("patientId", "=", patientId)] : []),
    ...(standing ? [standings[standing]] : []),
  ];
  const wanted = db
    .selectFrom("films")
    .leftJoin("patients", "patients.id", "films.patientId")
    .where(({ and }) => and(conditions));
  const page = wanted.select(filmColumns).orderBy(orders[order]).limit(limit).offset(offset);
  // Evaluate filters once, for both the page and the total.
  const isFiltered = conditions.length > 1;
  const found = await (isFiltered ? page.select(sql<number>`count(*) OVER ()`.as("total")) : page).execute();
  const rows = z.array(filmRow).parse(found);
  const [first] = found;
  if (first && "total" in first) return { rows, total: Number(first.total) };
  if (isFiltered && offset === 0 && limit > 0) return { rows, total: 0 };
  const { total } = await wanted.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { rows, total };
}
