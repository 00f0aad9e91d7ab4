import { sql, type RawBuilder } from "kysely";
import { readDicomFile } from "../../main/dicom/dicom-file.ts";
import { describeInstance } from "../../main/dicom/dicom-instance.ts";
import { detailOfMeasurement } from "../../main/services/worklist/readings/reading-detail.ts";
import type { WritableDb } from "../../main/store/database.ts";
import { engineOf, transaction } from "../../main/store/engines/engine.ts";
import { phantomFile } from "../main/dicom/phantom-film.ts";
import { measured } from "../main/store/sample-store.ts";

/** Rows per transaction, which limits its rollback data. */
const rowsAtOnce = 50_000;

/** Fills a store with copies of its first measurement for different patients, without charges, which form a chain. */
export async function fillMeasurements(db: WritableDb, size: number): Promise<void> {
  const [first] = (
    await sql<Record<string, unknown>>`SELECT * FROM measurements WHERE id = 1`.execute(db.withoutPlugins())
  ).rows;
  const copied = Object.keys(first ?? {}).filter((name) => !["id", "call_id", "uuid", "uuid_nfc"].includes(name));
  const { rows } = await db
    .selectFrom("measurements")
    .select(({ fn }) => fn.countAll<number>().as("rows"))
    .executeTakeFirstOrThrow();
  const names = sql.raw(copied.join(", "));
  await inParts(
    db,
    rows,
    size,
    (numbers) =>
      sql`INSERT INTO measurements (call_id, uuid, uuid_nfc, ${names})
      WITH RECURSIVE made (number) AS (${numbers})
      SELECT 'made ' || number, 'patient ' || number, 'patient ' || number, ${names} FROM measurements, made WHERE id = 1`,
  );
}

const patients = 20_000;

/** Fills a store with five years of DICOM films with a reading each; two of five have a user's decision. */
export async function fillFilms(db: WritableDb, films: number): Promise<void> {
  await inParts(db, 0, patients, (numbers) => insertPatients(numbers));
  const json = (value: unknown) =>
    engineOf(db).file === null ? sql`${JSON.stringify(value)}::json` : sql`${JSON.stringify(value)}`;
  const { provenance, ...detail } = detailOfMeasurement(measured);
  const instance = describeInstance(readDicomFile(phantomFile({ instance: "1.2.3.1" })));
  for (const insert of [
    insertFilms,
    (numbers: Numbers) => insertInstances(numbers, json(instance)),
    (numbers: Numbers) => insertReadings(numbers, json({ ...detail, provenance }), "model"),
    (numbers: Numbers) => insertReadings(numbers, json({ ...detail, provenance: null }), "person"),
    ...["vhs", "vlas"].flatMap((measure) =>
      (["model", "person"] as const).map((source) => (numbers: Numbers) => insertValues(numbers, measure, source)),
    ),
    insertEvents,
  ])
    await inParts(db, 0, films, insert);
}

/** Updates the statistics of a PostgreSQL database, as autovacuum would later. */
export async function analyse(db: WritableDb): Promise<void> {
  if (engineOf(db).file === null) await sql`ANALYZE`.execute(db);
}

type Numbers = RawBuilder<unknown>;

async function inParts(
  db: WritableDb,
  from: number,
  to: number,
  insert: (numbers: Numbers) => RawBuilder<unknown>,
): Promise<void> {
  for (let first = from; first < to; first += rowsAtOnce) {
    const last = Math.min(first + rowsAtOnce, to);
    await transaction(db, () =>
      insert(
        sql`SELECT CAST(${sql.lit(first + 1)} AS bigint) UNION ALL SELECT number + 1 FROM made WHERE number < ${sql.lit(last)}`,
      ).execute(db),
    );
  }
}

const names = ["Bella", "Müller", "Käthe", "Rex", "Schröder", "Luna", "Béla", "Sam"];

function oneOf(texts: readonly string[]): RawBuilder<string> {
  const cases = texts.map((text, index) => sql`WHEN ${sql.lit(index)} THEN ${sql.lit(text)}`);
  return sql`CASE number % ${sql.lit(texts.length)} ${sql.join(cases, sql` `)} END`;
}

