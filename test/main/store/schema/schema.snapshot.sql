CREATE TRIGGER annotations_refuse_delete BEFORE DELETE ON annotations
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'annotations are versions and never go');
END;

CREATE TRIGGER annotations_refuse_update BEFORE UPDATE ON annotations
BEGIN
  SELECT RAISE(ABORT, 'annotations are versions and never change');
END;

CREATE TRIGGER audit_events_append_at_the_end BEFORE INSERT ON audit_events
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM audit_events)
BEGIN
  SELECT RAISE(ABORT, 'an event is appended at the end');
END;

CREATE TRIGGER audit_events_refuse_delete BEFORE DELETE ON audit_events
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_events_refuse_update BEFORE UPDATE ON audit_events
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER erased_rows_refuse_delete BEFORE DELETE ON erased_rows
BEGIN
  SELECT RAISE(ABORT, 'what was erased stays erased');
END;

CREATE TRIGGER erased_rows_refuse_update BEFORE UPDATE ON erased_rows
BEGIN
  SELECT RAISE(ABORT, 'what was erased stays erased');
END;

CREATE TRIGGER ledger_appends_at_the_end BEFORE INSERT ON ledger
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM ledger)
BEGIN
  SELECT RAISE(ABORT, 'a ledger row is appended at the end');
END;

CREATE TRIGGER ledger_refuses_delete BEFORE DELETE ON ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_refuses_update BEFORE UPDATE OF seq, kind, call_id, account_id, key_id, service, call_type,
  at_ms, period, ordinal, tier, amount_cents, currency, reverses, note, measurement_id, previous_hash, hash ON ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_refuses_update_of_patient BEFORE UPDATE OF uuid, uuid_nfc ON ledger
WHEN NOT EXISTS (SELECT 1 FROM erasing WHERE pseudonym IS NEW.uuid AND pseudonym IS NEW.uuid_nfc)
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER measurements_refuse_delete BEFORE DELETE ON measurements
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'measurements never go');
END;

CREATE TRIGGER measurements_refuse_update BEFORE UPDATE OF id, call_id, photo_index, account_id, key_id, service, at_ms,
  pack_name, pack_version, model_version, program_version, result_code, pop_detected ON measurements
BEGIN
  SELECT RAISE(ABORT, 'measurements never change');
END;

CREATE TRIGGER measurements_refuse_update_of_content BEFORE UPDATE OF is_best, image_sha256, parameters,
  width_px, height_px, classifier_confidence, vhs, vlas, spread, tier, sharpness, landmarks, ruler_kind, ruler_edges, edges, corners, votes, outline,
  intervals ON measurements
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'measurements never change');
END;

CREATE TRIGGER people_refuse_delete BEFORE DELETE ON people
BEGIN
  SELECT RAISE(ABORT, 'people retire and never go');
END;

CREATE TRIGGER reading_values_refuse_delete BEFORE DELETE ON reading_values
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'values belong to a version and never go');
END;

CREATE TRIGGER reading_values_refuse_update BEFORE UPDATE ON reading_values
BEGIN
  SELECT RAISE(ABORT, 'values belong to a version and never change');
END;

CREATE TRIGGER readings_refuse_delete BEFORE DELETE ON readings
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'readings are versions and never go');
END;

CREATE TRIGGER readings_refuse_update BEFORE UPDATE ON readings
BEGIN
  SELECT RAISE(ABORT, 'readings are versions and never change');
END;

CREATE TRIGGER usg_predictions_refuse_delete BEFORE DELETE ON usg_predictions
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'screenings never go');
END;

CREATE TRIGGER usg_predictions_refuse_update BEFORE UPDATE OF call_id, account_id, key_id, at_ms, bun_mg_per_dl,
  creatinine_mg_per_dl, haemoglobin_g_per_dl, lymphocytes_per_ul, age_months, probability_impaired, risk_tier,
  pack_name, pack_version, model_version, program_version, result, billing, threshold_impaired, release
  ON usg_predictions
