import { expressionBuilder, sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { Tables } from "../tables.ts";

const film = expressionBuilder<Tables, "films">();

/** Subquery for the number of a film's current version. @param filmId  column with the film's id */
export function lastVersionOf(filmId: string): RawBuilder<number> {
  return sql`(SELECT max(version) FROM readings AS other WHERE other.film_id = ${sql.ref(filmId)})`;
}

/** Expression for the id of a film on the worklist; null for a removed one. */
export const listedFilmId = film.case().when("films.removedAtMs", "is", null).then(film.ref("films.id")).end();

/** A boolean in a reading's JSON, which SQLite returns as 1 and PostgreSQL as `true`. */
export const flagInJson = z.union([z.int(), z.string()]).transform((said) => said === 1 || said === "true");
