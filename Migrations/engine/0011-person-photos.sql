-- The photos of people.

-- PNG, JPEG and WebP files in base64, as backups carry them; `kind` is the media type and `size` the length of the file in
-- bytes. A row without content is of a photo that was removed: a deleted row would return from another device.
CREATE TABLE person_photos (
    person_id BLOB NOT NULL PRIMARY KEY CHECK (length(person_id) = 16)
        REFERENCES people (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    kind TEXT NOT NULL,
    size INTEGER NOT NULL,
    content TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT ''
) STRICT;
