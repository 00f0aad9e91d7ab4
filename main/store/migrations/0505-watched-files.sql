-- Files of watched folders that are dealt with: nothing is opened twice, a restart included. A path may name a patient,
-- so only its hash is kept.
CREATE TABLE watched_files (
  path_sha256 TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('opened', 'failed', 'passed-over')),
  at_ms INTEGER NOT NULL
) STRICT;

-- Films that came out of a watched folder, and the reading that the outbox has last.
CREATE TABLE watched_films (
  film_id TEXT PRIMARY KEY REFERENCES films (id) ON DELETE CASCADE,
  written_reading_id TEXT
) STRICT;
