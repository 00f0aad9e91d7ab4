CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 200),
  created_at_ms INTEGER NOT NULL
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

CREATE INDEX api_keys_by_account ON api_keys (account_id);

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
  UNIQUE (call_id, photo_index),
  CHECK (is_best = 0 OR vhs IS NOT NULL)
) STRICT;

CREATE INDEX measurements_by_patient ON measurements (account_id, uuid, at_ms);
CREATE INDEX measurements_by_time ON measurements (account_id, at_ms);

CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('charge', 'reversal')),
  call_id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  key_id TEXT REFERENCES api_keys (id),
  service TEXT NOT NULL CHECK (service IN ('cardiac', 'usg')),
  call_type TEXT NOT NULL CHECK (call_type IN ('single', 'session')),
  uuid TEXT,
  at_ms INTEGER NOT NULL,
  period TEXT NOT NULL CHECK (period GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),
  -- A charge's place among the account's charges of the month that stood when it was made.
  ordinal INTEGER CHECK (ordinal > 0),
  tier TEXT NOT NULL CHECK (tier IN ('paygo', 'starter', 'professional', 'enterprise')),
  amount_cents INTEGER,
  currency TEXT NOT NULL,
  reverses INTEGER UNIQUE REFERENCES ledger (seq),
  note TEXT,
  measurement_id INTEGER REFERENCES measurements (id),
  previous_hash TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  CHECK (CASE kind
    WHEN 'charge' THEN ordinal IS NOT NULL AND reverses IS NULL AND (amount_cents IS NULL OR amount_cents >= 0)
      AND (service = 'usg' OR (measurement_id IS NOT NULL AND amount_cents IS NOT NULL))
    ELSE ordinal IS NULL AND reverses IS NOT NULL AND (amount_cents IS NULL OR amount_cents <= 0)
  END)
) STRICT;

CREATE UNIQUE INDEX ledger_by_call ON ledger (call_id) WHERE kind = 'charge';
CREATE INDEX ledger_by_period ON ledger (account_id, period, kind);
CREATE INDEX ledger_reversals ON ledger (account_id, reverses) WHERE kind = 'reversal';
CREATE INDEX ledger_by_patient ON ledger (account_id, service, uuid, at_ms) WHERE uuid IS NOT NULL;

CREATE TRIGGER ledger_refuses_update BEFORE UPDATE ON ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_refuses_delete BEFORE DELETE ON ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_appends_at_the_end BEFORE INSERT ON ledger
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM ledger)
BEGIN
  SELECT RAISE(ABORT, 'a ledger row is appended at the end');
END;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;
