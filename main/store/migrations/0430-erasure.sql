-- A patient can be erased. What was sealed goes, or keeps its place without its content; billing rows keep a pseudonym. The
-- list of what was touched, with the SHA-256 of what stands there now, is signed by a statement in the ledger.
CREATE TABLE erased_rows (
  -- As verification names a row: its number in the ledger, `table/key` of a row of values.
  subject TEXT NOT NULL,
  pseudonym TEXT NOT NULL,
  -- SHA-256 of what stands there now; null where the row is gone.
  found TEXT,
  PRIMARY KEY (pseudonym, subject)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER erased_rows_refuse_update BEFORE UPDATE ON erased_rows
BEGIN
  SELECT RAISE(ABORT, 'what was erased stays erased');
END;

CREATE TRIGGER erased_rows_refuse_delete BEFORE DELETE ON erased_rows
BEGIN
  SELECT RAISE(ABORT, 'what was erased stays erased');
END;

-- Holds a row only within the transaction that erases a patient: the one time that kept rows may go.
CREATE TABLE erasing (pseudonym TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

DROP TRIGGER ledger_refuses_update;
CREATE TRIGGER ledger_refuses_update BEFORE UPDATE OF seq, kind, call_id, account_id, key_id, service, call_type, at_ms, period, ordinal, tier, amount_cents,
  currency, reverses, note, measurement_id, previous_hash, hash ON ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_refuses_update_of_patient BEFORE UPDATE OF uuid, uuid_nfc ON ledger
WHEN NOT EXISTS (SELECT 1 FROM erasing WHERE pseudonym IS NEW.uuid AND pseudonym IS NEW.uuid_nfc)
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

DROP TRIGGER measurements_refuse_update;
CREATE TRIGGER measurements_refuse_update BEFORE UPDATE OF id, call_id, photo_index, account_id, key_id, service, at_ms, pack_name, pack_version, model_version,
  program_version, result_code, pop_detected ON measurements
BEGIN
  SELECT RAISE(ABORT, 'measurements never change');
END;

CREATE TRIGGER measurements_refuse_update_of_content BEFORE UPDATE OF is_best, image_sha256, parameters, width_px, height_px, classifier_confidence, vhs, vlas, spread,
  tier, sharpness, landmarks, ruler_kind, ruler_edges, edges, corners, votes ON measurements
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'measurements never change');
END;

DROP TRIGGER measurements_refuse_update_of_outline;
CREATE TRIGGER measurements_refuse_update_of_outline BEFORE UPDATE OF outline, intervals ON measurements
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'measurements never change');
END;

DROP TRIGGER measurements_refuse_delete;
CREATE TRIGGER measurements_refuse_delete BEFORE DELETE ON measurements
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'measurements never go');
END;

DROP TRIGGER usg_predictions_refuse_delete;
CREATE TRIGGER usg_predictions_refuse_delete BEFORE DELETE ON usg_predictions
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'screenings never go');
END;

DROP TRIGGER readings_refuse_delete;
CREATE TRIGGER readings_refuse_delete BEFORE DELETE ON readings
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'readings are versions and never go');
END;

DROP TRIGGER reading_values_refuse_delete;
CREATE TRIGGER reading_values_refuse_delete BEFORE DELETE ON reading_values
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'values belong to a version and never go');
END;
