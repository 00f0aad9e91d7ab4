import { expressionBuilder, sql, type RawBuilder } from "kysely";
import type { Tables } from "../tables.ts";

const film = expressionBuilder<Tables, "films">();

/** Subquery for the number of a film's current version. @param filmId  column with the film's id */
export function lastVersionOf(filmId: string): RawBuilder<number> {
  return sql`(SELECT max(version) FROM readings AS other WHERE other.film_id = ${sql.ref(filmId)})`;
}

/** Expression for the id of a film on the worklist; null for a removed one. */
export const listedFilmId = film.case().when("films.removedAtMs", "is", null).then(film.ref("films.id")).end();

/** Expression for a flag of a JSON document, which SQLite reads as 1 and PostgreSQL as `true`: 1 if set, else 0. */
export function flagIn(json: RawBuilder<unknown>, name: string): RawBuilder<number> {
  return sql`CASE WHEN CAST(${json} ->> ${sql.lit(name)} AS text) IN ('1', 'true') THEN 1 ELSE 0 END`;
}
