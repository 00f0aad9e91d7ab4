-- A picture carries readings whole, a report only what follows from its items: the former counts where both wait.
ALTER TABLE waiting_results ADD COLUMN is_exact bigint NOT NULL DEFAULT 0 CHECK (is_exact IN (0, 1));
