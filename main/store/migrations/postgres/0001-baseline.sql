-- The store in a PostgreSQL database: the tables, constraints and triggers of the baseline for a file, where columns are
-- explained. Text is compared byte by byte as in SQLite, JSON keeps its text, times are UTC [ms], flags 0 or 1. From here
-- on each migration has a file of the same name for both engines.

-- A text as it is searched; the same as core/searched-text.ts. The long class is Unicode's Diacritic.
CREATE FUNCTION searched_text_of_any(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
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
$$;

-- The same, several times as fast, for Latin letters. The name of the schema is part of it: without it an index on the
-- function could not be restored from a dump.
-- Upper letters without parts that are lower otherwise than by their accents (Ð, Þ, Đ, Ħ, Ŋ, Ŧ) and those of several
-- letters (Ĳ, ŀ, ŉ) are not among these. Vowels before an e come first, so that what an æ leaves is not taken for one.
CREATE FUNCTION searched_text(text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 20 AS $$
BEGIN
  IF octet_length($1) = length($1) THEN
    RETURN replace(replace(replace(translate(lower($1 COLLATE "C"), '^`', ''), 'ae', 'a'), 'oe', 'o'), 'ue', 'u');
  END IF;
  IF $1 ~ '[^\u0001-\u007f\u00c0-\u00cf\u00d1-\u00dd\u00df-\u010f\u0111-\u0125\u0127-\u0131\u0134-\u013e\u0141-\u0148\u014b-\u0165\u0167-\u017e]' THEN
    RETURN searched_text_of_any($1);
  END IF;
  RETURN translate(replace(replace(replace(replace(
      translate(lower(normalize($1, NFKD) COLLATE "C"),
        U&'\00c6\00d8\0141\0152^`\0300\0301\0302\0303\0304\0306\0307\0308\030a\030b\030c\0327\0328', 'æøłœ'),
      'ae', 'a'), 'oe', 'o'), 'ue', 'u'), 'ß', 'ss'), 'æœøł', 'aool');
END $$;
DO $$
BEGIN
  EXECUTE replace(pg_get_functiondef('searched_text(text)'::regprocedure),
    'RETURN searched_text_of_any', format('RETURN %I.searched_text_of_any', current_schema()));
END $$;

-- JSON may say U+0000, which no text of PostgreSQL can hold: it is left out, backslashes that only look like it stay.
CREATE FUNCTION patient_number(facts json) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (CASE WHEN strpos(facts::text, '\u0000') = 0 THEN facts
  ELSE regexp_replace(facts::text, '(\\\\)|\\u0000', '\1', 'g')::json END) -> 'patient' ->> 'id';

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
END $$;

-- `erasing` holds a row only within the transaction that erases a patient, and nobody else sees it.
CREATE FUNCTION refuse_unless_erasing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM erasing) THEN
    RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE FUNCTION refuse_all_but_pseudonym() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM erasing WHERE pseudonym = NEW.uuid AND pseudonym = NEW.uuid_nfc) THEN
    RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION append_at_the_end() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