function insertPatients(numbers: Numbers): RawBuilder<unknown> {
  return sql`INSERT INTO patients (id, name, species, breed, owner, uuid, uuid_nfc, created_at_ms, last_seen_at_ms)
    WITH RECURSIVE made (number) AS (${numbers})
    SELECT 'animal ' || number, ${oneOf(names)} || ' ' || number, 'dog', ${oneOf(["Beagle", "Boxer", "Pug"])},
      ${oneOf(["M. Sommer", "Ł. Nowak", "A. Öztürk", "J. Smith", "É. Dubois"])}, 'patient ' || number, 'patient ' || number,
      1600000000000 + number, 1700000000000 + number * 1000 FROM made`;
}

const noHash = "0".repeat(64);

function insertFilms(numbers: Numbers): RawBuilder<unknown> {
  return sql`INSERT INTO films (id, file_name, sha256, origin, added_at_ms, taken_at_ms, patient_id, state, width_px, height_px,
      has_image, has_rectified, frame_index, place)
    WITH RECURSIVE made (number) AS (${numbers})
    SELECT 'film ' || number, 'IMG_' || number || '.dcm', substr(${sql.lit(noHash)} || number, length('' || number) + 1), 'dicom',
      1700000000000 - number * 60000, 1700000000000 - number * 61000, 'animal ' || (number % ${sql.lit(patients)} + 1), 'done',
      2000, 1600, 1, 0, 0, number % 3 FROM made`;
}

function insertInstances(numbers: Numbers, facts: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`INSERT INTO dicom_instances
      (film_id, sop_instance_uid, study_instance_uid, series_instance_uid, facts, shape)
    WITH RECURSIVE made (number) AS (${numbers})
    SELECT 'film ' || number, '1.2.3.' || number, '1.2.' || number, '1.2.4.' || number, ${facts}, '' FROM made`;
}

/** Condition for films with a user's decision: two of five. */
const isDecided = sql`number % 5 < 2`;

function insertReadings(
  numbers: Numbers,
  detail: RawBuilder<unknown>,
  source: "model" | "person",
): RawBuilder<unknown> {
  const isModel = source === "model";
  const said = isModel ? sql`1, 'model', NULL` : sql`2, 'person', 'corrected'`;
  return sql`INSERT INTO readings (id, film_id, version, source, verdict, at_ms, who, remark, result_code, tier, detail)
    WITH RECURSIVE made (number) AS (${numbers})
    SELECT ${sql.lit(`${source} `)} || number, 'film ' || number, ${said}, 1700000000000 + number,
      ${isModel ? sql`NULL` : sql`'Dr. Weiß'`}, '', ${isModel ? sql`1` : sql`NULL`},
      ${isModel ? oneOf(["optimal", "good", "review"]) : sql`NULL`}, ${detail}
    FROM made WHERE ${isModel ? sql`number > 0` : isDecided}`;
}

function insertValues(numbers: Numbers, measure: string, source: "model" | "person"): RawBuilder<unknown> {
  return sql`INSERT INTO reading_values (reading_id, measure, value)
    WITH RECURSIVE made (number) AS (${numbers})
    SELECT ${sql.lit(`${source} `)} || number, ${sql.lit(measure)}, 9.5 + (number % 20) / 10.0 FROM made
    WHERE ${source === "model" ? sql`number > 0` : isDecided}`;
}

function insertEvents(numbers: Numbers): RawBuilder<unknown> {
  return sql`INSERT INTO audit_events (seq, at_ms, action, via, person_id, who, patient_id, subject, detail)
    WITH RECURSIVE made (number) AS (${numbers})
    SELECT (SELECT coalesce(max(seq), 0) FROM audit_events) + number - (SELECT min(number) FROM made) + 1, 1700000000000 + number,
      'reading.measured', 'program', NULL, 'Corvet', 'animal ' || (number % ${sql.lit(patients)} + 1), 'film ' || number, '{}'
    FROM made ORDER BY number`;
}
