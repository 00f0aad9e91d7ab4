-- What a practice knows of an animal besides its name; null where nobody said it.
ALTER TABLE patients ADD COLUMN microchip TEXT CHECK (length(microchip) > 0);
ALTER TABLE patients ADD COLUMN sex TEXT CHECK (sex IN ('male', 'female'));
ALTER TABLE patients ADD COLUMN is_neutered INTEGER CHECK (is_neutered IN (0, 1));
ALTER TABLE patients ADD COLUMN birth_date TEXT CHECK (birth_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]');
ALTER TABLE patients ADD COLUMN weight_kg REAL CHECK (weight_kg > 0);

-- The patient id as the file has it: what people type when they search.
ALTER TABLE dicom_patients ADD COLUMN number TEXT;
UPDATE dicom_patients SET number = (
  SELECT json_extract(facts, '$.patient.id') FROM dicom_instances
  WHERE json_extract(facts, '$.patient.uuid') = dicom_patients.uuid LIMIT 1
);
CREATE INDEX dicom_patients_by_patient ON dicom_patients (patient_id);

-- Identifiers that a merged patient was measured and screened under.
CREATE TABLE patient_aliases (
  uuid_nfc TEXT PRIMARY KEY,
  uuid TEXT NOT NULL,
  patient_id TEXT NOT NULL REFERENCES patients (id)
) STRICT;
CREATE INDEX patient_aliases_by_patient ON patient_aliases (patient_id);
