-- Named users of the program. Nobody who may have signed something is ever deleted.
CREATE TABLE people (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('administrator', 'veterinarian', 'assistant')),
  -- argon2id with its parameters and salt; the PIN or password is kept nowhere.
  secret_hash TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  retired_at_ms INTEGER,
  -- Wrong secrets in a row, and until when the next one is not looked at.
  wrong_secrets INTEGER NOT NULL DEFAULT 0 CHECK (wrong_secrets >= 0),
  wait_until_ms INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX people_by_name ON people (name COLLATE NOCASE) WHERE retired_at_ms IS NULL;

CREATE TRIGGER people_refuse_delete BEFORE DELETE ON people
BEGIN
  SELECT RAISE(ABORT, 'people retire and never go');
END;
