-- What was measured, read and screened is protected like the ledger: it does not change and does not go, and a chain of
-- seals finds out where it did. Identifiers are not sealed. The program seals what lies in the store already.
CREATE TABLE value_seals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL CHECK (source IN ('measurements', 'readings', 'usg_predictions')),
  row_key TEXT NOT NULL,
  previous_hash TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  UNIQUE (source, row_key)
) STRICT;

CREATE TRIGGER value_seals_refuse_update BEFORE UPDATE ON value_seals
BEGIN
  SELECT RAISE(ABORT, 'seals are append-only');
END;

CREATE TRIGGER value_seals_refuse_delete BEFORE DELETE ON value_seals
BEGIN
  SELECT RAISE(ABORT, 'seals are append-only');
END;

CREATE TRIGGER value_seals_append_at_the_end BEFORE INSERT ON value_seals
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM value_seals)
BEGIN
  SELECT RAISE(ABORT, 'a seal is appended at the end');
END;

CREATE TRIGGER measurements_refuse_update BEFORE UPDATE OF id, call_id, photo_index, is_best, account_id, key_id, service, at_ms, image_sha256, pack_name,
  pack_version, model_version, program_version, parameters, width_px, height_px, classifier_confidence, result_code, vhs, vlas, spread, tier, pop_detected,
  sharpness, landmarks, ruler_kind, ruler_edges, edges, corners, votes ON measurements
BEGIN
  SELECT RAISE(ABORT, 'measurements never change');
END;

CREATE TRIGGER measurements_refuse_delete BEFORE DELETE ON measurements
BEGIN
  SELECT RAISE(ABORT, 'measurements never go');
END;

CREATE TRIGGER usg_predictions_refuse_update BEFORE UPDATE OF call_id, account_id, key_id, at_ms, bun_mg_per_dl, creatinine_mg_per_dl, haemoglobin_g_per_dl,
  lymphocytes_per_ul, age_months, probability_impaired, risk_tier, pack_name, pack_version, model_version, program_version, result, billing ON usg_predictions
BEGIN
  SELECT RAISE(ABORT, 'screenings never change');
END;

CREATE TRIGGER usg_predictions_refuse_delete BEFORE DELETE ON usg_predictions
BEGIN
  SELECT RAISE(ABORT, 'screenings never go');
END;