BEGIN
  EXECUTE format('SELECT max(seq) FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO last;
  IF NEW.seq IS DISTINCT FROM coalesce(last, 0) + 1 THEN
    RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

-- The highest number that a table ever gave, its last rows gone or not: what SQLite keeps in sqlite_sequence.
CREATE TABLE last_given (
  table_name text COLLATE "C" PRIMARY KEY,
  seq bigint NOT NULL
);

-- With the rights of the owner: nobody else writes there.
CREATE FUNCTION keep_last_given() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO last_given VALUES (TG_TABLE_NAME, NEW.seq)
    ON CONFLICT (table_name) DO UPDATE SET seq = greatest(last_given.seq, excluded.seq);
  RETURN NULL;
END $$;

CREATE TABLE accounts (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  name_nfc text COLLATE "C" NOT NULL DEFAULT '',
  created_at_ms bigint NOT NULL
);
CREATE UNIQUE INDEX accounts_by_name ON accounts (lower(name));
CREATE INDEX accounts_by_compared_name ON accounts (lower(name_nfc));

CREATE TABLE api_keys (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  name text COLLATE "C" NOT NULL CHECK (length(name) <= 200),
  key_sha256 bytea NOT NULL UNIQUE CHECK (length(key_sha256) = 32),
  created_at_ms bigint NOT NULL,
  last_used_at_ms bigint,
  revoked_at_ms bigint,
  enterprise_single_cents bigint CHECK (enterprise_single_cents >= 0),
  enterprise_session_cents bigint CHECK (enterprise_session_cents >= 0),
  CHECK ((enterprise_single_cents IS NULL) = (enterprise_session_cents IS NULL))
);
CREATE INDEX api_keys_by_account ON api_keys (account_id);

CREATE TABLE measurements (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  call_id text COLLATE "C" NOT NULL,
  photo_index bigint NOT NULL CHECK (photo_index >= 0),
  is_best bigint NOT NULL CHECK (is_best IN (0, 1)),
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  key_id text COLLATE "C" REFERENCES api_keys (id),
  service text COLLATE "C" NOT NULL CHECK (service IN ('cardiac', 'usg')),
  uuid text COLLATE "C",
  uuid_nfc text COLLATE "C",
  at_ms bigint NOT NULL,
  image_sha256 text COLLATE "C" NOT NULL,
  pack_name text COLLATE "C" NOT NULL,
  pack_version text COLLATE "C" NOT NULL,
  model_version text COLLATE "C" NOT NULL,
  program_version text COLLATE "C" NOT NULL,
  parameters json NOT NULL,
  width_px bigint NOT NULL,
  height_px bigint NOT NULL,
  classifier_confidence double precision NOT NULL,
  result_code bigint NOT NULL CHECK (result_code BETWEEN 0 AND 7),
  vhs double precision,
  vlas double precision,
  spread double precision,
  tier text COLLATE "C" CHECK (tier IN ('optimal', 'good', 'review')),
  pop_detected bigint NOT NULL CHECK (pop_detected IN (0, 1)),
  sharpness double precision,
  landmarks json,
  ruler_kind text COLLATE "C" CHECK (ruler_kind IN ('detected', 'fallback')),
  ruler_edges json,
  edges json,
  corners json,
  votes json,
  outline json,
  intervals json,
  UNIQUE (call_id, photo_index),
  CHECK (is_best = 0 OR vhs IS NOT NULL)
);
CREATE INDEX measurements_by_patient ON measurements (account_id, uuid_nfc, at_ms);
CREATE INDEX measurements_by_time ON measurements (account_id, at_ms);
CREATE INDEX measurements_by_uuid ON measurements (uuid_nfc, at_ms) WHERE uuid_nfc IS NOT NULL;
CREATE TRIGGER measurements_refuse_delete BEFORE DELETE ON measurements
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('measurements never go');
CREATE TRIGGER measurements_refuse_update BEFORE UPDATE OF id, call_id, photo_index, account_id, key_id, service, at_ms,
  pack_name, pack_version, model_version, program_version, result_code, pop_detected ON measurements
  FOR EACH ROW EXECUTE FUNCTION refuse('measurements never change');
CREATE TRIGGER measurements_refuse_update_of_content BEFORE UPDATE OF is_best, image_sha256, parameters, width_px, height_px,
  classifier_confidence, vhs, vlas, spread, tier, sharpness, landmarks, ruler_kind, ruler_edges, edges, corners, votes, outline,
  intervals ON measurements
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('measurements never change');

CREATE TABLE ledger (
  seq bigint PRIMARY KEY,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('charge', 'reversal', 'statement')),
  call_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  key_id text COLLATE "C" REFERENCES api_keys (id),
  service text COLLATE "C" NOT NULL CHECK (service IN ('cardiac', 'usg')),
  call_type text COLLATE "C" NOT NULL CHECK (call_type IN ('single', 'session')),
  uuid text COLLATE "C",
  uuid_nfc text COLLATE "C",
  at_ms bigint NOT NULL,
  period text COLLATE "C" NOT NULL CHECK (period ~ '^[0-9]{4}-[0-9]{2}$'),
  ordinal bigint CHECK (ordinal > 0),
  tier text COLLATE "C" NOT NULL CHECK (tier IN ('paygo', 'starter', 'professional', 'enterprise')),
  amount_cents bigint,
  currency text COLLATE "C" NOT NULL,
  reverses bigint UNIQUE REFERENCES ledger (seq),
  note text COLLATE "C",
  measurement_id bigint REFERENCES measurements (id),
  previous_hash text COLLATE "C" NOT NULL UNIQUE,
  hash text COLLATE "C" NOT NULL UNIQUE,
  CHECK (CASE kind
    WHEN 'charge' THEN ordinal IS NOT NULL AND reverses IS NULL AND (amount_cents IS NULL OR amount_cents >= 0)
      AND (service = 'usg' OR (measurement_id IS NOT NULL AND amount_cents IS NOT NULL))
    WHEN 'reversal' THEN ordinal IS NULL AND reverses IS NOT NULL AND (amount_cents IS NULL OR amount_cents <= 0)
    ELSE ordinal IS NULL AND reverses IS NULL AND amount_cents IS NULL AND note IS NOT NULL
  END)
);
CREATE INDEX ledger_by_account ON ledger (account_id, seq);
CREATE UNIQUE INDEX ledger_by_call ON ledger (call_id) WHERE kind = 'charge';
CREATE INDEX ledger_by_patient ON ledger (account_id, service, uuid_nfc, at_ms) WHERE uuid_nfc IS NOT NULL;
CREATE INDEX ledger_by_period ON ledger (account_id, period, kind);
CREATE INDEX ledger_reversals ON ledger (account_id, reverses) WHERE kind = 'reversal';
CREATE TRIGGER ledger_appends_at_the_end BEFORE INSERT ON ledger
  FOR EACH ROW EXECUTE FUNCTION append_at_the_end('a ledger row is appended at the end');
