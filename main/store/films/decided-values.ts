import { sql } from "kysely";
import { z } from "zod";
import { confidenceTiers } from "../../../core/cardiac/confidence.ts";
import type { NetworkMeasureName } from "../../../core/cardiac/measures/measures.ts";
import { sampleHashes } from "../../../core/sample-study.ts";
import type { ReadableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import { flagInJson, lastVersionOf, listedFilmId } from "./film-expressions.ts";

/** Verdicts with which a user determines a film's values. */
const decidingVerdicts = ["accepted", "corrected", "by_hand"] as const;

const rowSchema = z.object({
  filmId: z.string().nullable(),
  atMs: z.int(),
  /** User who signed the reading. */
  who: z.string().nullable(),
  network: z.number(),
  person: z.number(),
  verdict: z.enum(decidingVerdicts),
  /** Film of the decision, even if it was removed from the worklist. */
  ofFilm: z.string(),
  version: z.int(),
  /** Whether the reading is the film's last one. */
  isLast: flagInJson,
  /** Last version of the networks before the decision; null for points placed before the film was measured. */
  versionBefore: z.int().nullable(),
  /** Whether the networks' marks were hidden until the points were placed. */
  isBlind: flagInJson,
  tier: z.enum(confidenceTiers).nullable(),
  species: z.enum(["dog", "cat"]).nullable(),
  packName: z.string().nullable(),
  packVersion: z.string().nullable(),
});

/** A film with values of the networks and of a user; values in vertebrae, unrounded. */
export type DecidedValues = Readonly<
  Omit<z.infer<typeof rowSchema>, "ofFilm" | "version" | "versionBefore" | "isLast">
> & {
  /** The user placed the points without the networks' result. */
  readonly isIndependent: boolean;
};

/**
 * Lists every film with a value of the networks and one of a user, oldest decision first, without simulated films. Each
 * film is represented by its last independent reading, else by its last decision.
 */
export async function listDecidedValues(
  db: ReadableDb,
  measure: NetworkMeasureName,
): Promise<readonly DecidedValues[]> {
  return onePerFilm(await decidedValues(db, measure, decidingVerdicts, null).execute());
}

/** Lists the latest independent ones of these, oldest decision first. @param newest  maximum number */
export async function listNewestIndependentValues(
  db: ReadableDb,
  measure: NetworkMeasureName,
  newest: number,
): Promise<readonly DecidedValues[]> {
  // Not every film measured by hand has a value of the networks, so read more until enough have one.
  for (let decisions = 4 * newest; decisions < maxDecisions; decisions *= 8) {
    const rows = independentOf(await decidedValues(db, measure, ["by_hand"], decisions).execute());
    if (rows.length >= newest) return rows.slice(-newest);
  }
  return independentOf(await decidedValues(db, measure, ["by_hand"], null).execute()).slice(-newest);
}

function independentOf(found: readonly unknown[]): readonly DecidedValues[] {
  return onePerFilm(found).filter(({ isIndependent }) => isIndependent);
}

/** Keeps one row per film. @param found  oldest decision first */
function onePerFilm(found: readonly unknown[]): readonly DecidedValues[] {
  const rows = z
    .array(rowSchema)
    .parse(found)
    .map((row) => ({ ...row, isIndependent: row.verdict === "by_hand" && (row.isBlind || row.versionBefore === null) }))
    .filter(({ isIndependent, isLast }) => isIndependent || isLast);
  const kept = new Map<string, (typeof rows)[number]>();
  for (const row of rows.toSorted((a, b) => a.version - b.version))
    if (row.isIndependent || !kept.get(row.ofFilm)?.isIndependent) kept.set(row.ofFilm, row);
  return rows.filter((row) => kept.get(row.ofFilm) === row);
}

/** Number of decisions beyond which all are read. */
const maxDecisions = 10_000;

/** @param newest  number of decisions to include, the latest ones; null for all */
function decidedValues(
  db: ReadableDb,
  measure: NetworkMeasureName,
  verdicts: readonly (typeof decidingVerdicts)[number][],
  newest: number | null,
) {
  const detail = engineOf(db).readableJson("proposal.detail");
  const decidedDetail = engineOf(db).readableJson("decided.detail");
  // Undoing a rejection adds a copy of the networks' result, which does not count as a result.
  const isResult = (name: "model" | "own") =>
    sql<boolean>`${engineOf(db).readableJson(`${name}.detail`)} ->> 'takenBackBy' IS NULL`;
  const versionBefore = sql<number | null>`(SELECT max(model.version) FROM readings AS model
    WHERE model.film_id = decided.film_id AND model.source = 'model' AND model.version < decided.version
    AND ${isResult("model")})`;
  const decisions = db
    .selectFrom("readings")
    .select(["id", "filmId", "version", "verdict", "atMs", "who", "detail"])
    .where("verdict", "in", verdicts);
  return db
    .selectFrom((newest === null ? decisions : decisions.orderBy("atMs", "desc").limit(newest)).as("decided"))
    .innerJoin("films", "films.id", "decided.filmId")
    .leftJoin("patients", "patients.id", "films.patientId")
    .innerJoin("readings as proposal", (join) =>
      join.onRef("proposal.filmId", "=", "decided.filmId").on("proposal.version", "=", ({ selectFrom }) =>
        selectFrom("readings as own")
          .select(sql<number>`coalesce(${versionBefore}, min(own.version))`.as("version"))
          .whereRef("own.filmId", "=", "decided.filmId")
          .where("own.source", "=", "model")
          .where(isResult("own")),
      ),
    )
    .innerJoin("readingValues as said", (join) =>
      join.onRef("said.readingId", "=", "proposal.id").on("said.measure", "=", measure),
    )
    .innerJoin("readingValues as meant", (join) =>
      join.onRef("meant.readingId", "=", "decided.id").on("meant.measure", "=", measure),
    )
    .select([
      "decided.atMs",
      "decided.who",
      "said.value as network",
      "meant.value as person",
      "decided.verdict",
      "proposal.tier",
    ])
    .select(["patients.species", listedFilmId.as("filmId")])
    .select(sql`${detail} -> 'provenance' ->> 'packName'`.as("packName"))
    .select(sql`${detail} -> 'provenance' ->> 'packVersion'`.as("packVersion"))
    .where("films.sha256", "not in", sampleHashes)
    .select(["decided.filmId as ofFilm", "decided.version", versionBefore.as("versionBefore")])
    .select(sql`CASE WHEN decided.version = ${lastVersionOf("films.id")} THEN 1 ELSE 0 END`.as("isLast"))
    .select(sql`coalesce(${decidedDetail} ->> 'isBlind', 'false')`.as("isBlind"))
    .where(({ eb, or }) =>
      or([eb("decided.version", "=", lastVersionOf("films.id")), eb("decided.verdict", "=", "by_hand")]),
    )
    .orderBy("decided.atMs")
    .orderBy("films.rowid");
}
