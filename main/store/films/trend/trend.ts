import { sql } from "kysely";
import { networksTier } from "../../../../core/cardiac/agreement/placed-by-person.ts";
import type { MeasureValues } from "../../../../core/cardiac/measures/measures.ts";
import { comparedIdentifier } from "../../../../core/identifiers.ts";
import type { ReadableDb } from "../../connection.ts";
import { engineOf } from "../../engines/engine.ts";
import { lastVersionOf, listedFilmId } from "../film-expressions.ts";
import { listAliases } from "../merged-patients.ts";
import { listPatientValues } from "../reading-values.ts";
import type { Tables } from "../../tables.ts";

/** One date of a patient's trend; values in vertebrae, unrounded. */
export type TrendRow = {
  readonly atMs: number;
  /** null for a removed film, and for measurements through the API. */
  readonly filmId: string | null;
  readonly values: MeasureValues;
  /** Agreement of the networks, also if a user has accepted the reading; null if a user placed the points. */
  readonly tier: Tables["readings"]["tier"];
  readonly source: "model" | "person" | "api";
  readonly who: string | null;
  readonly verdict: Tables["readings"]["verdict"];
  /** null if a user placed the points, and for measurements through the API. */
  readonly resultCode: number | null;
  /** JSON of the part of the reading with the same name; null without it. API measurements have `intervals` only. */
  readonly intervals: string | null;
  readonly repeatErrors: string | null;
  readonly provenance: string | null;
  /** Latest values of the networks for the same film; null without any. */
  readonly original: MeasureValues | null;
};

/**
 * By date of the radiograph, oldest first: the current version of each film unless it is rejected, and measurements
 * through the API under the patient's identifiers, the first of each image.
 */
export async function listTrend(
  db: ReadableDb,
  patient: { readonly id: string; readonly uuid: string | null },
): Promise<readonly TrendRow[]> {
  const rows = [...(await listFilms(db, patient.id)), ...(await listApi(db, patient))];
  return rows.filter(({ values }) => values.vhs !== null).sort((a, b) => a.atMs - b.atMs);
}

async function listFilms(db: ReadableDb, patientId: string): Promise<TrendRow[]> {
  const rows = await db
    .selectFrom("films")
    .innerJoin("readings", "readings.filmId", "films.id")
    .leftJoin("readings as original", (join) =>
      join.onRef("original.filmId", "=", "films.id").on("original.version", "=", ({ selectFrom }) =>
        selectFrom("readings as own")
          .select(({ fn }) => fn.max("own.version").as("version"))
          .whereRef("own.filmId", "=", "films.id")
          .where("own.source", "=", "model"),
      ),
    )
    .select(["takenAtMs as atMs", listedFilmId.as("filmId"), "readings.id as readingId", "readings.tier"])
    .select(["readings.source", "readings.who", "readings.verdict", "readings.resultCode", "original.id as originalId"])
    .select("original.tier as originalTier")
    .select((["intervals", "repeatErrors", "provenance"] as const).map((part) => detailOf(db, part)))
    .where("patientId", "=", patientId)
    .where("readings.version", "=", lastVersionOf("films.id"))
    .where("readings.verdict", "is distinct from", "rejected")
    // A film that was removed, opened again for another patient and then assigned to this one has two rows.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("films as again")
            .select("again.id")
            .whereRef("again.sha256", "=", "films.sha256")
            .whereRef("again.frameIndex", "=", "films.frameIndex")
            .whereRef("again.patientId", "=", "films.patientId")
            .where("again.removedAtMs", "is", null)
            .where("films.removedAtMs", "is not", null),
        ),
      ),
    )
    .orderBy("takenAtMs")
    .orderBy("films.rowid")
    .execute();
  const valuesOfReading = await listPatientValues(db, patientId);
  return rows.map(({ readingId, originalId, originalTier, ...row }) => ({
    ...row,
    tier: networksTier(row, { tier: originalTier }),
    values: valuesOfReading(readingId),
    original: originalId === null ? null : valuesOfReading(originalId),
  }));
}

function detailOf<Part extends string>(db: ReadableDb, part: Part) {
  return sql<string | null>`${engineOf(db).readableJson("readings.detail")} ->> ${sql.lit(part)}`.as(part);
}

async function listApi(
  db: ReadableDb,
  { id, uuid }: { readonly id: string; readonly uuid: string | null },
): Promise<TrendRow[]> {
  const uuids = [...(uuid === null ? [] : [comparedIdentifier(uuid)]), ...(await listAliases(db, id))];
  if (uuids.length === 0) return [];
  const rows = await db
    .selectFrom("measurements")
    .select(["atMs", "vhs", "vlas", "tier", "imageSha256", "intervals"])
    .where("service", "=", "cardiac")
    .where("uuidNfc", "in", uuids)
    .where("isBest", "=", 1)
    .where("imageSha256", "not in", ({ selectFrom }) =>
      selectFrom("films").select("sha256").where("patientId", "=", id),
    )
    .orderBy("atMs")
    .orderBy("measurements.id")
    .execute();
  const notOfFilm = {
    filmId: null,
    source: "api",
    who: null,
    verdict: null,
    resultCode: null,
    original: null,
    repeatErrors: null,
    provenance: null,
  } as const;
  const firstOf = new Map(rows.toReversed().map((row) => [row.imageSha256, row]));
  return rows
    .filter((row) => firstOf.get(row.imageSha256) === row)
    .map(({ atMs, tier, intervals, vhs, vlas }) => ({ ...notOfFilm, atMs, tier, intervals, values: { vhs, vlas } }));
}
