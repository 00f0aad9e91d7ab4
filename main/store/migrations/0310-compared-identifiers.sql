-- Identifiers are kept as they came and compared in NFC (the program lends the migration the function nfc). The ledger
-- also learns the statement: a row in which an administrator says why a broken row stays.
PRAGMA defer_foreign_keys = ON;
-- A row that someone tampered with is carried over as it is, for verification to name.
PRAGMA ignore_check_constraints = ON;

ALTER TABLE accounts ADD COLUMN name_nfc TEXT NOT NULL DEFAULT '' COLLATE NOCASE;
UPDATE accounts SET name_nfc = nfc(name);
CREATE INDEX accounts_by_compared_name ON accounts (name_nfc);

ALTER TABLE patients ADD COLUMN uuid_nfc TEXT;
UPDATE patients SET uuid_nfc = nfc(uuid);
CREATE INDEX patients_by_uuid ON patients (uuid_nfc);

ALTER TABLE measurements ADD COLUMN uuid_nfc TEXT;
UPDATE measurements SET uuid_nfc = nfc(uuid) WHERE uuid IS NOT NULL;
DROP INDEX measurements_by_patient;
CREATE INDEX measurements_by_patient ON measurements (account_id, uuid_nfc, at_ms);

ALTER TABLE usg_predictions ADD COLUMN uuid_nfc TEXT;
ALTER TABLE usg_predictions ADD COLUMN clinic_code_nfc TEXT;
UPDATE usg_predictions SET uuid_nfc = nfc(uuid), clinic_code_nfc = nfc(clinic_code);
DROP INDEX usg_predictions_by_patient;
DROP INDEX usg_predictions_by_clinic;
CREATE INDEX usg_predictions_by_patient ON usg_predictions (account_id, uuid_nfc, at_ms);
CREATE INDEX usg_predictions_by_clinic ON usg_predictions (clinic_code_nfc, at_ms);

CREATE TABLE ledger_rebuilt (
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
  reverses INTEGER UNIQUE REFERENCES ledger_rebuilt (seq),
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

INSERT INTO ledger_rebuilt (seq, kind, call_id, account_id, key_id, service, call_type, uuid, uuid_nfc, at_ms, period, ordinal, tier, amount_cents, currency,
    reverses, note, measurement_id, previous_hash, hash)
  SELECT seq, kind, call_id, account_id, key_id, service, call_type, uuid, nfc(uuid), at_ms, period, ordinal, tier, amount_cents, currency,
    reverses, note, measurement_id, previous_hash, hash FROM ledger ORDER BY seq;

-- The highest number that was ever given stays known, also where the last rows are gone.
DELETE FROM sqlite_sequence WHERE name = 'ledger_rebuilt';
INSERT INTO sqlite_sequence (name, seq) SELECT 'ledger_rebuilt', seq FROM sqlite_sequence WHERE name = 'ledger';

-- Out of the way while the table that they refer to is exchanged.
CREATE TABLE undelivered_aside AS SELECT call_id, seq, answer_until_ms FROM undelivered_charges;
DELETE FROM undelivered_charges;
DROP TABLE ledger;
ALTER TABLE ledger_rebuilt RENAME TO ledger;
INSERT INTO undelivered_charges (call_id, seq, answer_until_ms) SELECT call_id, seq, answer_until_ms FROM undelivered_aside;
DROP TABLE undelivered_aside;

CREATE UNIQUE INDEX ledger_by_call ON ledger (call_id) WHERE kind = 'charge';
CREATE INDEX ledger_by_period ON ledger (account_id, period, kind);
CREATE INDEX ledger_reversals ON ledger (account_id, reverses) WHERE kind = 'reversal';
CREATE INDEX ledger_by_patient ON ledger (account_id, service, uuid_nfc, at_ms) WHERE uuid_nfc IS NOT NULL;

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

PRAGMA ignore_check_constraints = OFF;
