import { z } from "zod";
import type { ReadableDb } from "../connection.ts";
import { likePattern, searchedFunction } from "../like-pattern.ts";
import { filmColumns, filmRow, type FilmRow } from "./films.ts";
import { searchedPatient } from "./patients.ts";

/** Which films of the worklist to list, and in which order. */
export type FilmFilter = {
  readonly search: string;
  readonly state?: FilmRow["state"] | undefined;
  readonly standing?: keyof typeof standings | undefined;
  /** How closely the networks agree, whatever a person has said since. */
  readonly tier?: "optimal" | "good" | "review" | undefined;
  readonly takenFromMs?: number | undefined;
  readonly patientId?: string | undefined;
  readonly order?: keyof typeof orders;
  readonly limit: number;
  readonly offset: number;
};

const counting = (column: string) =>
  `(SELECT ${column} FROM readings WHERE film_id = films.id ORDER BY version DESC LIMIT 1)`;
const isMeasured = "EXISTS (SELECT 1 FROM readings WHERE film_id = films.id)";
const isSettled = "state IN ('done', 'cancelled')";

const standings = {
  waiting: "state IN ('queued', 'measuring')",
  undecided: `${isSettled} AND ${counting("source")} = 'model'`,
  decided: `${isSettled} AND ${counting("source")} = 'person'`,
  failed: "state = 'failed'",
  unmeasured: `${isSettled} AND NOT ${isMeasured}`,
} as const;

const asAdded = "added_at_ms DESC, place, films.rowid";
const orders = {
  added: asAdded,
  takenNewest: `taken_at_ms DESC, ${asAdded}`,
  takenOldest: `taken_at_ms, ${asAdded}`,
  patient: `patients.name IS NULL, ${searchedFunction}(patients.name), patients.id, taken_at_ms DESC, ${asAdded}`,
  // What a person has decided need not be reviewed any more.
  tier: `CASE ${counting("tier")} WHEN 'review' THEN 0 WHEN 'good' THEN 1 WHEN 'optimal' THEN 2 ELSE 3 END, ${asAdded}`,
} as const;

/**
 * Films on the worklist with the number of all that match; the text is looked for in file name, patient, owner, breed
 * and numbers, whatever its case and accents. Newest first where no order is named, films that were added together in
 * their own order.
 */
export function listFilms(
  db: ReadableDb,
  filter: FilmFilter,
): { readonly rows: readonly FilmRow[]; readonly total: number } {
  const { state, standing, tier, takenFromMs, patientId, order = "added", limit, offset } = filter;
  const wanted = {
    ...(filter.search.trim() && { like: likePattern(filter.search) }),
    ...(state && { state }),
    ...(tier && { tier }),
    ...(takenFromMs !== undefined && { takenFromMs }),
    ...(patientId && { patientId }),
  };
  // Only what is asked for stands in the question: each filter that is absent would cost every row something.
  const conditions = [
    "removed_at_ms IS NULL",
    ...Object.keys(wanted).map((name) => conditionOf[name as keyof typeof wanted]),
    ...(standing ? [standings[standing]] : []),
  ];
  const from = `films LEFT JOIN patients ON patients.id = films.patient_id WHERE ${conditions.join(" AND ")}`;
  const rows = db.prepare(`SELECT ${filmColumns} FROM ${from} ORDER BY ${orders[order]} LIMIT :limit OFFSET :offset`);
  const count = db.prepare(`SELECT count(*) FROM ${from}`).pluck();
  return {
    rows: z.array(filmRow).parse(rows.all({ ...wanted, limit, offset })),
    total: z.int().parse(count.get(wanted)),
  };
}

const conditionOf = {
  like: `${searchedFunction}(file_name || char(10) || coalesce(${searchedPatient}, '') || char(10)
    || coalesce((SELECT json_extract(facts, '$.patient.id') FROM dicom_instances WHERE film_id = films.id), '')) LIKE :like ESCAPE '\\'`,
  state: "state = :state",
  tier: "(SELECT tier FROM readings WHERE film_id = films.id AND source = 'model' ORDER BY version DESC LIMIT 1) = :tier",
  takenFromMs: "taken_at_ms >= :takenFromMs",
  patientId: "patient_id = :patientId",
} as const;
