import { sql, type NotNull } from "kysely";
import { sampleHashes } from "../../../../core/sample-study.ts";
import type { ReadableDb } from "../../connection.ts";
import { engineOf } from "../../engines/engine.ts";
import { lastVersionOf } from "../film-expressions.ts";

/**
 * Lists films whose network reading a user has accepted, by patient and time, without simulated ones. Values [v]
 * unrounded.
 *
 * @param newest  maximum number, the most recently accepted first to count
 */
export async function listAcceptedFilms(db: ReadableDb, newest: number) {
  const accepted = db
    .selectFrom("readings")
    .select(["id", "filmId", "version", "detail"])
    .where("verdict", "=", "accepted")
    // An accepted correction has the points of a user and no result code.
    .where("resultCode", "is not", null)
    .orderBy("atMs", "desc")
    .limit(newest);
  const detail = engineOf(db).readableJson("accepted.detail");
  return await db
    .selectFrom(accepted.as("accepted"))
    .innerJoin("films", "films.id", "accepted.filmId")
    .leftJoin("readingValues as vhs", (join) =>
      join.onRef("vhs.readingId", "=", "accepted.id").on("vhs.measure", "=", "vhs"),
    )
    .leftJoin("readingValues as vlas", (join) =>
      join.onRef("vlas.readingId", "=", "accepted.id").on("vlas.measure", "=", "vlas"),
    )
    .select(["films.id as filmId", "patientId", "sha256", "takenAtMs as atMs"])
    .select(["vhs.value as vhs", "vlas.value as vlas"])
    .select(sql<string | null>`${detail} -> 'provenance' ->> 'packName'`.as("packName"))
    .select(sql<string | null>`${detail} -> 'provenance' ->> 'packVersion'`.as("packVersion"))
    .where("patientId", "is not", null)
    .where("films.removedAtMs", "is", null)
    .where("sha256", "not in", sampleHashes)
    .where("accepted.version", "=", lastVersionOf("films.id"))
    .orderBy("patientId")
    .orderBy("takenAtMs")
    .orderBy("films.rowid")
    .$narrowType<{ patientId: NotNull }>()
    .execute();
}
