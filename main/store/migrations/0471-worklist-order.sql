-- Films that were dropped together stay in the order in which they lay: one time of adding, and their place in the drop.
ALTER TABLE films ADD COLUMN place INTEGER NOT NULL DEFAULT 0 CHECK (place >= 0);
DROP INDEX films_by_added;
CREATE INDEX films_by_added ON films (added_at_ms DESC, place) WHERE removed_at_ms IS NULL;
-- The worklist is paged in other orders, too.
CREATE INDEX films_by_taken ON films (taken_at_ms) WHERE removed_at_ms IS NULL;
