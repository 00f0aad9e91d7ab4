CREATE INDEX accounts_by_compared_name ON public.accounts USING btree (lower(name_nfc))
CREATE INDEX api_keys_by_account ON public.api_keys USING btree (account_id)
CREATE INDEX audit_events_by_patient ON public.audit_events USING btree (patient_id, seq) WHERE (patient_id IS NOT NULL)
CREATE INDEX audit_events_by_time ON public.audit_events USING btree (at_ms)
CREATE INDEX dicom_instances_by_number ON public.dicom_instances USING gin (searched_text(patient_number(facts)) gin_trgm_ops)
CREATE INDEX dicom_instances_by_study ON public.dicom_instances USING btree (study_instance_uid)
CREATE INDEX dicom_instances_by_uid ON public.dicom_instances USING btree (sop_instance_uid)
CREATE INDEX dicom_patients_by_number ON public.dicom_patients USING gin (searched_text(number) gin_trgm_ops)
CREATE INDEX dicom_patients_by_patient ON public.dicom_patients USING btree (patient_id)
CREATE INDEX films_by_added ON public.films USING btree (added_at_ms DESC, place) WHERE (removed_at_ms IS NULL)
CREATE INDEX films_by_patient ON public.films USING btree (patient_id, taken_at_ms)
CREATE INDEX films_by_queue ON public.films USING btree (queue_number) WHERE (queue_number IS NOT NULL)
CREATE INDEX films_by_taken ON public.films USING btree (taken_at_ms) WHERE (removed_at_ms IS NULL)
CREATE INDEX films_by_text ON public.films USING gin (searched_text(file_name) gin_trgm_ops)
CREATE INDEX ledger_by_account ON public.ledger USING btree (account_id, seq)
CREATE INDEX ledger_by_patient ON public.ledger USING btree (account_id, service, uuid_nfc, at_ms) WHERE (uuid_nfc IS NOT NULL)
CREATE INDEX ledger_by_period ON public.ledger USING btree (account_id, period, kind)
CREATE INDEX ledger_reversals ON public.ledger USING btree (account_id, reverses) WHERE (kind = 'reversal'::text)
CREATE INDEX measurements_by_patient ON public.measurements USING btree (account_id, uuid_nfc, at_ms)
CREATE INDEX measurements_by_time ON public.measurements USING btree (account_id, at_ms)
CREATE INDEX measurements_by_uuid ON public.measurements USING btree (uuid_nfc, at_ms) WHERE (uuid_nfc IS NOT NULL)
CREATE INDEX patient_aliases_by_patient ON public.patient_aliases USING btree (patient_id)
CREATE INDEX patients_by_last_seen ON public.patients USING btree (last_seen_at_ms)
CREATE INDEX patients_by_text ON public.patients USING gin (searched_text(((((((((name || '
'::text) || owner) || '
'::text) || breed) || '
'::text) || COALESCE(uuid, ''::text)) || '
'::text) || COALESCE(microchip, ''::text))) gin_trgm_ops)
CREATE INDEX patients_by_uuid ON public.patients USING btree (uuid_nfc)
CREATE INDEX pop_sessions_by_start ON public.pop_sessions USING btree (started_at_ms)
CREATE INDEX readings_by_decision ON public.readings USING btree (at_ms) WHERE (verdict IS NOT NULL)
CREATE INDEX readings_by_film ON public.readings USING btree (film_id, version DESC, source, tier)
CREATE INDEX screened_patients_by_patient ON public.screened_patients USING btree (patient_id)
CREATE INDEX usg_predictions_by_clinic ON public.usg_predictions USING btree (clinic_code_nfc, at_ms)
CREATE INDEX usg_predictions_by_patient ON public.usg_predictions USING btree (account_id, uuid_nfc, at_ms)
CREATE INDEX waiting_results_by_film ON public.waiting_results USING btree (film_sop_instance_uid, frame_index)
CREATE OR REPLACE FUNCTION public.append_at_the_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  last bigint;
BEGIN
  EXECUTE format('SELECT max(seq) FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO last;
  IF NEW.seq IS DISTINCT FROM coalesce(last, 0) + 1 THEN
    RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $function$

CREATE OR REPLACE FUNCTION public.keep_last_given()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
BEGIN
  INSERT INTO last_given VALUES (TG_TABLE_NAME, NEW.seq)
    ON CONFLICT (table_name) DO UPDATE SET seq = greatest(last_given.seq, excluded.seq);
  RETURN NULL;
END $function$

CREATE OR REPLACE FUNCTION public.patient_number(facts json)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((CASE WHEN (strpos((facts)::text, '\u0000'::text) = 0) THEN facts ELSE (regexp_replace((facts)::text, '(\\\\)|\\u0000'::text, '\1'::text, 'g'::text))::json END -> 'patient'::text) ->> 'id'::text)

CREATE OR REPLACE FUNCTION public.refuse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
END $function$

CREATE OR REPLACE FUNCTION public.refuse_all_but_pseudonym()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM erasing WHERE pseudonym = NEW.uuid AND pseudonym = NEW.uuid_nfc) THEN
    RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $function$

CREATE OR REPLACE FUNCTION public.refuse_unless_erasing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM erasing) THEN
    RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $function$

CREATE OR REPLACE FUNCTION public.searched_text(text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 20
AS $function$
BEGIN
  IF octet_length($1) = length($1) THEN
    RETURN replace(replace(replace(translate(lower($1 COLLATE "C"), '^`', ''), 'ae', 'a'), 'oe', 'o'), 'ue', 'u');
  END IF;
  IF $1 ~ '[^\u0001-\u007f\u00c0-\u00cf\u00d1-\u00dd\u00df-\u010f\u0111-\u0125\u0127-\u0131\u0134-\u013e\u0141-\u0148\u014b-\u0165\u0167-\u017e]' THEN
    RETURN public.searched_text_of_any($1);
  END IF;
  RETURN translate(replace(replace(replace(replace(
      translate(lower(normalize($1, NFKD) COLLATE "C"),
        U&'\00c6\00d8\0141\0152^`\0300\0301\0302\0303\0304\0306\0307\0308\030a\030b\030c\0327\0328', 'æøłœ'),
      'ae', 'a'), 'oe', 'o'), 'ue', 'u'), 'ß', 'ss'), 'æœøł', 'aool');
END $function$

CREATE OR REPLACE FUNCTION public.searched_text_of_any(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  SELECT translate(replace(regexp_replace(lower(regexp_replace(normalize($1, NFKD),
      '[\u005e\u0060\u00a8\u00af\u00b4\u00b7\u00b8\u02b0-\u034e\u0350-\u0357\u035d-\u0362\u0374\u0375\u037a'
      '\u0384\u0385\u0483-\u0487\u0559\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0657\u0658'
      '\u06df\u06e0\u06e5\u06e6\u06ea-\u06ec\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f5\u0818\u0819\u0898-\u089f'
      '\u08c9-\u08d2\u08e3-\u08fe\u093c\u094d\u0951-\u0954\u0971\u09bc\u09cd\u0a3c\u0a4d\u0abc\u0acd\u0afd-\u0aff'
      '\u0b3c\u0b4d\u0b55\u0bcd\u0c3c\u0c4d\u0cbc\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0e47-\u0e4c\u0e4e\u0eba'
      '\u0ec8-\u0ecc\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f82-\u0f84\u0f86\u0f87\u0fc6\u1037\u1039\u103a'
      '\u1063\u1064\u1069-\u106d\u1087-\u108d\u108f\u109a\u109b\u135d-\u135f\u1714\u1715\u1734\u17c9-\u17d3\u17dd'
      '\u1939-\u193b\u1a60\u1a75-\u1a7c\u1a7f\u1ab0-\u1abe\u1ac1-\u1acb\u1acf-\u1add\u1ae0-\u1aeb\u1b34\u1b44'
      '\u1b6b-\u1b73\u1baa\u1bab\u1be6\u1bf2\u1bf3\u1c36\u1c37\u1c78-\u1c7d\u1cd0-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9'
      '\u1d2c-\u1d6a\u1d9b-\u1dbe\u1dc4-\u1dcf\u1df5-\u1dff\u1fbd\u1fbf-\u1fc1\u1fcd-\u1fcf\u1fdd-\u1fdf'
      '\u1fed-\u1fef\u1ffd\u1ffe\u2cef-\u2cf1\u2e2f\u302a-\u302f\u3099-\u309c\u30fc\ua66f\ua67c\ua67d\ua67f'
      '\ua69c\ua69d\ua6f0\ua6f1\ua700-\ua721\ua788-\ua78a\ua7f1\ua7f8\ua7f9\ua806\ua82c\ua8c4\ua8e0-\ua8f1'
      '\ua92b-\ua92e\ua953\ua9b3\ua9c0\ua9e5\uaa7b-\uaa7d\uaabf-\uaac2\uaaf6\uab5b-\uab5f\uab69-\uab6b\uabec\uabed'
      '\ufb1e\ufe20-\ufe2f\uff3e\uff40\uff70\uff9e\uff9f\uffe3\U000102e0\U00010780-\U00010785\U00010787-\U000107b0'
      '\U000107b2-\U000107ba\U00010a38-\U00010a3a\U00010a3f\U00010ae5\U00010ae6\U00010d22-\U00010d27\U00010d4e'
      '\U00010d69-\U00010d6d\U00010efa\U00010efd-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011046'
      '\U00011070\U000110b9\U000110ba\U00011133\U00011134\U00011173\U000111c0\U000111ca-\U000111cc'
      '\U00011235\U00011236\U000112e9\U000112ea\U0001133b\U0001133c\U0001134d\U00011366-\U0001136c'
      '\U00011370-\U00011374\U000113ce-\U000113d0\U000113d2\U000113d3\U000113e1\U000113e2\U00011442\U00011446'
      '\U000114c2\U000114c3\U000115bf\U000115c0\U0001163f\U000116b6\U000116b7\U0001172b\U00011839\U0001183a'
      '\U0001193d\U0001193e\U00011943\U000119e0\U00011a34\U00011a47\U00011a99\U00011c3f\U00011d42'
      '\U00011d44\U00011d45\U00011d97\U00011dd9\U00011f41\U00011f42\U00011f5a\U00013447-\U00013455\U0001612f'
      '\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016d6b\U00016d6c\U00016f8f-\U00016f9f\U00016ff0\U00016ff1'
      '\U0001aff0-\U0001aff3\U0001aff5-\U0001affb\U0001affd\U0001affe\U0001cf00-\U0001cf2d\U0001cf30-\U0001cf46'
      '\U0001d167-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad'
      '\U0001e030-\U0001e06d\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e5ee\U0001e5ef'
      '\U0001e8d0-\U0001e8d6\U0001e944-\U0001e946\U0001e948-\U0001e94a]',
    '', 'g') COLLATE "und-x-icu"), '([aou])e', '\1', 'g'), 'ß', 'ss'), 'æœøł', 'aool')
$function$

CREATE TRIGGER annotations_refuse_delete BEFORE DELETE ON public.annotations FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('annotations are versions and never go')
CREATE TRIGGER annotations_refuse_truncate BEFORE TRUNCATE ON public.annotations FOR EACH STATEMENT EXECUTE FUNCTION refuse('what is kept never goes')
CREATE TRIGGER annotations_refuse_update BEFORE UPDATE ON public.annotations FOR EACH ROW EXECUTE FUNCTION refuse('annotations are versions and never change')
CREATE TRIGGER audit_events_append_at_the_end BEFORE INSERT ON public.audit_events FOR EACH ROW EXECUTE FUNCTION append_at_the_end('an event is appended at the end')
CREATE TRIGGER audit_events_keep_last_given AFTER INSERT ON public.audit_events FOR EACH ROW EXECUTE FUNCTION keep_last_given()
CREATE TRIGGER audit_events_refuse_delete BEFORE DELETE ON public.audit_events FOR EACH ROW EXECUTE FUNCTION refuse('the audit trail is append-only')
CREATE TRIGGER audit_events_refuse_truncate BEFORE TRUNCATE ON public.audit_events FOR EACH STATEMENT EXECUTE FUNCTION refuse('what is kept never goes')
CREATE TRIGGER audit_events_refuse_update BEFORE UPDATE ON public.audit_events FOR EACH ROW EXECUTE FUNCTION refuse('the audit trail is append-only')
CREATE TRIGGER erased_rows_refuse_delete BEFORE DELETE ON public.erased_rows FOR EACH ROW EXECUTE FUNCTION refuse('what was erased stays erased')
CREATE TRIGGER erased_rows_refuse_truncate BEFORE TRUNCATE ON public.erased_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse('what is kept never goes')
CREATE TRIGGER erased_rows_refuse_update BEFORE UPDATE ON public.erased_rows FOR EACH ROW EXECUTE FUNCTION refuse('what was erased stays erased')
CREATE TRIGGER ledger_appends_at_the_end BEFORE INSERT ON public.ledger FOR EACH ROW EXECUTE FUNCTION append_at_the_end('a ledger row is appended at the end')
CREATE TRIGGER ledger_keeps_last_given AFTER INSERT ON public.ledger FOR EACH ROW EXECUTE FUNCTION keep_last_given()
CREATE TRIGGER ledger_refuse_truncate BEFORE TRUNCATE ON public.ledger FOR EACH STATEMENT EXECUTE FUNCTION refuse('what is kept never goes')
CREATE TRIGGER ledger_refuses_delete BEFORE DELETE ON public.ledger FOR EACH ROW EXECUTE FUNCTION refuse('the ledger is append-only')
CREATE TRIGGER ledger_refuses_update BEFORE UPDATE OF seq, kind, call_id, account_id, key_id, service, call_type, at_ms, period, ordinal, tier, amount_cents, currency, reverses, note, measurement_id, previous_hash, hash ON public.ledger FOR EACH ROW EXECUTE FUNCTION refuse('the ledger is append-only')
CREATE TRIGGER ledger_refuses_update_of_patient BEFORE UPDATE OF uuid, uuid_nfc ON public.ledger FOR EACH ROW EXECUTE FUNCTION refuse_all_but_pseudonym('the ledger is append-only')
CREATE TRIGGER measurements_refuse_delete BEFORE DELETE ON public.measurements FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('measurements never go')
CREATE TRIGGER measurements_refuse_truncate BEFORE TRUNCATE ON public.measurements FOR EACH STATEMENT EXECUTE FUNCTION refuse('what is kept never goes')
CREATE TRIGGER measurements_refuse_update BEFORE UPDATE OF id, call_id, photo_index, account_id, key_id, service, at_ms, pack_name, pack_version, model_version, program_version, result_code, pop_detected ON public.measurements FOR EACH ROW EXECUTE FUNCTION refuse('measurements never change')
CREATE TRIGGER measurements_refuse_update_of_content BEFORE UPDATE OF is_best, image_sha256, parameters, width_px, height_px, classifier_confidence, vhs, vlas, spread, tier, sharpness, landmarks, ruler_kind, ruler_edges, edges, corners, votes, outline, intervals ON public.measurements FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('measurements never change')
CREATE TRIGGER people_refuse_delete BEFORE DELETE ON public.people FOR EACH ROW EXECUTE FUNCTION refuse('people retire and never go')
CREATE TRIGGER people_refuse_truncate BEFORE TRUNCATE ON public.people FOR EACH STATEMENT EXECUTE FUNCTION refuse('what is kept never goes')
CREATE TRIGGER reading_values_refuse_delete BEFORE DELETE ON public.reading_values FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('values belong to a version and never go')
CREATE TRIGGER reading_values_refuse_truncate BEFORE TRUNCATE ON public.reading_values FOR EACH STATEMENT EXECUTE FUNCTION refuse('what is kept never goes')
CREATE TRIGGER reading_values_refuse_update BEFORE UPDATE ON public.reading_values FOR EACH ROW EXECUTE FUNCTION refuse('values belong to a version and never change')
CREATE TRIGGER readings_refuse_delete BEFORE DELETE ON public.readings FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('readings are versions and never go')
CREATE TRIGGER readings_refuse_truncate BEFORE TRUNCATE ON public.readings FOR EACH STATEMENT EXECUTE FUNCTION refuse('what is kept never goes')
CREATE TRIGGER readings_refuse_update BEFORE UPDATE ON public.readings FOR EACH ROW EXECUTE FUNCTION refuse('readings are versions and never change')
CREATE TRIGGER usg_predictions_refuse_delete BEFORE DELETE ON public.usg_predictions FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('screenings never go')
CREATE TRIGGER usg_predictions_refuse_truncate BEFORE TRUNCATE ON public.usg_predictions FOR EACH STATEMENT EXECUTE FUNCTION refuse('what is kept never goes')
CREATE TRIGGER usg_predictions_refuse_update BEFORE UPDATE OF call_id, account_id, key_id, at_ms, bun_mg_per_dl, creatinine_mg_per_dl, haemoglobin_g_per_dl, lymphocytes_per_ul, age_months, probability_impaired, risk_tier, pack_name, pack_version, model_version, program_version, result, billing, threshold_impaired, release ON public.usg_predictions FOR EACH ROW EXECUTE FUNCTION refuse('screenings never change')
CREATE TRIGGER value_seals_append_at_the_end BEFORE INSERT ON public.value_seals FOR EACH ROW EXECUTE FUNCTION append_at_the_end('a seal is appended at the end')
CREATE TRIGGER value_seals_keep_last_given AFTER INSERT ON public.value_seals FOR EACH ROW EXECUTE FUNCTION keep_last_given()
CREATE TRIGGER value_seals_refuse_delete BEFORE DELETE ON public.value_seals FOR EACH ROW EXECUTE FUNCTION refuse('seals are append-only')
CREATE TRIGGER value_seals_refuse_truncate BEFORE TRUNCATE ON public.value_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse('what is kept never goes')
CREATE TRIGGER value_seals_refuse_update BEFORE UPDATE ON public.value_seals FOR EACH ROW EXECUTE FUNCTION refuse('seals are append-only')
CREATE UNIQUE INDEX accounts_by_name ON public.accounts USING btree (lower(name))
CREATE UNIQUE INDEX accounts_pkey ON public.accounts USING btree (id)
CREATE UNIQUE INDEX annotations_film_id_version_key ON public.annotations USING btree (film_id, version)
CREATE UNIQUE INDEX annotations_pkey ON public.annotations USING btree (id)
CREATE UNIQUE INDEX api_keys_key_sha256_key ON public.api_keys USING btree (key_sha256)
CREATE UNIQUE INDEX api_keys_pkey ON public.api_keys USING btree (id)
CREATE UNIQUE INDEX audit_events_pkey ON public.audit_events USING btree (seq)
CREATE UNIQUE INDEX dicom_instances_pkey ON public.dicom_instances USING btree (film_id)
CREATE UNIQUE INDEX dicom_patients_pkey ON public.dicom_patients USING btree (uuid)
CREATE UNIQUE INDEX erased_rows_pkey ON public.erased_rows USING btree (pseudonym, subject)
CREATE UNIQUE INDEX erasing_pkey ON public.erasing USING btree (pseudonym)
CREATE UNIQUE INDEX film_images_pkey ON public.film_images USING btree (sha256, frame_index, image, part)
CREATE UNIQUE INDEX films_on_worklist ON public.films USING btree (sha256, frame_index) WHERE (removed_at_ms IS NULL)
CREATE UNIQUE INDEX films_pkey ON public.films USING btree (id)
CREATE UNIQUE INDEX last_given_pkey ON public.last_given USING btree (table_name)
CREATE UNIQUE INDEX ledger_by_call ON public.ledger USING btree (call_id) WHERE (kind = 'charge'::text)
CREATE UNIQUE INDEX ledger_hash_key ON public.ledger USING btree (hash)
CREATE UNIQUE INDEX ledger_pkey ON public.ledger USING btree (seq)
CREATE UNIQUE INDEX ledger_previous_hash_key ON public.ledger USING btree (previous_hash)
CREATE UNIQUE INDEX ledger_reverses_key ON public.ledger USING btree (reverses)
CREATE UNIQUE INDEX machines_pkey ON public.machines USING btree (id)
CREATE UNIQUE INDEX measurements_call_id_photo_index_key ON public.measurements USING btree (call_id, photo_index)
CREATE UNIQUE INDEX measurements_pkey ON public.measurements USING btree (id)
CREATE UNIQUE INDEX migrations_pkey ON public.migrations USING btree (name)
CREATE UNIQUE INDEX monthly_volumes_pkey ON public.monthly_volumes USING btree (account_id, period)
CREATE UNIQUE INDEX open_films_pkey ON public.open_films USING btree (film_id, machine_id)
CREATE UNIQUE INDEX patient_aliases_pkey ON public.patient_aliases USING btree (uuid_nfc)
CREATE UNIQUE INDEX patients_pkey ON public.patients USING btree (id)
CREATE UNIQUE INDEX patients_uuid_key ON public.patients USING btree (uuid)
CREATE UNIQUE INDEX people_by_name ON public.people USING btree (lower(name)) WHERE (retired_at_ms IS NULL)
CREATE UNIQUE INDEX people_pkey ON public.people USING btree (id)
CREATE UNIQUE INDEX pop_session_frames_pkey ON public.pop_session_frames USING btree (session_id, frame_index)
CREATE UNIQUE INDEX pop_sessions_pkey ON public.pop_sessions USING btree (id)
CREATE UNIQUE INDEX reading_values_pkey ON public.reading_values USING btree (reading_id, measure)
CREATE UNIQUE INDEX readings_film_id_version_key ON public.readings USING btree (film_id, version)
CREATE UNIQUE INDEX readings_pkey ON public.readings USING btree (id)
CREATE UNIQUE INDEX screened_patients_pkey ON public.screened_patients USING btree (call_id)
CREATE UNIQUE INDEX set_aside_objects_file_name_key ON public.set_aside_objects USING btree (file_name)
CREATE UNIQUE INDEX set_aside_objects_pkey ON public.set_aside_objects USING btree (id)
CREATE UNIQUE INDEX settings_pkey ON public.settings USING btree (key)
CREATE UNIQUE INDEX undelivered_charges_pkey ON public.undelivered_charges USING btree (call_id)
CREATE UNIQUE INDEX undelivered_charges_seq_key ON public.undelivered_charges USING btree (seq)
CREATE UNIQUE INDEX usg_predictions_pkey ON public.usg_predictions USING btree (call_id)
CREATE UNIQUE INDEX value_seals_hash_key ON public.value_seals USING btree (hash)
CREATE UNIQUE INDEX value_seals_pkey ON public.value_seals USING btree (seq)
CREATE UNIQUE INDEX value_seals_previous_hash_key ON public.value_seals USING btree (previous_hash)
CREATE UNIQUE INDEX value_seals_source_row_key_key ON public.value_seals USING btree (source, row_key)
CREATE UNIQUE INDEX waiting_results_pkey ON public.waiting_results USING btree (sop_instance_uid)
CREATE UNIQUE INDEX watched_files_pkey ON public.watched_files USING btree (path_sha256)
CREATE UNIQUE INDEX watched_films_pkey ON public.watched_films USING btree (film_id)
accounts.created_at_ms bigint NOT NULL
accounts.id text NOT NULL
accounts.name text NOT NULL
accounts.name_nfc text NOT NULL DEFAULT ''::text
accounts: CHECK (((length(name) >= 1) AND (length(name) <= 200)))
accounts: PRIMARY KEY (id)
annotations.at_ms bigint NOT NULL
annotations.content json NOT NULL
annotations.film_id text NOT NULL
annotations.id text NOT NULL
annotations.version bigint NOT NULL
annotations.who text
annotations: CHECK ((version > 0))
annotations: FOREIGN KEY (film_id) REFERENCES films(id)
annotations: PRIMARY KEY (id)
annotations: UNIQUE (film_id, version)
api_keys.account_id text NOT NULL
api_keys.created_at_ms bigint NOT NULL
api_keys.enterprise_session_cents bigint
api_keys.enterprise_single_cents bigint
api_keys.id text NOT NULL
api_keys.key_sha256 bytea NOT NULL
api_keys.last_used_at_ms bigint
api_keys.name text NOT NULL
api_keys.revoked_at_ms bigint
api_keys: CHECK (((enterprise_single_cents IS NULL) = (enterprise_session_cents IS NULL)))
api_keys: CHECK ((enterprise_session_cents >= 0))
api_keys: CHECK ((enterprise_single_cents >= 0))
api_keys: CHECK ((length(key_sha256) = 32))
api_keys: CHECK ((length(name) <= 200))
api_keys: FOREIGN KEY (account_id) REFERENCES accounts(id)
api_keys: PRIMARY KEY (id)
api_keys: UNIQUE (key_sha256)
audit_events.action text NOT NULL
audit_events.at_ms bigint NOT NULL
audit_events.detail json NOT NULL
audit_events.patient_id text
audit_events.person_id text
audit_events.seq bigint NOT NULL
audit_events.subject text
audit_events.via text NOT NULL
audit_events.who text
audit_events: CHECK ((via = ANY (ARRAY['window'::text, 'service'::text, 'command'::text, 'program'::text])))
audit_events: PRIMARY KEY (seq)
dicom_instances.facts json NOT NULL
dicom_instances.film_id text NOT NULL
dicom_instances.series_instance_uid text
dicom_instances.shape text NOT NULL
dicom_instances.sop_instance_uid text
dicom_instances.study_instance_uid text
dicom_instances: CHECK ((length(sop_instance_uid) > 0))
dicom_instances: FOREIGN KEY (film_id) REFERENCES films(id)
dicom_instances: PRIMARY KEY (film_id)
dicom_patients.name text NOT NULL
dicom_patients.number text
dicom_patients.patient_id text NOT NULL
dicom_patients.uuid text NOT NULL
dicom_patients: FOREIGN KEY (patient_id) REFERENCES patients(id)
dicom_patients: PRIMARY KEY (uuid)
erased_rows.found text
erased_rows.pseudonym text NOT NULL
erased_rows.subject text NOT NULL
erased_rows: PRIMARY KEY (pseudonym, subject)
erasing.pseudonym text NOT NULL
erasing: PRIMARY KEY (pseudonym)
film_images.bytes bytea NOT NULL
film_images.frame_index bigint NOT NULL
film_images.image text NOT NULL
film_images.part bigint NOT NULL
film_images.saved_at_ms bigint NOT NULL DEFAULT (EXTRACT(epoch FROM now()) * (1000)::numeric)
film_images.sha256 text NOT NULL
film_images: CHECK ((image = ANY (ARRAY['original'::text, 'thumbnail'::text, 'rectified'::text])))
film_images: PRIMARY KEY (sha256, frame_index, image, part)
films.added_at_ms bigint NOT NULL
films.failure_code text
films.failure_message text
films.file_name text NOT NULL
films.frame_index bigint NOT NULL DEFAULT 0
films.has_image bigint NOT NULL
films.has_rectified bigint NOT NULL DEFAULT 0
films.height_px bigint NOT NULL
films.id text NOT NULL
films.machine_id text
films.origin text NOT NULL
films.patient_id text
films.place bigint NOT NULL DEFAULT 0
films.queue_number bigint
films.removed_at_ms bigint
films.rowid bigint NOT NULL
films.sha256 text NOT NULL
films.state text NOT NULL
films.taken_at_ms bigint NOT NULL
films.width_px bigint NOT NULL
films: CHECK (((failure_code IS NULL) = (failure_message IS NULL)))
films: CHECK (((queue_number IS NOT NULL) = (state = ANY (ARRAY['queued'::text, 'measuring'::text]))))
films: CHECK ((frame_index >= 0))
films: CHECK ((has_image = ANY (ARRAY[(0)::bigint, (1)::bigint])))
films: CHECK ((has_rectified = ANY (ARRAY[(0)::bigint, (1)::bigint])))
films: CHECK ((height_px > 0))
films: CHECK ((length(sha256) = 64))
films: CHECK ((origin = ANY (ARRAY['file'::text, 'paste'::text, 'capture'::text, 'dicom'::text])))
films: CHECK ((place >= 0))
films: CHECK ((state = ANY (ARRAY['queued'::text, 'measuring'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
films: CHECK ((width_px > 0))
films: FOREIGN KEY (patient_id) REFERENCES patients(id)
films: PRIMARY KEY (id)
last_given.seq bigint NOT NULL
last_given.table_name text NOT NULL
last_given: PRIMARY KEY (table_name)
ledger.account_id text NOT NULL
ledger.amount_cents bigint
ledger.at_ms bigint NOT NULL
ledger.call_id text NOT NULL
ledger.call_type text NOT NULL
ledger.currency text NOT NULL
ledger.hash text NOT NULL
ledger.key_id text
ledger.kind text NOT NULL
ledger.measurement_id bigint
ledger.note text
ledger.ordinal bigint
ledger.period text NOT NULL
ledger.previous_hash text NOT NULL
ledger.reverses bigint
ledger.seq bigint NOT NULL
ledger.service text NOT NULL
ledger.tier text NOT NULL
ledger.uuid text
ledger.uuid_nfc text
ledger: CHECK (
CASE kind
    WHEN 'charge'::text THEN ((ordinal IS NOT NULL) AND (reverses IS NULL) AND ((amount_cents IS NULL) OR (amount_cents >= 0)) AND ((service = 'usg'::text) OR ((measurement_id IS NOT NULL) AND (amount_cents IS NOT NULL))))
    WHEN 'reversal'::text THEN ((ordinal IS NULL) AND (reverses IS NOT NULL) AND ((amount_cents IS NULL) OR (amount_cents <= 0)))
    ELSE ((ordinal IS NULL) AND (reverses IS NULL) AND (amount_cents IS NULL) AND (note IS NOT NULL))
END)
ledger: CHECK ((call_type = ANY (ARRAY['single'::text, 'session'::text])))
ledger: CHECK ((kind = ANY (ARRAY['charge'::text, 'reversal'::text, 'statement'::text])))
ledger: CHECK ((ordinal > 0))
ledger: CHECK ((period ~ '^[0-9]{4}-[0-9]{2}$'::text))
ledger: CHECK ((service = ANY (ARRAY['cardiac'::text, 'usg'::text])))
ledger: CHECK ((tier = ANY (ARRAY['paygo'::text, 'starter'::text, 'professional'::text, 'enterprise'::text])))
ledger: FOREIGN KEY (account_id) REFERENCES accounts(id)
ledger: FOREIGN KEY (key_id) REFERENCES api_keys(id)
ledger: FOREIGN KEY (measurement_id) REFERENCES measurements(id)
ledger: FOREIGN KEY (reverses) REFERENCES ledger(seq)
ledger: PRIMARY KEY (seq)
ledger: UNIQUE (hash)
ledger: UNIQUE (previous_hash)
ledger: UNIQUE (reverses)
machines.id text NOT NULL
machines.name text NOT NULL
machines.program_version text NOT NULL
machines.seen_at_ms bigint NOT NULL
machines: PRIMARY KEY (id)
measurements.account_id text NOT NULL
measurements.at_ms bigint NOT NULL
measurements.call_id text NOT NULL
measurements.classifier_confidence double precision NOT NULL
measurements.corners json
measurements.edges json
measurements.height_px bigint NOT NULL
measurements.id bigint NOT NULL
measurements.image_sha256 text NOT NULL
measurements.intervals json
measurements.is_best bigint NOT NULL
measurements.key_id text
measurements.landmarks json
measurements.model_version text NOT NULL
measurements.outline json
measurements.pack_name text NOT NULL
measurements.pack_version text NOT NULL
measurements.parameters json NOT NULL
measurements.photo_index bigint NOT NULL
measurements.pop_detected bigint NOT NULL
measurements.program_version text NOT NULL
measurements.result_code bigint NOT NULL
measurements.ruler_edges json
measurements.ruler_kind text
measurements.service text NOT NULL
measurements.sharpness double precision
measurements.spread double precision
measurements.tier text
measurements.uuid text
measurements.uuid_nfc text
measurements.vhs double precision
measurements.vlas double precision
measurements.votes json
measurements.width_px bigint NOT NULL
measurements: CHECK (((is_best = 0) OR (vhs IS NOT NULL)))
measurements: CHECK (((result_code >= 0) AND (result_code <= 7)))
measurements: CHECK ((is_best = ANY (ARRAY[(0)::bigint, (1)::bigint])))
measurements: CHECK ((photo_index >= 0))
measurements: CHECK ((pop_detected = ANY (ARRAY[(0)::bigint, (1)::bigint])))
measurements: CHECK ((ruler_kind = ANY (ARRAY['detected'::text, 'fallback'::text])))
measurements: CHECK ((service = ANY (ARRAY['cardiac'::text, 'usg'::text])))
measurements: CHECK ((tier = ANY (ARRAY['optimal'::text, 'good'::text, 'review'::text])))
measurements: FOREIGN KEY (account_id) REFERENCES accounts(id)
measurements: FOREIGN KEY (key_id) REFERENCES api_keys(id)
measurements: PRIMARY KEY (id)
measurements: UNIQUE (call_id, photo_index)
migrations.applied_at_ms bigint NOT NULL
migrations.name text NOT NULL
migrations.sha256 text NOT NULL
migrations: PRIMARY KEY (name)
monthly_volumes.account_id text NOT NULL
monthly_volumes.calls bigint NOT NULL
monthly_volumes.period text NOT NULL
monthly_volumes: FOREIGN KEY (account_id) REFERENCES accounts(id)
monthly_volumes: PRIMARY KEY (account_id, period)
open_films.film_id text NOT NULL
open_films.machine_id text NOT NULL
open_films.since_ms bigint NOT NULL
open_films.who text
open_films: PRIMARY KEY (film_id, machine_id)
patient_aliases.patient_id text NOT NULL
patient_aliases.uuid text NOT NULL
patient_aliases.uuid_nfc text NOT NULL
patient_aliases: FOREIGN KEY (patient_id) REFERENCES patients(id)
patient_aliases: PRIMARY KEY (uuid_nfc)
patients.birth_date text
patients.breed text NOT NULL
patients.created_at_ms bigint NOT NULL
patients.id text NOT NULL
patients.is_neutered bigint
patients.last_seen_at_ms bigint NOT NULL
patients.microchip text
patients.name text NOT NULL
patients.owner text NOT NULL
patients.sex text
patients.species text
patients.uuid text
patients.uuid_nfc text
patients.weight_kg double precision
patients: CHECK ((birth_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text))
patients: CHECK ((is_neutered = ANY (ARRAY[(0)::bigint, (1)::bigint])))
patients: CHECK ((length(microchip) > 0))
patients: CHECK ((length(uuid) > 0))
patients: CHECK ((sex = ANY (ARRAY['male'::text, 'female'::text])))
patients: CHECK ((species = ANY (ARRAY['dog'::text, 'cat'::text])))
patients: CHECK ((weight_kg > (0)::double precision))
patients: PRIMARY KEY (id)
patients: UNIQUE (uuid)
people.created_at_ms bigint NOT NULL
people.id text NOT NULL
people.name text NOT NULL
people.retired_at_ms bigint
people.role text NOT NULL
people.secret_hash text NOT NULL
people.wait_until_ms bigint NOT NULL DEFAULT 0
people.wrong_secrets bigint NOT NULL DEFAULT 0
people: CHECK ((role = ANY (ARRAY['administrator'::text, 'veterinarian'::text, 'assistant'::text])))
people: CHECK ((wrong_secrets >= 0))
people: PRIMARY KEY (id)
pop_session_frames.film bytea
pop_session_frames.frame_index bigint NOT NULL
pop_session_frames.measurement json NOT NULL
pop_session_frames.session_id text NOT NULL
pop_session_frames: FOREIGN KEY (session_id) REFERENCES pop_sessions(id) ON DELETE CASCADE
pop_session_frames: PRIMARY KEY (session_id, frame_index)
pop_sessions.account_id text NOT NULL
pop_sessions.consecutive_failures bigint NOT NULL DEFAULT 0
pop_sessions.ended_at_ms bigint
pop_sessions.frames_processed bigint NOT NULL DEFAULT 0
pop_sessions.id text NOT NULL
pop_sessions.key_id text NOT NULL
pop_sessions.started_at_ms bigint NOT NULL
pop_sessions.terminal_body json
pop_sessions.uuid text
pop_sessions: CHECK (((ended_at_ms IS NULL) = (terminal_body IS NULL)))
pop_sessions: CHECK ((consecutive_failures >= 0))
pop_sessions: CHECK ((frames_processed >= 0))
pop_sessions: FOREIGN KEY (account_id) REFERENCES accounts(id)
pop_sessions: FOREIGN KEY (key_id) REFERENCES api_keys(id)
pop_sessions: PRIMARY KEY (id)
reading_values.measure text NOT NULL
reading_values.reading_id text NOT NULL
reading_values.value double precision NOT NULL
reading_values: FOREIGN KEY (reading_id) REFERENCES readings(id)
reading_values: PRIMARY KEY (reading_id, measure)
readings.at_ms bigint NOT NULL
readings.detail json NOT NULL
readings.film_id text NOT NULL
readings.id text NOT NULL
readings.remark text NOT NULL
readings.result_code bigint
readings.source text NOT NULL
readings.tier text
readings.verdict text
readings.version bigint NOT NULL
readings.who text
readings: CHECK (((result_code >= 0) AND (result_code <= 7)))
readings: CHECK (((source = 'person'::text) = (verdict IS NOT NULL)))
readings: CHECK (((source = 'person'::text) = (who IS NOT NULL)))
readings: CHECK ((source = ANY (ARRAY['model'::text, 'person'::text])))
readings: CHECK ((tier = ANY (ARRAY['optimal'::text, 'good'::text, 'review'::text])))
readings: CHECK ((verdict = ANY (ARRAY['accepted'::text, 'rejected'::text, 'corrected'::text, 'by_hand'::text])))
readings: CHECK ((version > 0))
readings: FOREIGN KEY (film_id) REFERENCES films(id)
readings: PRIMARY KEY (id)
readings: UNIQUE (film_id, version)
screened_patients.call_id text NOT NULL
screened_patients.patient_id text NOT NULL
screened_patients: FOREIGN KEY (call_id) REFERENCES usg_predictions(call_id) ON DELETE CASCADE
screened_patients: PRIMARY KEY (call_id)
set_aside_objects.facts json
set_aside_objects.failure json NOT NULL
set_aside_objects.file_name text NOT NULL
set_aside_objects.id text NOT NULL
set_aside_objects.machine_id text
set_aside_objects.received_at_ms bigint NOT NULL
set_aside_objects.sender text
set_aside_objects: PRIMARY KEY (id)
set_aside_objects: UNIQUE (file_name)
settings.key text NOT NULL
settings.value json NOT NULL
settings: PRIMARY KEY (key)
undelivered_charges.answer_until_ms bigint
undelivered_charges.call_id text NOT NULL
undelivered_charges.machine_id text
undelivered_charges.seq bigint NOT NULL
undelivered_charges: FOREIGN KEY (seq) REFERENCES ledger(seq)
undelivered_charges: PRIMARY KEY (call_id)
undelivered_charges: UNIQUE (seq)
usg_predictions.account_id text NOT NULL
usg_predictions.age_months double precision NOT NULL
usg_predictions.at_ms bigint NOT NULL
usg_predictions.billing text NOT NULL
usg_predictions.bun_mg_per_dl double precision NOT NULL
usg_predictions.call_id text NOT NULL
usg_predictions.clinic_code text
usg_predictions.clinic_code_nfc text
usg_predictions.creatinine_mg_per_dl double precision NOT NULL
usg_predictions.haemoglobin_g_per_dl double precision NOT NULL
usg_predictions.key_id text
usg_predictions.lymphocytes_per_ul double precision NOT NULL
usg_predictions.model_version text NOT NULL
usg_predictions.pack_name text NOT NULL
usg_predictions.pack_version text NOT NULL
usg_predictions.probability_impaired double precision NOT NULL
usg_predictions.program_version text NOT NULL
usg_predictions.release json
usg_predictions.result json NOT NULL
usg_predictions.risk_tier text NOT NULL
usg_predictions.rowid bigint NOT NULL
usg_predictions.threshold_impaired double precision NOT NULL
usg_predictions.uuid text
usg_predictions.uuid_nfc text
usg_predictions: CHECK (((probability_impaired >= (0)::double precision) AND (probability_impaired <= (1)::double precision)))
usg_predictions: CHECK ((billing = ANY (ARRAY['billed'::text, 'recheck_24h'::text, 'billing_error'::text, 'not_metered'::text])))
usg_predictions: CHECK ((risk_tier = ANY (ARRAY['low'::text, 'moderate_low'::text, 'moderate_high'::text, 'high'::text])))
usg_predictions: FOREIGN KEY (account_id) REFERENCES accounts(id)
usg_predictions: FOREIGN KEY (key_id) REFERENCES api_keys(id)
usg_predictions: PRIMARY KEY (call_id)
value_seals.hash text NOT NULL
value_seals.previous_hash text NOT NULL
value_seals.row_key text NOT NULL
value_seals.seq bigint NOT NULL
value_seals.source text NOT NULL
value_seals: PRIMARY KEY (seq)
value_seals: UNIQUE (hash)
value_seals: UNIQUE (previous_hash)
value_seals: UNIQUE (source, row_key)
waiting_results.film_sop_instance_uid text NOT NULL
waiting_results.frame_index bigint NOT NULL
waiting_results.is_exact bigint NOT NULL DEFAULT 0
waiting_results.readings json NOT NULL
waiting_results.sop_instance_uid text NOT NULL
waiting_results: CHECK ((frame_index >= 0))
waiting_results: CHECK ((is_exact = ANY (ARRAY[(0)::bigint, (1)::bigint])))
waiting_results: PRIMARY KEY (sop_instance_uid)
watched_files.at_ms bigint NOT NULL
watched_files.changed_at_ms bigint NOT NULL
watched_files.outcome text NOT NULL
watched_files.path_sha256 text NOT NULL
watched_files.size_bytes bigint NOT NULL
watched_files: CHECK ((outcome = ANY (ARRAY['opened'::text, 'failed'::text, 'passed-over'::text])))
watched_files: PRIMARY KEY (path_sha256)
watched_films.film_id text NOT NULL
watched_films.machine_id text
watched_films.written_fingerprint text
watched_films: FOREIGN KEY (film_id) REFERENCES films(id) ON DELETE CASCADE
watched_films: PRIMARY KEY (film_id)
