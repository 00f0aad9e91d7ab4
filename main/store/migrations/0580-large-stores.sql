-- What is asked of every film, or of everything measured, without reading rows that nobody wants.
CREATE INDEX readings_by_film ON readings (film_id, version DESC, source, tier);
CREATE INDEX dicom_instances_by_number ON dicom_instances (facts -> 'patient' ->> 'id', film_id);
CREATE INDEX measurements_by_uuid ON measurements (uuid_nfc, at_ms) WHERE uuid_nfc IS NOT NULL;
CREATE INDEX readings_by_decision ON readings (at_ms) WHERE verdict IS NOT NULL;
