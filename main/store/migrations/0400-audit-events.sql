-- Who did what and when. Rows are sealed like measured values: the chain of seals takes them in as one more source.
CREATE TABLE audit_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms INTEGER NOT NULL,
  action TEXT NOT NULL,
  via TEXT NOT NULL CHECK (via IN ('window', 'service', 'command', 'program')),
  -- Who was signed in; the name is that of the moment. Neither a patient's nor an owner's name stands in any column.
  person_id TEXT,
  who TEXT,
  -- A patient's row; it may be erased since.
  patient_id TEXT,
  -- What it was done to: the id of a film, a key, a person; the name of a pack, a backup.
  subject TEXT,
  -- Facts that the action needs to be understood; never a secret.
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;

CREATE INDEX audit_events_by_time ON audit_events (at_ms);
CREATE INDEX audit_events_by_patient ON audit_events (patient_id, seq) WHERE patient_id IS NOT NULL;

CREATE TRIGGER audit_events_refuse_update BEFORE UPDATE ON audit_events
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_events_refuse_delete BEFORE DELETE ON audit_events
BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_events_append_at_the_end BEFORE INSERT ON audit_events
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM audit_events)
BEGIN
  SELECT RAISE(ABORT, 'an event is appended at the end');
END;

-- SQLite cannot widen a CHECK: the seals move, every row as it is, with the highest number ever given.
CREATE TABLE value_seals_wider (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL CHECK (source IN ('measurements', 'readings', 'usg_predictions', 'audit_events')),
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
