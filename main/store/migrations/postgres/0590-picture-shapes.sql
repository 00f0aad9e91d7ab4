-- A film's picture in a few cells, base64: two films of one number are told apart when an image is no longer kept.
-- NULL for films that came before.
ALTER TABLE dicom_instances ADD COLUMN shape text COLLATE "C";
