-- A cat that was screened in the program's window: its identifier may change, or be given to another one. In a table of
-- its own, since programs before this one seal every column of a screening.
CREATE TABLE screened_patients (
  call_id text COLLATE "C" PRIMARY KEY REFERENCES usg_predictions (call_id) ON DELETE CASCADE,
  patient_id text COLLATE "C" NOT NULL
);
CREATE INDEX screened_patients_by_patient ON screened_patients (patient_id);
-- Whoever has the identifier now, as its own or by a merger, unless that patient came only after the screening.
INSERT INTO screened_patients (call_id, patient_id)
  SELECT usg_predictions.call_id, patients.id
  FROM usg_predictions
  JOIN patients ON patients.id = usg_predictions.uuid_nfc
    OR (patients.created_at_ms <= usg_predictions.at_ms AND (
      patients.uuid_nfc = usg_predictions.uuid_nfc
      OR patients.id IN (SELECT patient_id FROM patient_aliases alias WHERE alias.uuid_nfc = usg_predictions.uuid_nfc)
    ))
  WHERE usg_predictions.billing = 'not_metered' AND usg_predictions.uuid_nfc IS NOT NULL
  ON CONFLICT DO NOTHING;

-- What a screening was rated by at its time, and who answered for its pack's clinical validation: nobody where null.
ALTER TABLE usg_predictions ADD COLUMN threshold_impaired double precision;
ALTER TABLE usg_predictions ADD COLUMN release json;
DROP TRIGGER usg_predictions_refuse_update ON usg_predictions;
CREATE TRIGGER usg_predictions_refuse_update BEFORE UPDATE OF call_id, account_id, key_id, at_ms, bun_mg_per_dl,
  creatinine_mg_per_dl, haemoglobin_g_per_dl, lymphocytes_per_ul, age_months, probability_impaired, risk_tier,
  pack_name, pack_version, model_version, program_version, result, billing, threshold_impaired, release
  ON usg_predictions
  FOR EACH ROW EXECUTE FUNCTION refuse('screenings never change');
