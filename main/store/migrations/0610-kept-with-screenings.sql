-- A cat that was screened in the program's window: its identifier may change, or be given to another one. In a table of
-- its own, since programs before this one seal every column of a screening.
CREATE TABLE screened_patients (
  call_id TEXT PRIMARY KEY REFERENCES usg_predictions (call_id) ON DELETE CASCADE,
  patient_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX screened_patients_by_patient ON screened_patients (patient_id);
-- Whoever has the identifier now: by a merger, or as its own unless that patient came only after the screening. One
-- that was merged may be older than whom it was merged into, and nothing says since when it had the identifier.
INSERT INTO screened_patients (call_id, patient_id)
  SELECT call_id, id FROM usg_predictions AS made JOIN patients ON id = made.uuid_nfc WHERE billing = 'not_metered'
  UNION ALL
  SELECT call_id, id FROM usg_predictions AS made JOIN patients ON patients.uuid_nfc = made.uuid_nfc
    WHERE billing = 'not_metered' AND created_at_ms <= at_ms
  UNION ALL
  SELECT call_id, patient_id FROM usg_predictions AS made JOIN patient_aliases AS alias ON alias.uuid_nfc = made.uuid_nfc
    WHERE billing = 'not_metered'
  ON CONFLICT DO NOTHING;

-- What a screening was rated by at its time, and who answered for its pack's clinical validation: nobody where null.
ALTER TABLE usg_predictions ADD COLUMN threshold_impaired REAL;
ALTER TABLE usg_predictions ADD COLUMN release TEXT CHECK (json_valid(release));
DROP TRIGGER usg_predictions_refuse_update;
CREATE TRIGGER usg_predictions_refuse_update BEFORE UPDATE OF call_id, account_id, key_id, at_ms, bun_mg_per_dl,
  creatinine_mg_per_dl, haemoglobin_g_per_dl, lymphocytes_per_ul, age_months, probability_impaired, risk_tier,
  pack_name, pack_version, model_version, program_version, result, billing, threshold_impaired, release
  ON usg_predictions
BEGIN
  SELECT RAISE(ABORT, 'screenings never change');
END;