CREATE TRIGGER ledger_keeps_last_given AFTER INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION keep_last_given();
CREATE TRIGGER ledger_refuses_delete BEFORE DELETE ON ledger
  FOR EACH ROW EXECUTE FUNCTION refuse('the ledger is append-only');
CREATE TRIGGER ledger_refuses_update BEFORE UPDATE OF seq, kind, call_id, account_id, key_id, service, call_type, at_ms, period,
  ordinal, tier, amount_cents, currency, reverses, note, measurement_id, previous_hash, hash ON ledger
  FOR EACH ROW EXECUTE FUNCTION refuse('the ledger is append-only');
CREATE TRIGGER ledger_refuses_update_of_patient BEFORE UPDATE OF uuid, uuid_nfc ON ledger
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_pseudonym('the ledger is append-only');

CREATE TABLE monthly_volumes (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  period text COLLATE "C" NOT NULL,
  calls bigint NOT NULL,
  PRIMARY KEY (account_id, period)
);

CREATE TABLE undelivered_charges (
  call_id text COLLATE "C" PRIMARY KEY,
  seq bigint NOT NULL UNIQUE REFERENCES ledger (seq),
  answer_until_ms bigint,
  machine_id text COLLATE "C"
);

CREATE TABLE value_seals (
  seq bigint PRIMARY KEY,
  source text COLLATE "C" NOT NULL,
  row_key text COLLATE "C" NOT NULL,
  previous_hash text COLLATE "C" NOT NULL UNIQUE,
  hash text COLLATE "C" NOT NULL UNIQUE,
  UNIQUE (source, row_key)
);
CREATE TRIGGER value_seals_append_at_the_end BEFORE INSERT ON value_seals
  FOR EACH ROW EXECUTE FUNCTION append_at_the_end('a seal is appended at the end');
