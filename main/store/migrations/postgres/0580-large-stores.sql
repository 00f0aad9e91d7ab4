-- What is asked of every film, or of everything measured, without reading rows that nobody wants.
CREATE INDEX readings_by_film ON readings (film_id, version DESC, source, tier);
CREATE INDEX measurements_by_uuid ON measurements (uuid_nfc, at_ms) WHERE uuid_nfc IS NOT NULL;
CREATE INDEX readings_by_decision ON readings (at_ms) WHERE verdict IS NOT NULL;

-- Without the name of its schema an index with it could not be restored from a dump.
DO $$
BEGIN
  EXECUTE replace(pg_get_functiondef('searched_text(text)'::regprocedure),
    'RETURN searched_text_of_any', format('RETURN %I.searched_text_of_any', current_schema()));
END $$;

-- JSON may say U+0000, which no text of PostgreSQL can hold: it is left out, backslashes that only look like it stay.
CREATE FUNCTION patient_number(facts json) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (CASE WHEN strpos(facts::text, '\u0000') = 0 THEN facts
  ELSE regexp_replace(facts::text, '(\\\\)|\\u0000', '\1', 'g')::json END) -> 'patient' ->> 'id';

-- Parts of searched texts are found by their trigrams. The extension is one that the owner of a database may add; where it
-- is not to be had, every text is read, and the same is found.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX films_by_text ON films USING gin (searched_text(file_name) gin_trgm_ops);
  CREATE INDEX dicom_instances_by_number ON dicom_instances
    USING gin (searched_text(patient_number(facts)) gin_trgm_ops);
  CREATE INDEX dicom_patients_by_number ON dicom_patients USING gin (searched_text(number) gin_trgm_ops);
  CREATE INDEX patients_by_text ON patients USING gin (searched_text(
    name || E'\n' || owner || E'\n' || breed || E'\n' || coalesce(uuid, '') || E'\n' || coalesce(microchip, '')) gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not to be had: %', SQLERRM;
END $$;
