import { sql } from "kysely";
import { z } from "zod";
import { confidenceTiers } from "../../../core/cardiac/confidence.ts";
import type { NetworkMeasureName } from "../../../core/cardiac/measures/measures.ts";
import { sampleFilms } from "../../../core/sample-study.ts";
import type { ReadableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import { flagInJson, lastVersionOf, listedFilmId } from "./film-questions.ts";
import { speciesSaid } from "./patients.ts";

const rowSchema = z.object({
  filmId: z.string().nullable(),
  atMs: z.int(),
  network: z.number(),
  person: z.number(),
  verdict: z.enum(["accepted", "corrected", "by_hand"]),
  tier: z.enum(confidenceTiers).nullable(),
  popDetected: flagInJson,
  species: z.enum(["dog", "cat"]).nullable(),
  packName: z.string().nullable(),
  packVersion: z.string().nullable(),
});

/** A film that a user has decided on after the networks measured it; values in vertebrae, unrounded. */
export type DecidedValues = Readonly<z.infer<typeof rowSchema>>;

/**
 * Lists every film with a value of the networks and a later one that a user has confirmed, oldest decision first,
 * without simulated films.
 */
export async function listDecidedValues(
  db: ReadableDb,
  measure: NetworkMeasureName,
): Promise<readonly DecidedValues[]> {
  return z.array(rowSchema).parse(await decidedValues(db, measure, null).execute());
}

/** Those of them that were decided last, oldest decision first. @param newest  at most so many */
export async function listNewestDecidedValues(
  db: ReadableDb,
  measure: NetworkMeasureName,
  newest: number,
): Promise<readonly DecidedValues[]> {
  // Not every decision follows a value of the networks: read more decisions until enough have one.
  for (let decisions = 4 * newest; decisions < mostDecisions; decisions *= 8) {
    const rows = await decidedValues(db, measure, decisions).execute();
    if (rows.length >= newest) return z.array(rowSchema).parse(rows.slice(-newest));
  }
  return (await listDecidedValues(db, measure)).slice(-newest);
}

/** From so many on, all are read in one go. */
const mostDecisions = 10_000;

/** @param newest  of so many decisions, the last ones; null for all */
function decidedValues(db: ReadableDb, measure: NetworkMeasureName, newest: number | null) {
  const detail = engineOf(db).readableJson("proposal.detail");
  const decisions = db
    .selectFrom("readings")
    .select(["id", "filmId", "version", "verdict", "atMs"])
    .where("verdict", "in", ["accepted", "corrected", "by_hand"]);
  return db
    .selectFrom((newest === null ? decisions : decisions.orderBy("atMs", "desc").limit(newest)).as("decided"))
    .innerJoin("films", "films.id", "decided.filmId")
    .leftJoin("patients", "patients.id", "films.patientId")
    .innerJoin("readings as proposal", (join) =>
      join.onRef("proposal.filmId", "=", "decided.filmId").on("proposal.version", "=", ({ selectFrom }) =>
        selectFrom("readings as own")
          .select(({ fn }) => fn.max("own.version").as("version"))
          .whereRef("own.filmId", "=", "decided.filmId")
          .where("own.source", "=", "model")
          .whereRef("own.version", "<", "decided.version"),
      ),
    )
    .innerJoin("readingValues as said", (join) =>
      join.onRef("said.readingId", "=", "proposal.id").on("said.measure", "=", measure),
    )
    .innerJoin("readingValues as meant", (join) =>
      join.onRef("meant.readingId", "=", "decided.id").on("meant.measure", "=", measure),
    )
    .select(["decided.atMs", "said.value as network", "meant.value as person", "decided.verdict", "proposal.tier"])
    .select([speciesSaid.as("species"), listedFilmId.as("filmId")])
    .select(sql`${detail} ->> 'popDetected'`.as("popDetected"))
    .select(sql`${detail} -> 'provenance' ->> 'packName'`.as("packName"))
    .select(sql`${detail} -> 'provenance' ->> 'packVersion'`.as("packVersion"))
    .where("films.sha256", "not in", sampleHashes)
    .where("decided.version", "=", lastVersionOf("films.id"))
    .orderBy("decided.atMs")
    .orderBy("films.rowid");
}

const sampleHashes = sampleFilms.map(({ sha256 }) => sha256);
