CREATE TABLE patients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  species TEXT NOT NULL CHECK (species IN ('dog', 'cat')),
  breed TEXT NOT NULL,
  owner TEXT NOT NULL,
  -- The practice's own identifier, as sent to the API.
  uuid TEXT UNIQUE CHECK (length(uuid) > 0),
  created_at_ms INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX patients_by_last_seen ON patients (last_seen_at_ms);

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
  CHECK ((failure_code IS NULL) = (failure_message IS NULL)),
  CHECK ((queue_number IS NOT NULL) = (state IN ('queued', 'measuring')))
) STRICT;

CREATE UNIQUE INDEX films_on_worklist ON films (sha256) WHERE removed_at_ms IS NULL;
CREATE INDEX films_by_queue ON films (queue_number) WHERE queue_number IS NOT NULL;
CREATE INDEX films_by_patient ON films (patient_id, taken_at_ms);
CREATE INDEX films_by_added ON films (added_at_ms) WHERE removed_at_ms IS NULL;

CREATE TABLE readings (
  id TEXT PRIMARY KEY,
  film_id TEXT NOT NULL REFERENCES films (id),
  version INTEGER NOT NULL CHECK (version > 0),
  source TEXT NOT NULL CHECK (source IN ('model', 'person')),
  verdict TEXT CHECK (verdict IN ('accepted', 'rejected', 'corrected', 'by_hand')),
  at_ms INTEGER NOT NULL,
  who TEXT,
  remark TEXT NOT NULL,
  result_code INTEGER NOT NULL CHECK (result_code BETWEEN 0 AND 7),
  vhs REAL,
  vlas REAL,
  tier TEXT CHECK (tier IN ('optimal', 'good', 'review')),
  -- Everything else that a reading says: points, ruler, score, votes, provenance.
  detail TEXT NOT NULL CHECK (json_valid(detail)),
  UNIQUE (film_id, version),
  CHECK ((source = 'person') = (verdict IS NOT NULL)),
  CHECK ((source = 'person') = (who IS NOT NULL))
) STRICT;

CREATE TRIGGER readings_refuse_update BEFORE UPDATE ON readings
BEGIN
  SELECT RAISE(ABORT, 'readings are versions and never change');
END;

CREATE TRIGGER readings_refuse_delete BEFORE DELETE ON readings
BEGIN
  SELECT RAISE(ABORT, 'readings are versions and never go');
END;

CREATE TABLE page_sessions (
  token_sha256 BLOB PRIMARY KEY CHECK (length(token_sha256) = 32),
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT;