CREATE TRIGGER value_seals_keep_last_given AFTER INSERT ON value_seals FOR EACH ROW EXECUTE FUNCTION keep_last_given();
CREATE TRIGGER value_seals_refuse_delete BEFORE DELETE ON value_seals
  FOR EACH ROW EXECUTE FUNCTION refuse('seals are append-only');
CREATE TRIGGER value_seals_refuse_update BEFORE UPDATE ON value_seals
  FOR EACH ROW EXECUTE FUNCTION refuse('seals are append-only');

CREATE TABLE erasing (pseudonym text COLLATE "C" PRIMARY KEY);

CREATE TABLE erased_rows (
  subject text COLLATE "C" NOT NULL,
  pseudonym text COLLATE "C" NOT NULL,
  found text COLLATE "C",
  PRIMARY KEY (pseudonym, subject)
);
CREATE TRIGGER erased_rows_refuse_delete BEFORE DELETE ON erased_rows
  FOR EACH ROW EXECUTE FUNCTION refuse('what was erased stays erased');
CREATE TRIGGER erased_rows_refuse_update BEFORE UPDATE ON erased_rows
  FOR EACH ROW EXECUTE FUNCTION refuse('what was erased stays erased');

CREATE TABLE audit_events (
  seq bigint PRIMARY KEY,
  at_ms bigint NOT NULL,
  action text COLLATE "C" NOT NULL,
  via text COLLATE "C" NOT NULL CHECK (via IN ('window', 'service', 'command', 'program')),
  person_id text COLLATE "C",
  who text COLLATE "C",
  patient_id text COLLATE "C",
  subject text COLLATE "C",
  detail json NOT NULL
);
CREATE INDEX audit_events_by_patient ON audit_events (patient_id, seq) WHERE patient_id IS NOT NULL;
CREATE INDEX audit_events_by_time ON audit_events (at_ms);
CREATE TRIGGER audit_events_append_at_the_end BEFORE INSERT ON audit_events
  FOR EACH ROW EXECUTE FUNCTION append_at_the_end('an event is appended at the end');
CREATE TRIGGER audit_events_keep_last_given AFTER INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION keep_last_given();
CREATE TRIGGER audit_events_refuse_delete BEFORE DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION refuse('the audit trail is append-only');
CREATE TRIGGER audit_events_refuse_update BEFORE UPDATE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION refuse('the audit trail is append-only');

CREATE TABLE people (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role IN ('administrator', 'veterinarian', 'assistant')),
  secret_hash text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  retired_at_ms bigint,
  wrong_secrets bigint NOT NULL DEFAULT 0 CHECK (wrong_secrets >= 0),
  wait_until_ms bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX people_by_name ON people (lower(name)) WHERE retired_at_ms IS NULL;
CREATE TRIGGER people_refuse_delete BEFORE DELETE ON people
  FOR EACH ROW EXECUTE FUNCTION refuse('people retire and never go');

CREATE TABLE settings (
  key text COLLATE "C" PRIMARY KEY,
  value json NOT NULL
);

CREATE TABLE machines (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  program_version text COLLATE "C" NOT NULL,
  seen_at_ms bigint NOT NULL
);

CREATE TABLE pop_sessions (
  id text COLLATE "C" PRIMARY KEY,
  key_id text COLLATE "C" NOT NULL REFERENCES api_keys (id),
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  uuid text COLLATE "C",
  started_at_ms bigint NOT NULL,
  frames_processed bigint NOT NULL DEFAULT 0 CHECK (frames_processed >= 0),
  consecutive_failures bigint NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
  ended_at_ms bigint,
  terminal_body json,
  CHECK ((ended_at_ms IS NULL) = (terminal_body IS NULL))
);
CREATE INDEX pop_sessions_by_start ON pop_sessions (started_at_ms);

CREATE TABLE pop_session_frames (
  session_id text COLLATE "C" NOT NULL REFERENCES pop_sessions (id) ON DELETE CASCADE,
  frame_index bigint NOT NULL,
  measurement json NOT NULL,
  film bytea,
  PRIMARY KEY (session_id, frame_index)
);

