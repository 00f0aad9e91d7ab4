-- Films that are open at the machines that share a store, for the others to see; nothing in a store in a file.
CREATE TABLE open_films (
  film_id TEXT NOT NULL,
  machine_id TEXT NOT NULL,
  who TEXT,
  since_ms INTEGER NOT NULL,
  PRIMARY KEY (film_id, machine_id)
) STRICT;
