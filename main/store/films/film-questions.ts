import { expressionBuilder, sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { Tables } from "../tables.ts";

const film = expressionBuilder<Tables, "films">();

/** Part of a question about films: number of the version that counts; `filmId` is the column that names the film. */
export function lastVersionOf(filmId: string): RawBuilder<number> {
  return sql`(SELECT max(version) FROM readings AS other WHERE other.film_id = ${sql.ref(filmId)})`;
}

/** Part of a question about films: the id of one on the worklist, null of one that was taken off. */
export const listedFilmId = film.case().when("films.removedAtMs", "is", null).then(film.ref("films.id")).end();

/** A truth value out of a reading's JSON: 1 of SQLite, `true` of PostgreSQL. */
export const flagInJson = z.union([z.int(), z.string()]).transform((said) => said === 1 || said === "true");
