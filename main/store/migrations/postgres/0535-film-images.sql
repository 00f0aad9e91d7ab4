-- The images of films, in parts of at most 1 MiB; all frames of a file share `original`, under frame 0. The parts of an
-- image have the time of the transaction that saved them. What is compressed already is kept as it is.
CREATE TABLE film_images (
  sha256 text COLLATE "C" NOT NULL,
  frame_index bigint NOT NULL,
  image text COLLATE "C" NOT NULL CHECK (image IN ('original', 'thumbnail', 'rectified')),
  part bigint NOT NULL,
  bytes bytea NOT NULL,
  saved_at_ms bigint NOT NULL DEFAULT (extract(epoch FROM now()) * 1000),
  PRIMARY KEY (sha256, frame_index, image, part)
);
ALTER TABLE film_images ALTER COLUMN bytes SET STORAGE EXTERNAL;
