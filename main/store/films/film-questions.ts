import { expressionBuilder, sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { Tables } from "../tables.ts";

const film = expressionBuilder<Tables, "films">();

/** Subquery: number of a film's current version; `filmId` is the column with the film's id. */
export function lastVersionOf(filmId: string): RawBuilder<number> {
  return sql`(SELECT max(version) FROM readings AS other WHERE other.film_id = ${sql.ref(filmId)})`;
}

/** Expression: id of a film on the worklist, null for a removed one. */
export const listedFilmId = film.case().when("films.removedAtMs", "is", null).then(film.ref("films.id")).end();

/** A truth value out of a reading's JSON: 1 of SQLite, `true` of PostgreSQL. */
export const flagInJson = z.union([z.int(), z.string()]).transform((said) => said === 1 || said === "true");