CREATE TABLE usg_predictions (
  call_id text COLLATE "C" PRIMARY KEY,
  rowid bigint GENERATED ALWAYS AS IDENTITY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
  key_id text COLLATE "C" REFERENCES api_keys (id),
  uuid text COLLATE "C",
  uuid_nfc text COLLATE "C",
  clinic_code text COLLATE "C",
  clinic_code_nfc text COLLATE "C",
  at_ms bigint NOT NULL,
  bun_mg_per_dl double precision NOT NULL,
  creatinine_mg_per_dl double precision NOT NULL,
  haemoglobin_g_per_dl double precision NOT NULL,
  lymphocytes_per_ul double precision NOT NULL,
  age_months double precision NOT NULL,
  probability_impaired double precision NOT NULL CHECK (probability_impaired BETWEEN 0 AND 1),
  risk_tier text COLLATE "C" NOT NULL CHECK (risk_tier IN ('low', 'moderate_low', 'moderate_high', 'high')),
  pack_name text COLLATE "C" NOT NULL,
  pack_version text COLLATE "C" NOT NULL,
  model_version text COLLATE "C" NOT NULL,
  program_version text COLLATE "C" NOT NULL,
  result json NOT NULL,
  billing text COLLATE "C" NOT NULL CHECK (billing IN ('billed', 'recheck_24h', 'billing_error', 'not_metered')),
  threshold_impaired double precision NOT NULL,
  release json
);
CREATE INDEX usg_predictions_by_clinic ON usg_predictions (clinic_code_nfc, at_ms);
CREATE INDEX usg_predictions_by_patient ON usg_predictions (account_id, uuid_nfc, at_ms);
CREATE TRIGGER usg_predictions_refuse_delete BEFORE DELETE ON usg_predictions
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('screenings never go');
CREATE TRIGGER usg_predictions_refuse_update BEFORE UPDATE OF call_id, account_id, key_id, at_ms, bun_mg_per_dl,
  creatinine_mg_per_dl, haemoglobin_g_per_dl, lymphocytes_per_ul, age_months, probability_impaired, risk_tier,
  pack_name, pack_version, model_version, program_version, result, billing, threshold_impaired, release
  ON usg_predictions
  FOR EACH ROW EXECUTE FUNCTION refuse('screenings never change');

CREATE TABLE screened_patients (
  call_id text COLLATE "C" PRIMARY KEY REFERENCES usg_predictions (call_id) ON DELETE CASCADE,
  patient_id text COLLATE "C" NOT NULL
);
CREATE INDEX screened_patients_by_patient ON screened_patients (patient_id);