BEGIN
  SELECT RAISE(ABORT, 'screenings never change');
END;

CREATE TRIGGER value_seals_append_at_the_end BEFORE INSERT ON value_seals
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM value_seals)
BEGIN
  SELECT RAISE(ABORT, 'a seal is appended at the end');
END;

CREATE TRIGGER value_seals_refuse_delete BEFORE DELETE ON value_seals
BEGIN
  SELECT RAISE(ABORT, 'seals are append-only');
END;

CREATE TRIGGER value_seals_refuse_update BEFORE UPDATE ON value_seals
BEGIN
  SELECT RAISE(ABORT, 'seals are append-only');
END;

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 200),
  created_at_ms INTEGER NOT NULL,
  name_nfc TEXT NOT NULL DEFAULT '' COLLATE NOCASE
) STRICT;

CREATE TABLE annotations (
  id TEXT PRIMARY KEY,
  film_id TEXT NOT NULL REFERENCES films (id),
  version INTEGER NOT NULL CHECK (version > 0),
  at_ms INTEGER NOT NULL,
  who TEXT,
  -- Frame, calibration and annotations; the shape is that of the desktop contract's annotationSet.
  content TEXT NOT NULL CHECK (json_valid(content)),
  UNIQUE (film_id, version)
) STRICT;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL CHECK (length(name) <= 200),
  key_sha256 BLOB NOT NULL UNIQUE CHECK (length(key_sha256) = 32),
  created_at_ms INTEGER NOT NULL,
  last_used_at_ms INTEGER,
  revoked_at_ms INTEGER,
  -- Agreed rates from the month's call 2,001 on; both or neither.
  enterprise_single_cents INTEGER CHECK (enterprise_single_cents >= 0),
  enterprise_session_cents INTEGER CHECK (enterprise_session_cents >= 0),
  CHECK ((enterprise_single_cents IS NULL) = (enterprise_session_cents IS NULL))
) STRICT;

CREATE TABLE audit_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  action TEXT NOT NULL,
  via TEXT NOT NULL CHECK (via IN ('window', 'service', 'command', 'program')),
  -- Who was signed in; the name is that of the moment. Neither a patient's nor an owner's name stands in any column.
  person_id TEXT,
  who TEXT,
  -- A patient's row; it may be erased since.
  patient_id TEXT,
  -- What it was done to: the id of a film, a key, a person; the name of a pack, a backup.
  subject TEXT,
  -- Facts that the action needs to be understood; never a secret.
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;

CREATE TABLE dicom_instances (
  film_id TEXT PRIMARY KEY REFERENCES films (id),
  sop_instance_uid TEXT CHECK (length(sop_instance_uid) > 0),
  study_instance_uid TEXT,
  series_instance_uid TEXT,
  -- What the file says about itself, as the desktop contract shapes it.
  facts TEXT NOT NULL CHECK (json_valid(facts)),
  shape TEXT NOT NULL
) STRICT;

CREATE TABLE dicom_patients (
  uuid TEXT PRIMARY KEY,
  patient_id TEXT NOT NULL REFERENCES patients (id),
  -- Name of the animal in the file that made the link: another name under the same id is another animal.
  name TEXT NOT NULL,
  number TEXT
) STRICT;

