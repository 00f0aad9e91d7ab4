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
  billing TEXT NOT NULL CHECK (billing IN ('billed', 'recheck_24h', 'billing_error', 'not_metered'))
) STRICT;

CREATE INDEX usg_predictions_by_patient ON usg_predictions (account_id, uuid, at_ms);
CREATE INDEX usg_predictions_by_clinic ON usg_predictions (clinic_code, at_ms);