CREATE TABLE patients (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  species text COLLATE "C" CHECK (species IN ('dog', 'cat')),
  breed text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  uuid text COLLATE "C" UNIQUE CHECK (length(uuid) > 0),
  uuid_nfc text COLLATE "C",
  microchip text COLLATE "C" CHECK (length(microchip) > 0),
  sex text COLLATE "C" CHECK (sex IN ('male', 'female')),
  is_neutered bigint CHECK (is_neutered IN (0, 1)),
  birth_date text COLLATE "C" CHECK (birth_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  weight_kg double precision CHECK (weight_kg > 0),
  created_at_ms bigint NOT NULL,
  last_seen_at_ms bigint NOT NULL
);
CREATE INDEX patients_by_last_seen ON patients (last_seen_at_ms);
CREATE INDEX patients_by_uuid ON patients (uuid_nfc);

CREATE TABLE patient_aliases (
  uuid_nfc text COLLATE "C" PRIMARY KEY,
  uuid text COLLATE "C" NOT NULL,
  patient_id text COLLATE "C" NOT NULL REFERENCES patients (id)
);
CREATE INDEX patient_aliases_by_patient ON patient_aliases (patient_id);

CREATE TABLE films (
  id text COLLATE "C" PRIMARY KEY,
  rowid bigint GENERATED ALWAYS AS IDENTITY,
  file_name text COLLATE "C" NOT NULL,
  sha256 text COLLATE "C" NOT NULL CHECK (length(sha256) = 64),
  origin text COLLATE "C" NOT NULL CHECK (origin IN ('file', 'paste', 'capture', 'dicom')),
  added_at_ms bigint NOT NULL,
  taken_at_ms bigint NOT NULL,
  patient_id text COLLATE "C" REFERENCES patients (id),
  state text COLLATE "C" NOT NULL CHECK (state IN ('queued', 'measuring', 'done', 'failed', 'cancelled')),
  queue_number bigint,
  failure_code text COLLATE "C",
  failure_message text COLLATE "C",
  width_px bigint NOT NULL CHECK (width_px > 0),
  height_px bigint NOT NULL CHECK (height_px > 0),
  has_image bigint NOT NULL CHECK (has_image IN (0, 1)),
  has_rectified bigint NOT NULL DEFAULT 0 CHECK (has_rectified IN (0, 1)),
  removed_at_ms bigint,
  frame_index bigint NOT NULL DEFAULT 0 CHECK (frame_index >= 0),
  place bigint NOT NULL DEFAULT 0 CHECK (place >= 0),
  machine_id text COLLATE "C",
  CHECK ((failure_code IS NULL) = (failure_message IS NULL)),
  CHECK ((queue_number IS NOT NULL) = (state IN ('queued', 'measuring')))
);
CREATE INDEX films_by_added ON films (added_at_ms DESC, place) WHERE removed_at_ms IS NULL;
CREATE INDEX films_by_patient ON films (patient_id, taken_at_ms);
CREATE INDEX films_by_queue ON films (queue_number) WHERE queue_number IS NOT NULL;
CREATE INDEX films_by_taken ON films (taken_at_ms) WHERE removed_at_ms IS NULL;
CREATE UNIQUE INDEX films_on_worklist ON films (sha256, frame_index) WHERE removed_at_ms IS NULL;

-- What is compressed already is stored as it is.
CREATE TABLE film_images (
  sha256 text COLLATE "C" NOT NULL,
  frame_index bigint NOT NULL,
  image text COLLATE "C" NOT NULL CHECK (image IN ('original', 'thumbnail', 'rectified')),
  part bigint NOT NULL,
  bytes bytea NOT NULL,
  saved_at_ms bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000),
  PRIMARY KEY (sha256, frame_index, image, part)
);
ALTER TABLE film_images ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE open_films (
  film_id text COLLATE "C" NOT NULL,
  machine_id text COLLATE "C" NOT NULL,
  who text COLLATE "C",
  since_ms bigint NOT NULL,
  PRIMARY KEY (film_id, machine_id)
);

CREATE TABLE readings (
  id text COLLATE "C" PRIMARY KEY,
  film_id text COLLATE "C" NOT NULL REFERENCES films (id),
  version bigint NOT NULL CHECK (version > 0),
  source text COLLATE "C" NOT NULL CHECK (source IN ('model', 'person')),
  verdict text COLLATE "C" CHECK (verdict IN ('accepted', 'rejected', 'corrected', 'by_hand')),
  at_ms bigint NOT NULL,
  who text COLLATE "C",
  remark text COLLATE "C" NOT NULL,
  result_code bigint CHECK (result_code BETWEEN 0 AND 7),
  tier text COLLATE "C" CHECK (tier IN ('optimal', 'good', 'review')),
  detail json NOT NULL,
  UNIQUE (film_id, version),
  CHECK ((source = 'person') = (verdict IS NOT NULL)),
  CHECK ((source = 'person') = (who IS NOT NULL))
);
CREATE INDEX readings_by_decision ON readings (at_ms) WHERE verdict IS NOT NULL;
CREATE INDEX readings_by_film ON readings (film_id, version DESC, source, tier);
CREATE TRIGGER readings_refuse_delete BEFORE DELETE ON readings
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('readings are versions and never go');
CREATE TRIGGER readings_refuse_update BEFORE UPDATE ON readings
  FOR EACH ROW EXECUTE FUNCTION refuse('readings are versions and never change');

