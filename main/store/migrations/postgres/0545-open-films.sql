-- Films that are open at the machines that share the database, for the others to see.
CREATE TABLE open_films (
  film_id text COLLATE "C" NOT NULL,
  machine_id text COLLATE "C" NOT NULL,
  who text COLLATE "C",
  since_ms bigint NOT NULL,
  PRIMARY KEY (film_id, machine_id)
);
