import { z } from "zod";
import { confidenceTiers } from "../../../core/cardiac/confidence.ts";
import type { NetworkMeasureName } from "../../../core/cardiac/measures/measures.ts";
import { sampleFilms } from "../../../core/sample-study.ts";
import type { ReadableDb } from "../connection.ts";

const rowSchema = z.object({
  filmId: z.string().nullable(),
  atMs: z.int(),
  network: z.number(),
  person: z.number(),
  verdict: z.enum(["accepted", "corrected", "by_hand"]),
  tier: z.enum(confidenceTiers).nullable(),
  species: z.enum(["dog", "cat"]).nullable(),
  packName: z.string().nullable(),
  packVersion: z.string().nullable(),
});

/** A film that a person decided about after the networks had measured it; values in vertebrae, unrounded. */
export type DecidedValues = Readonly<z.infer<typeof rowSchema>>;

/**
 * Every film with a value of the networks and a later one that a person stands behind, oldest decision first; simulated
 * films are left out.
 */
export function listDecidedValues(db: ReadableDb, measure: NetworkMeasureName): readonly DecidedValues[] {
  const rows = db
    .prepare(
      `SELECT CASE WHEN removed_at_ms IS NULL THEN films.id END AS filmId, decided.at_ms AS atMs, said.value AS network, meant.value AS person,
              decided.verdict, proposal.tier, patients.species,
              json_extract(proposal.detail, '$.provenance.packName') AS packName,
              json_extract(proposal.detail, '$.provenance.packVersion') AS packVersion
         FROM readings AS decided
         JOIN films ON films.id = decided.film_id
         LEFT JOIN patients ON patients.id = films.patient_id
         JOIN readings AS proposal ON proposal.film_id = decided.film_id AND proposal.version =
              (SELECT max(version) FROM readings AS own WHERE own.film_id = decided.film_id AND own.source = 'model' AND own.version < decided.version)
         JOIN reading_values AS said ON said.reading_id = proposal.id AND said.measure = :measure
         JOIN reading_values AS meant ON meant.reading_id = decided.id AND meant.measure = :measure
        WHERE decided.verdict IN ('accepted', 'corrected', 'by_hand')
          AND films.sha256 NOT IN (SELECT value FROM json_each(:samples))
          AND decided.version = (SELECT max(version) FROM readings AS other WHERE other.film_id = decided.film_id)
        ORDER BY decided.at_ms, decided.rowid`,
    )
    .all({ measure, samples: JSON.stringify(sampleFilms.map(({ sha256 }) => sha256)) });
  return z.array(rowSchema).parse(rows);
}