CREATE TABLE reading_values (
  reading_id text COLLATE "C" NOT NULL REFERENCES readings (id),
  measure text COLLATE "C" NOT NULL,
  value double precision NOT NULL,
  PRIMARY KEY (reading_id, measure)
);
CREATE TRIGGER reading_values_refuse_delete BEFORE DELETE ON reading_values
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('values belong to a version and never go');
CREATE TRIGGER reading_values_refuse_update BEFORE UPDATE ON reading_values
  FOR EACH ROW EXECUTE FUNCTION refuse('values belong to a version and never change');

CREATE TABLE annotations (
  id text COLLATE "C" PRIMARY KEY,
  film_id text COLLATE "C" NOT NULL REFERENCES films (id),
  version bigint NOT NULL CHECK (version > 0),
  at_ms bigint NOT NULL,
  who text COLLATE "C",
  content json NOT NULL,
  UNIQUE (film_id, version)
);
CREATE TRIGGER annotations_refuse_delete BEFORE DELETE ON annotations
  FOR EACH ROW EXECUTE FUNCTION refuse_unless_erasing('annotations are versions and never go');
CREATE TRIGGER annotations_refuse_update BEFORE UPDATE ON annotations
  FOR EACH ROW EXECUTE FUNCTION refuse('annotations are versions and never change');

CREATE TABLE dicom_instances (
  film_id text COLLATE "C" PRIMARY KEY REFERENCES films (id),
  sop_instance_uid text COLLATE "C" CHECK (length(sop_instance_uid) > 0),
  study_instance_uid text COLLATE "C",
  series_instance_uid text COLLATE "C",
  facts json NOT NULL,
  shape text COLLATE "C" NOT NULL
);
CREATE INDEX dicom_instances_by_study ON dicom_instances (study_instance_uid);
CREATE INDEX dicom_instances_by_uid ON dicom_instances (sop_instance_uid);

CREATE TABLE dicom_patients (
  uuid text COLLATE "C" PRIMARY KEY,
  patient_id text COLLATE "C" NOT NULL REFERENCES patients (id),
  name text COLLATE "C" NOT NULL,
  number text COLLATE "C"
);
CREATE INDEX dicom_patients_by_patient ON dicom_patients (patient_id);

CREATE TABLE waiting_results (
  sop_instance_uid text COLLATE "C" PRIMARY KEY,
  film_sop_instance_uid text COLLATE "C" NOT NULL,
  frame_index bigint NOT NULL CHECK (frame_index >= 0),
  readings json NOT NULL,
  is_exact bigint NOT NULL DEFAULT 0 CHECK (is_exact IN (0, 1))
);
CREATE INDEX waiting_results_by_film ON waiting_results (film_sop_instance_uid, frame_index);

CREATE TABLE set_aside_objects (
  id text COLLATE "C" PRIMARY KEY,
  file_name text COLLATE "C" NOT NULL UNIQUE,
  received_at_ms bigint NOT NULL,
  sender text COLLATE "C",
  facts json,
  failure json NOT NULL,
  machine_id text COLLATE "C"
);

CREATE TABLE watched_files (
  path_sha256 text COLLATE "C" PRIMARY KEY,
  size_bytes bigint NOT NULL,
  changed_at_ms bigint NOT NULL,
  outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('opened', 'failed', 'passed-over')),
  at_ms bigint NOT NULL
);

CREATE TABLE watched_films (
  film_id text COLLATE "C" PRIMARY KEY REFERENCES films (id) ON DELETE CASCADE,
  written_fingerprint text COLLATE "C",
  machine_id text COLLATE "C"
);

-- What is kept is not truncated either: no trigger of rows is asked then.
DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['annotations', 'audit_events', 'erased_rows', 'ledger', 'measurements', 'people',
    'reading_values', 'readings', 'usg_predictions', 'value_seals']
  LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I EXECUTE FUNCTION refuse(%L)',
      kept || '_refuse_truncate', kept, 'what is kept never goes');
  END LOOP;
END $$;

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
