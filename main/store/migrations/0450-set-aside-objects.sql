-- Objects that were received, acknowledged and could not be shown; each lies in its folder until a person acts.
CREATE TABLE set_aside_objects (
  id TEXT PRIMARY KEY,
  file_name TEXT NOT NULL UNIQUE,
  received_at_ms INTEGER NOT NULL,
  sender TEXT,
  facts TEXT CHECK (facts IS NULL OR json_valid(facts)),
  failure TEXT NOT NULL CHECK (json_valid(failure))
) STRICT;
