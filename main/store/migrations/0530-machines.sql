-- Programs that share a store, each on a machine of its own; a store in a file has one, which has no id. What one of
-- them has under way carries its id, so that the others leave it alone until it has not been seen for a while.
CREATE TABLE machines (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  program_version TEXT NOT NULL,
  seen_at_ms INTEGER NOT NULL
) STRICT;
ALTER TABLE films ADD COLUMN machine_id TEXT;
ALTER TABLE undelivered_charges ADD COLUMN machine_id TEXT;
ALTER TABLE set_aside_objects ADD COLUMN machine_id TEXT;
ALTER TABLE watched_films ADD COLUMN machine_id TEXT;
