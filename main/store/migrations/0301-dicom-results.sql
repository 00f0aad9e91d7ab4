-- Results of this program that came in before the film that they belong to.
CREATE TABLE waiting_results (
  sop_instance_uid TEXT PRIMARY KEY,
  film_sop_instance_uid TEXT NOT NULL,
  frame_index INTEGER NOT NULL CHECK (frame_index >= 0),
  readings TEXT NOT NULL CHECK (json_valid(readings))
) STRICT;

CREATE INDEX waiting_results_by_film ON waiting_results (film_sop_instance_uid, frame_index);
