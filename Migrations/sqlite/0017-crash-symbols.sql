-- Oldest reader: 13
-- Names of functions, as operators upload them for an image, and the groups of crashes that they make one.

-- Addresses count as in the list; the image begins at `base`. A file that is being received is not complete.
CREATE TABLE crash_symbol_files (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    debug_id TEXT NOT NULL,
    name TEXT NOT NULL,
    architecture TEXT,
    format TEXT NOT NULL,
    base INTEGER NOT NULL,
    has_underscores INTEGER NOT NULL CHECK (has_underscores IN (0, 1)),
    function_count INTEGER NOT NULL,
    part_count INTEGER NOT NULL,
    byte_count INTEGER NOT NULL,
    stored_bytes INTEGER NOT NULL,
    uploaded_at INTEGER NOT NULL,
    uploaded_by TEXT NOT NULL,
    is_complete INTEGER NOT NULL DEFAULT 0 CHECK (is_complete IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX idx_crash_symbol_files_debug_id ON crash_symbol_files (debug_id) WHERE is_complete = 1;

-- Functions in the order of their addresses, compressed. Each part of a file is sorted by itself.
CREATE TABLE crash_symbol_pages (
    file_id INTEGER NOT NULL REFERENCES crash_symbol_files (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    first_address INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (file_id, part, first_address)
) STRICT;

-- SHA-256 over what makes reports the same once functions have names; NULL without names.
ALTER TABLE crash_groups ADD COLUMN symbol_key BLOB CHECK (symbol_key IS NULL OR length(symbol_key) = 32);

-- The group that counts this one's reports too, because names made them one; NULL for a group of its own.
ALTER TABLE crash_groups ADD COLUMN merged_into BLOB;

-- Names do not make it one with others again: an administrator has parted them.
ALTER TABLE crash_groups ADD COLUMN is_parted INTEGER NOT NULL DEFAULT 0 CHECK (is_parted IN (0, 1));

CREATE INDEX idx_crash_groups_symbol_key ON crash_groups (symbol_key) WHERE symbol_key IS NOT NULL;

CREATE INDEX idx_crash_groups_merged_into ON crash_groups (merged_into) WHERE merged_into IS NOT NULL;
