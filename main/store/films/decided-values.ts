import { sql } from "kysely";
import type { MeasureName } from "../../../core/cardiac/measures/measures.ts";
import { sampleHashes } from "../../../core/sample-study.ts";
import type { ReadableDb } from "../connection.ts";
import { engineOf } from "../engines/engine.ts";
import { flagIn, lastVersionOf, listedFilmId } from "./film-expressions.ts";

/** Verdicts with which a user determines a film's values. */
const decidingVerdicts = ["accepted", "corrected", "by_hand"] as const;

type Decision = Awaited<ReturnType<typeof readDecisions>>[number];

/** A film with values of the networks and of a user; values in vertebrae, unrounded. */
export type DecidedValues = Decision & {
  readonly isIndependent: boolean;
};

/**
 * Lists films with a value of the networks and one of a user, oldest decision first, without simulated ones. A film is
 * represented by its last independent reading, else by its last decision.
 */
export async function listDecidedValues(db: ReadableDb, measure: MeasureName): Promise<readonly DecidedValues[]> {
  return onePerFilm(await readDecisions(db, measure, decidingVerdicts, null));
}

/** Lists the latest independent ones of these, oldest decision first. @param newest  maximum number */
export async function listNewestIndependentValues(
  db: ReadableDb,
  measure: MeasureName,
  newest: number,
): Promise<readonly DecidedValues[]> {
  // Not every film measured by hand has a value of the networks, so read more until enough have one.
  for (let decisions = 4 * newest; decisions < maxDecisions; decisions *= 8) {
    const rows = independentOf(await readDecisions(db, measure, ["by_hand"], decisions));
    if (rows.length >= newest) return rows.slice(-newest);
  }
  return independentOf(await readDecisions(db, measure, ["by_hand"], null)).slice(-newest);
}

function independentOf(found: readonly Decision[]): readonly DecidedValues[] {
  return onePerFilm(found).filter(({ isIndependent }) => isIndependent);
}

/** Keeps one row per film. @param found  oldest decision first */
function onePerFilm(found: readonly Decision[]): readonly DecidedValues[] {
  const rows = found
    .map((row) => ({
      ...row,
      isIndependent: row.verdict === "by_hand" && (!!row.isBlind || row.versionBefore === null),
    }))
    .filter(({ isIndependent, isLast }) => isIndependent || isLast);
  const kept = new Map<string, (typeof rows)[number]>();
  for (const row of rows.toSorted((a, b) => a.version - b.version))
    if (row.isIndependent || !kept.get(row.ofFilm)?.isIndependent) kept.set(row.ofFilm, row);
  return rows.filter((row) => kept.get(row.ofFilm) === row);
}

/** Number of decisions beyond which all are read. */
const maxDecisions = 10_000;

/** @param newest  number of decisions to include, the latest ones; null for all */
async function readDecisions(
  db: ReadableDb,
  measure: MeasureName,
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
    .where("verdict", "in", verdicts)
    .$narrowType<{ verdict: (typeof decidingVerdicts)[number] }>();
  return await db
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
    .select(sql<string | null>`${detail} -> 'provenance' ->> 'packName'`.as("packName"))
    .select(sql<string | null>`${detail} -> 'provenance' ->> 'packVersion'`.as("packVersion"))
    .where("films.sha256", "not in", sampleHashes)
    .select(["decided.filmId as ofFilm", "decided.version", versionBefore.as("versionBefore")])
    .select(sql<number>`CASE WHEN decided.version = ${lastVersionOf("films.id")} THEN 1 ELSE 0 END`.as("isLast"))
    .select(flagIn(decidedDetail, "isBlind").as("isBlind"))
    .where(({ eb, or }) =>
      or([eb("decided.version", "=", lastVersionOf("films.id")), eb("decided.verdict", "=", "by_hand")]),
    )
    .orderBy("decided.atMs")
    .orderBy("films.rowid")
    .execute();
}
