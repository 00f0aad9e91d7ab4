-- What persons draw on films: each change is a version of everything on the film, sealed like a reading.
CREATE TABLE annotations (
  id TEXT PRIMARY KEY,
  film_id TEXT NOT NULL REFERENCES films (id),
  version INTEGER NOT NULL CHECK (version > 0),
  at_ms INTEGER NOT NULL,
  who TEXT,
  -- Frame, calibration and annotations; the shape is that of the desktop contract's annotationSet.
  content TEXT NOT NULL CHECK (json_valid(content)),
  UNIQUE (film_id, version)
) STRICT;

CREATE TRIGGER annotations_refuse_update BEFORE UPDATE ON annotations
BEGIN
  SELECT RAISE(ABORT, 'annotations are versions and never change');
END;

CREATE TRIGGER annotations_refuse_delete BEFORE DELETE ON annotations
WHEN NOT EXISTS (SELECT 1 FROM erasing)
BEGIN
  SELECT RAISE(ABORT, 'annotations are versions and never go');
END;

-- SQLite cannot widen a CHECK: the seals move, every row as it is, with the highest number ever given. What may be sealed
-- is named by the program alone from here on.
CREATE TABLE value_seals_wider (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  row_key TEXT NOT NULL,
  previous_hash TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  UNIQUE (source, row_key)
) STRICT;

INSERT INTO value_seals_wider (seq, source, row_key, previous_hash, hash)
  SELECT seq, source, row_key, previous_hash, hash FROM value_seals ORDER BY seq;
DELETE FROM sqlite_sequence WHERE name = 'value_seals_wider';
INSERT INTO sqlite_sequence (name, seq) SELECT 'value_seals_wider', seq FROM sqlite_sequence WHERE name = 'value_seals';
DROP TABLE value_seals;
ALTER TABLE value_seals_wider RENAME TO value_seals;

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