CREATE TABLE erased_rows (
  -- As verification names a row: its number in the ledger, `table/key` of a row of values.
  subject TEXT NOT NULL,
  pseudonym TEXT NOT NULL,
  -- SHA-256 of what stands there now; null where the row is gone.
  found TEXT,
  PRIMARY KEY (pseudonym, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE erasing (pseudonym TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE film_images (
  sha256 TEXT NOT NULL,
  frame_index INTEGER NOT NULL,
  image TEXT NOT NULL CHECK (image IN ('original', 'thumbnail', 'rectified')),
  part INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  saved_at_ms INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  PRIMARY KEY (sha256, frame_index, image, part)
) STRICT;

CREATE TABLE films (
  id TEXT PRIMARY KEY,
  file_name TEXT NOT NULL,
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  origin TEXT NOT NULL CHECK (origin IN ('file', 'paste', 'capture', 'dicom')),
  added_at_ms INTEGER NOT NULL,
  taken_at_ms INTEGER NOT NULL,
  patient_id TEXT REFERENCES patients (id),
  state TEXT NOT NULL CHECK (state IN ('queued', 'measuring', 'done', 'failed', 'cancelled')),
  -- Place in the queue: the smallest number is measured next. Kept while waiting or under way.
  queue_number INTEGER,
  failure_code TEXT,
  failure_message TEXT,
  width_px INTEGER NOT NULL CHECK (width_px > 0),
  height_px INTEGER NOT NULL CHECK (height_px > 0),
  has_image INTEGER NOT NULL CHECK (has_image IN (0, 1)),
  has_rectified INTEGER NOT NULL DEFAULT 0 CHECK (has_rectified IN (0, 1)),
  -- Taken off the worklist; the readings of a patient's film stay in the trend.
  removed_at_ms INTEGER,
  frame_index INTEGER NOT NULL DEFAULT 0 CHECK (frame_index >= 0),
  place INTEGER NOT NULL DEFAULT 0 CHECK (place >= 0),
  machine_id TEXT,
  CHECK ((failure_code IS NULL) = (failure_message IS NULL)),
  CHECK ((queue_number IS NOT NULL) = (state IN ('queued', 'measuring')))
) STRICT;

CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('charge', 'reversal', 'statement')),
  call_id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  key_id TEXT REFERENCES api_keys (id),
  service TEXT NOT NULL CHECK (service IN ('cardiac', 'usg')),
  call_type TEXT NOT NULL CHECK (call_type IN ('single', 'session')),
  uuid TEXT,
  uuid_nfc TEXT,
  at_ms INTEGER NOT NULL,
  period TEXT NOT NULL CHECK (period GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),
  -- A charge's place among the account's charges of the month that stood when it was made.
  ordinal INTEGER CHECK (ordinal > 0),
  tier TEXT NOT NULL CHECK (tier IN ('paygo', 'starter', 'professional', 'enterprise')),
  amount_cents INTEGER,
  currency TEXT NOT NULL,
  reverses INTEGER UNIQUE REFERENCES ledger (seq),
  -- Why a charge was taken back; the signed text of a statement.
  note TEXT,
  measurement_id INTEGER REFERENCES measurements (id),
  previous_hash TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  CHECK (CASE kind
    WHEN 'charge' THEN ordinal IS NOT NULL AND reverses IS NULL AND (amount_cents IS NULL OR amount_cents >= 0)
      AND (service = 'usg' OR (measurement_id IS NOT NULL AND amount_cents IS NOT NULL))
    WHEN 'reversal' THEN ordinal IS NULL AND reverses IS NOT NULL AND (amount_cents IS NULL OR amount_cents <= 0)
    ELSE ordinal IS NULL AND reverses IS NULL AND amount_cents IS NULL AND note IS NOT NULL
  END)
) STRICT;

CREATE TABLE machines (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  program_version TEXT NOT NULL,
  seen_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE measurements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Images of one call share its id; `photo_index` is their place in it.
  call_id TEXT NOT NULL,
  photo_index INTEGER NOT NULL CHECK (photo_index >= 0),
  -- The image that speaks for its call: charged, and in the patient's history.
  is_best INTEGER NOT NULL CHECK (is_best IN (0, 1)),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  key_id TEXT REFERENCES api_keys (id),
  service TEXT NOT NULL CHECK (service IN ('cardiac', 'usg')),
  uuid TEXT,
  at_ms INTEGER NOT NULL,
  image_sha256 TEXT NOT NULL,
  pack_name TEXT NOT NULL,
  pack_version TEXT NOT NULL,
  model_version TEXT NOT NULL,
  program_version TEXT NOT NULL,
  parameters TEXT NOT NULL CHECK (json_valid(parameters)),
  width_px INTEGER NOT NULL,
  height_px INTEGER NOT NULL,
  classifier_confidence REAL NOT NULL,
  result_code INTEGER NOT NULL CHECK (result_code BETWEEN 0 AND 7),
  vhs REAL,
  vlas REAL,
  spread REAL,
  tier TEXT CHECK (tier IN ('optimal', 'good', 'review')),
  pop_detected INTEGER NOT NULL CHECK (pop_detected IN (0, 1)),
  sharpness REAL,
  -- Points in pixels of the processed image; null where nothing was measured.
  landmarks TEXT CHECK (json_valid(landmarks)),
  ruler_kind TEXT CHECK (ruler_kind IN ('detected', 'fallback')),
  ruler_edges TEXT CHECK (json_valid(ruler_edges)),
  edges TEXT CHECK (json_valid(edges)),
  corners TEXT CHECK (json_valid(corners)),
  votes TEXT CHECK (json_valid(votes)),
  uuid_nfc TEXT,
  outline TEXT CHECK (outline IS NULL OR json_valid(outline)),
  intervals TEXT CHECK (intervals IS NULL OR json_valid(intervals)),
  UNIQUE (call_id, photo_index),
  CHECK (is_best = 0 OR vhs IS NOT NULL)
) STRICT;

CREATE TABLE migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT;

CREATE TABLE monthly_volumes (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  period TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (account_id, period)
) STRICT;

CREATE TABLE open_films (
  film_id TEXT NOT NULL,
  machine_id TEXT NOT NULL,
  who TEXT,
  since_ms INTEGER NOT NULL,
  PRIMARY KEY (film_id, machine_id)
) STRICT;

CREATE TABLE patient_aliases (
  uuid_nfc TEXT PRIMARY KEY,
  uuid TEXT NOT NULL,
  patient_id TEXT NOT NULL REFERENCES patients (id)
) STRICT;

CREATE TABLE patients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  species TEXT CHECK (species IN ('dog', 'cat')),
  breed TEXT NOT NULL,
  owner TEXT NOT NULL,
  -- The practice's own identifier, as sent to the API.
  uuid TEXT UNIQUE CHECK (length(uuid) > 0),
  created_at_ms INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL,
  uuid_nfc TEXT,
  microchip TEXT CHECK (length(microchip) > 0),
  sex TEXT CHECK (sex IN ('male', 'female')),
  is_neutered INTEGER CHECK (is_neutered IN (0, 1)),
  birth_date TEXT CHECK (birth_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  weight_kg REAL CHECK (weight_kg > 0)
) STRICT;

CREATE TABLE people (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('administrator', 'veterinarian', 'assistant')),
  -- argon2id with its parameters and salt; the PIN or password is kept nowhere.
  secret_hash TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  retired_at_ms INTEGER,
  -- Wrong secrets in a row, and until when the next one is not looked at.
  wrong_secrets INTEGER NOT NULL DEFAULT 0 CHECK (wrong_secrets >= 0),
  wait_until_ms INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE pop_session_frames (
  session_id TEXT NOT NULL REFERENCES pop_sessions (id) ON DELETE CASCADE,
  frame_index INTEGER NOT NULL,
  measurement TEXT NOT NULL CHECK (json_valid(measurement)),
  -- The film as JPEG, without which the result cannot be drawn.
  film BLOB,
  PRIMARY KEY (session_id, frame_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE pop_sessions (
  id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES api_keys (id),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  uuid TEXT,
  started_at_ms INTEGER NOT NULL,
  frames_processed INTEGER NOT NULL DEFAULT 0 CHECK (frames_processed >= 0),
  consecutive_failures INTEGER NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
  -- Set together when the session ends; the answer is kept to be fetched again, and goes with the row.
  ended_at_ms INTEGER,
  terminal_body TEXT CHECK (json_valid(terminal_body)),
  CHECK ((ended_at_ms IS NULL) = (terminal_body IS NULL))
) STRICT;

CREATE TABLE reading_values (
  reading_id TEXT NOT NULL REFERENCES readings (id),
  -- Name of the measure in the program's list; what an older program does not know it passes over.
  measure TEXT NOT NULL,
  -- Vertebrae, unrounded.
  value REAL NOT NULL,
  PRIMARY KEY (reading_id, measure)
) STRICT;

CREATE TABLE readings (
  id TEXT PRIMARY KEY,
  film_id TEXT NOT NULL REFERENCES films (id),
  version INTEGER NOT NULL CHECK (version > 0),
  source TEXT NOT NULL CHECK (source IN ('model', 'person')),
  verdict TEXT CHECK (verdict IN ('accepted', 'rejected', 'corrected', 'by_hand')),
  at_ms INTEGER NOT NULL,
  who TEXT,
  remark TEXT NOT NULL,
  result_code INTEGER CHECK (result_code BETWEEN 0 AND 7),
  tier TEXT CHECK (tier IN ('optimal', 'good', 'review')),
  -- Everything else that a reading says: points, ruler, score, votes, provenance.
  detail TEXT NOT NULL CHECK (json_valid(detail)),
  UNIQUE (film_id, version),
  CHECK ((source = 'person') = (verdict IS NOT NULL)),
  CHECK ((source = 'person') = (who IS NOT NULL))
) STRICT;

CREATE TABLE screened_patients (
  call_id TEXT PRIMARY KEY REFERENCES usg_predictions (call_id) ON DELETE CASCADE,
  patient_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE set_aside_objects (
  id TEXT PRIMARY KEY,
  file_name TEXT NOT NULL UNIQUE,
  received_at_ms INTEGER NOT NULL,
  sender TEXT,
  facts TEXT CHECK (facts IS NULL OR json_valid(facts)),
  failure TEXT NOT NULL CHECK (json_valid(failure)),
  machine_id TEXT
) STRICT;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;

CREATE TABLE undelivered_charges (
  call_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE REFERENCES ledger (seq),
  -- The answer is kept and can be fetched until then (a capture session); null when it is lost with its connection.
  answer_until_ms INTEGER,
  machine_id TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE usg_predictions (
  call_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  key_id TEXT REFERENCES api_keys (id),
  uuid TEXT,
  clinic_code TEXT,
  at_ms INTEGER NOT NULL,
  -- The five values that were scored, after unit correction, unrounded.
  bun_mg_per_dl REAL NOT NULL,
  creatinine_mg_per_dl REAL NOT NULL,
  haemoglobin_g_per_dl REAL NOT NULL,
  lymphocytes_per_ul REAL NOT NULL,
  age_months REAL NOT NULL,
  probability_impaired REAL NOT NULL CHECK (probability_impaired BETWEEN 0 AND 1),
  risk_tier TEXT NOT NULL CHECK (risk_tier IN ('low', 'moderate_low', 'moderate_high', 'high')),
  pack_name TEXT NOT NULL,
  pack_version TEXT NOT NULL,
  model_version TEXT NOT NULL,
  program_version TEXT NOT NULL,
  -- The answer's `result` as it was sent.
  result TEXT NOT NULL CHECK (json_valid(result)),
  -- What became of the call in the ledger; the program's own window is not metered.
  billing TEXT NOT NULL CHECK (billing IN ('billed', 'recheck_24h', 'billing_error', 'not_metered')),
  uuid_nfc TEXT,
  clinic_code_nfc TEXT,
  threshold_impaired REAL NOT NULL,
  release TEXT CHECK (json_valid(release))
) STRICT;

CREATE TABLE value_seals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  row_key TEXT NOT NULL,
  previous_hash TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  UNIQUE (source, row_key)
) STRICT;

CREATE TABLE waiting_results (
  sop_instance_uid TEXT PRIMARY KEY,
  film_sop_instance_uid TEXT NOT NULL,
  frame_index INTEGER NOT NULL CHECK (frame_index >= 0),
  readings TEXT NOT NULL CHECK (json_valid(readings)),
  is_exact INTEGER NOT NULL DEFAULT 0 CHECK (is_exact IN (0, 1))
) STRICT;

CREATE TABLE watched_files (
  path_sha256 TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('opened', 'failed', 'passed-over')),
  at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE watched_films (
  film_id TEXT PRIMARY KEY REFERENCES films (id) ON DELETE CASCADE,
  written_fingerprint TEXT,
  machine_id TEXT
) STRICT;

CREATE INDEX accounts_by_compared_name ON accounts (name_nfc);

CREATE INDEX api_keys_by_account ON api_keys (account_id);

CREATE INDEX audit_events_by_patient ON audit_events (patient_id, seq) WHERE patient_id IS NOT NULL;

CREATE INDEX audit_events_by_time ON audit_events (at_ms);

CREATE INDEX dicom_instances_by_number ON dicom_instances (facts -> 'patient' ->> 'id', film_id);

CREATE INDEX dicom_instances_by_study ON dicom_instances (study_instance_uid);

CREATE INDEX dicom_instances_by_uid ON dicom_instances (sop_instance_uid);

CREATE INDEX dicom_patients_by_patient ON dicom_patients (patient_id);

CREATE INDEX films_by_added ON films (added_at_ms DESC, place) WHERE removed_at_ms IS NULL;

CREATE INDEX films_by_patient ON films (patient_id, taken_at_ms);

CREATE INDEX films_by_queue ON films (queue_number) WHERE queue_number IS NOT NULL;

CREATE INDEX films_by_taken ON films (taken_at_ms) WHERE removed_at_ms IS NULL;

CREATE UNIQUE INDEX films_on_worklist ON films (sha256, frame_index) WHERE removed_at_ms IS NULL;

CREATE INDEX ledger_by_account ON ledger (account_id, seq);

CREATE UNIQUE INDEX ledger_by_call ON ledger (call_id) WHERE kind = 'charge';

CREATE INDEX ledger_by_patient ON ledger (account_id, service, uuid_nfc, at_ms) WHERE uuid_nfc IS NOT NULL;

CREATE INDEX ledger_by_period ON ledger (account_id, period, kind);

CREATE INDEX ledger_reversals ON ledger (account_id, reverses) WHERE kind = 'reversal';

CREATE INDEX measurements_by_patient ON measurements (account_id, uuid_nfc, at_ms);

CREATE INDEX measurements_by_time ON measurements (account_id, at_ms);

CREATE INDEX measurements_by_uuid ON measurements (uuid_nfc, at_ms) WHERE uuid_nfc IS NOT NULL;

CREATE INDEX patient_aliases_by_patient ON patient_aliases (patient_id);

CREATE INDEX patients_by_last_seen ON patients (last_seen_at_ms);

CREATE INDEX patients_by_uuid ON patients (uuid_nfc);

CREATE UNIQUE INDEX people_by_name ON people (name COLLATE NOCASE) WHERE retired_at_ms IS NULL;

CREATE INDEX pop_sessions_by_start ON pop_sessions (started_at_ms);

CREATE INDEX readings_by_decision ON readings (at_ms) WHERE verdict IS NOT NULL;

CREATE INDEX readings_by_film ON readings (film_id, version DESC, source, tier);

CREATE INDEX screened_patients_by_patient ON screened_patients (patient_id);

CREATE INDEX usg_predictions_by_clinic ON usg_predictions (clinic_code_nfc, at_ms);

CREATE INDEX usg_predictions_by_patient ON usg_predictions (account_id, uuid_nfc, at_ms);

CREATE INDEX waiting_results_by_film ON waiting_results (film_sop_instance_uid, frame_index);
