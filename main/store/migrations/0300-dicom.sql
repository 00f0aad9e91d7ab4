-- A file of several frames stands on the worklist once for each frame that was chosen.
ALTER TABLE films ADD COLUMN frame_index INTEGER NOT NULL DEFAULT 0 CHECK (frame_index >= 0);
DROP INDEX films_on_worklist;
CREATE UNIQUE INDEX films_on_worklist ON films (sha256, frame_index) WHERE removed_at_ms IS NULL;

CREATE TABLE dicom_instances (
  film_id TEXT PRIMARY KEY REFERENCES films (id),
  sop_instance_uid TEXT CHECK (length(sop_instance_uid) > 0),
  study_instance_uid TEXT,
  series_instance_uid TEXT,
  -- What the file says about itself, as the desktop contract shapes it.
  facts TEXT NOT NULL CHECK (json_valid(facts))
) STRICT;

CREATE INDEX dicom_instances_by_uid ON dicom_instances (sop_instance_uid);
CREATE INDEX dicom_instances_by_study ON dicom_instances (study_instance_uid);

-- Which patient an issuer and patient id of DICOM stand for; stays when a person gives the patient another uuid.
CREATE TABLE dicom_patients (
  uuid TEXT PRIMARY KEY,
  patient_id TEXT NOT NULL REFERENCES patients (id),
  -- Name of the animal in the file that made the link: another name under the same id is another animal.
  name TEXT NOT NULL
) STRICT;
