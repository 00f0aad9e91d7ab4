-- Programs that share the database, each on a machine of its own. What one of them has under way carries its id, so
-- that the others leave it alone until it has not been seen for a while.
CREATE TABLE machines (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  program_version text COLLATE "C" NOT NULL,
  seen_at_ms bigint NOT NULL
);
ALTER TABLE films ADD COLUMN machine_id text COLLATE "C";
ALTER TABLE undelivered_charges ADD COLUMN machine_id text COLLATE "C";
ALTER TABLE set_aside_objects ADD COLUMN machine_id text COLLATE "C";
ALTER TABLE watched_films ADD COLUMN machine_id text COLLATE "C";
