CREATE TABLE pop_sessions (
  id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES api_keys (id),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  uuid TEXT,
  started_at_ms INTEGER NOT NULL,
  frames_processed INTEGER NOT NULL DEFAULT 0 CHECK (frames_processed >= 0),
  consecutive_failures INTEGER NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
  -- Set together when the session ends; the answer is kept to be fetched again, and goes with the row.
  ended_at_ms INTEGER,
  terminal_body TEXT CHECK (json_valid(terminal_body)),
  CHECK ((ended_at_ms IS NULL) = (terminal_body IS NULL))
) STRICT;

CREATE INDEX pop_sessions_by_start ON pop_sessions (started_at_ms);

-- Good frames of sessions under way; gone when the session ends.
CREATE TABLE pop_session_frames (
  session_id TEXT NOT NULL REFERENCES pop_sessions (id) ON DELETE CASCADE,
  frame_index INTEGER NOT NULL,
  measurement TEXT NOT NULL CHECK (json_valid(measurement)),
  -- The film as JPEG, of the sharpest frame only.
  film BLOB,
  PRIMARY KEY (session_id, frame_index)
) STRICT, WITHOUT ROWID;
