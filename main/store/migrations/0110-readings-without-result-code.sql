-- A result code says how the networks fared; a reading whose points a person placed has none.
CREATE TABLE readings_rebuilt (
  id TEXT PRIMARY KEY,
  film_id TEXT NOT NULL REFERENCES films (id),
  version INTEGER NOT NULL CHECK (version > 0),
  source TEXT NOT NULL CHECK (source IN ('model', 'person')),
  verdict TEXT CHECK (verdict IN ('accepted', 'rejected', 'corrected', 'by_hand')),
  at_ms INTEGER NOT NULL,
  who TEXT,
  remark TEXT NOT NULL,
  result_code INTEGER CHECK (result_code BETWEEN 0 AND 7),
  vhs REAL,
  vlas REAL,
  tier TEXT CHECK (tier IN ('optimal', 'good', 'review')),
  -- Everything else that a reading says: points, ruler, score, votes, provenance.
  detail TEXT NOT NULL CHECK (json_valid(detail)),
  UNIQUE (film_id, version),
  CHECK ((source = 'person') = (verdict IS NOT NULL)),
  CHECK ((source = 'person') = (who IS NOT NULL))
) STRICT;

INSERT INTO readings_rebuilt (id, film_id, version, source, verdict, at_ms, who, remark, result_code, vhs, vlas, tier, detail)
SELECT id, film_id, version, source, verdict, at_ms, who, remark, iif(verdict IN ('corrected', 'by_hand'), NULL, result_code), vhs, vlas, tier, detail
  FROM readings ORDER BY rowid;

DROP TABLE readings;
ALTER TABLE readings_rebuilt RENAME TO readings;

CREATE TRIGGER readings_refuse_update BEFORE UPDATE ON readings
BEGIN
  SELECT RAISE(ABORT, 'readings are versions and never change');
END;

CREATE TRIGGER readings_refuse_delete BEFORE DELETE ON readings
BEGIN
  SELECT RAISE(ABORT, 'readings are versions and never go');
END;
