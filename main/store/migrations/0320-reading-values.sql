-- A row for each value of a reading, so that another measure needs no column.
CREATE TABLE reading_values (
  reading_id TEXT NOT NULL REFERENCES readings (id),
  -- Name of the measure in the program's list; what an older program does not know it passes over.
  measure TEXT NOT NULL,
  -- Vertebrae, unrounded.
  value REAL NOT NULL,
  PRIMARY KEY (reading_id, measure)
) STRICT;

INSERT INTO reading_values (reading_id, measure, value) SELECT id, 'vhs', vhs FROM readings WHERE vhs IS NOT NULL;
INSERT INTO reading_values (reading_id, measure, value) SELECT id, 'vlas', vlas FROM readings WHERE vlas IS NOT NULL;

ALTER TABLE readings DROP COLUMN vhs;
ALTER TABLE readings DROP COLUMN vlas;

CREATE TRIGGER reading_values_refuse_update BEFORE UPDATE ON reading_values
BEGIN
  SELECT RAISE(ABORT, 'values belong to a version and never change');
END;

CREATE TRIGGER reading_values_refuse_delete BEFORE DELETE ON reading_values
BEGIN
  SELECT RAISE(ABORT, 'values belong to a version and never go');
END;
