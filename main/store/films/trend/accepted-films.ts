import { sql } from "kysely";
import { z } from "zod";
import { sampleFilms } from "../../../../core/sample-study.ts";
import type { ReadableDb } from "../../connection.ts";
import { engineOf } from "../../engines/engine.ts";
import { lastVersionOf } from "../film-expressions.ts";

const rowSchema = z.object({
  filmId: z.string(),
  patientId: z.string(),
  sha256: z.string(),
  atMs: z.int(),
  vhs: z.number().nullable(),
  vlas: z.number().nullable(),
  packName: z.string().nullable(),
  packVersion: z.string().nullable(),
});

/**
 * Lists the films of all patients whose network reading a user has accepted, by patient and time, without simulated
 * films. Values [v] are unrounded.
 *
 * @param newest  maximum number, the most recently accepted first to count
 */
export async function listAcceptedFilms(
  db: ReadableDb,
  newest: number,
): Promise<readonly Readonly<z.infer<typeof rowSchema>>[]> {
  const accepted = db
    .selectFrom("readings")
    .select(["id", "filmId", "version", "detail"])
    .where("verdict", "=", "accepted")
    // An accepted correction has the points of a user and no result code.
    .where("resultCode", "is not", null)
    .orderBy("atMs", "desc")
    .limit(newest);
  const detail = engineOf(db).readableJson("accepted.detail");
  const rows = await db
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
    .select(sql`${detail} -> 'provenance' ->> 'packName'`.as("packName"))
    .select(sql`${detail} -> 'provenance' ->> 'packVersion'`.as("packVersion"))
    .where("patientId", "is not", null)
    .where("films.removedAtMs", "is", null)
    .where(
      "sha256",
      "not in",
      sampleFilms.map(({ sha256 }) => sha256),
    )
    .where("accepted.version", "=", lastVersionOf("films.id"))
    .orderBy("patientId")
    .orderBy("takenAtMs")
    .orderBy("films.rowid")
    .execute();
  return z.array(rowSchema).parse(rows);
}
