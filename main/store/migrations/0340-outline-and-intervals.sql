-- The heart's outline on which the axes rest [px of the processed image], and where the scores lie with the
-- probability that the pack was calibrated for [v]; null for measurements of earlier versions and packs without them.
ALTER TABLE measurements ADD COLUMN outline TEXT CHECK (outline IS NULL OR json_valid(outline));
ALTER TABLE measurements ADD COLUMN intervals TEXT CHECK (intervals IS NULL OR json_valid(intervals));

CREATE TRIGGER measurements_refuse_update_of_outline BEFORE UPDATE OF outline, intervals ON measurements
BEGIN
  SELECT RAISE(ABORT, 'measurements never change');
END;
