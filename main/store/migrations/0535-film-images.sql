-- Images of films, in parts of at most 1 MiB: in a database that several workstations share. Beside a store in a file they
-- are files, and this table stays empty. All frames of a file share `original`, under frame 0.
CREATE TABLE film_images (
  sha256 TEXT NOT NULL,
  frame_index INTEGER NOT NULL,
  image TEXT NOT NULL CHECK (image IN ('original', 'thumbnail', 'rectified')),
  part INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  saved_at_ms INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
  PRIMARY KEY (sha256, frame_index, image, part)
) STRICT;
