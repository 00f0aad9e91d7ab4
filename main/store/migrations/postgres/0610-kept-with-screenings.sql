-- A cat that was screened in the program's window: its identifier may change, or be given to another one. Not sealed, as
-- identifiers are not.
ALTER TABLE usg_predictions ADD COLUMN patient_id text COLLATE "C";
-- Whoever has the identifier now, unless that patient came only after the screening.
UPDATE usg_predictions SET patient_id = (
    SELECT patients.id FROM patients
    WHERE patients.id = usg_predictions.uuid_nfc
      OR (patients.uuid_nfc = usg_predictions.uuid_nfc AND patients.created_at_ms <= usg_predictions.at_ms)
    LIMIT 1
  )
  WHERE billing = 'not_metered' AND uuid_nfc IS NOT NULL;

DROP INDEX usg_predictions_by_patient;
CREATE INDEX usg_predictions_by_patient ON usg_predictions (patient_id, at_ms) WHERE patient_id IS NOT NULL;
CREATE INDEX usg_predictions_by_uuid ON usg_predictions (uuid_nfc, at_ms) WHERE uuid_nfc IS NOT NULL;

-- What a screening was rated by at its time, and who answered for its pack's clinical validation: nobody where it is null.
ALTER TABLE usg_predictions ADD COLUMN threshold_impaired double precision;
ALTER TABLE usg_predictions ADD COLUMN release json;
DROP TRIGGER usg_predictions_refuse_update ON usg_predictions;
CREATE TRIGGER usg_predictions_refuse_update BEFORE UPDATE OF call_id, account_id, key_id, at_ms, bun_mg_per_dl,
  creatinine_mg_per_dl, haemoglobin_g_per_dl, lymphocytes_per_ul, age_months, probability_impaired, risk_tier, pack_name, pack_version, model_version,
  program_version, result, billing, threshold_impaired, release ON usg_predictions
  FOR EACH ROW EXECUTE FUNCTION refuse('screenings never change');
