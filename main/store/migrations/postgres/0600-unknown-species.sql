-- 0: nobody has said what animal it is, and `species` says nothing. Patients that came before keep theirs.
ALTER TABLE patients ADD COLUMN is_species_known bigint NOT NULL DEFAULT 1 CHECK (is_species_known IN (0, 1));
