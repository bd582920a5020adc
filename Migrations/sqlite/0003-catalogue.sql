-- The catalogue of services.

-- One monotonic counter for the whole catalogue, bumped in the transaction of each change, so that "what changed since
-- revision n" has one answer. A clock could run backwards or stand still; this cannot. Changes after revision `horizon`
-- are known whole; of earlier deletions the tombstones may be purged.
CREATE TABLE catalogue_counters (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL,
    horizon INTEGER NOT NULL,
    CHECK (horizon <= revision)
) STRICT;

INSERT INTO catalogue_counters (id, revision, horizon)
VALUES (1, 0, 0);

-- `sort_name` is the name folded (case, accents), so that lists sort as people read. `search_text` is the folded name,
-- slug and aliases, one a line, for infix search by administrators. `aliases` is a JSON array of strings. The amount is
-- in minor units of its currency.
CREATE TABLE catalogue_items (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    search_text TEXT NOT NULL,
    category TEXT NOT NULL,
    typical_amount_minor_units INTEGER NOT NULL,
    currency TEXT NOT NULL,
    billing_cycle TEXT NOT NULL,
    website TEXT,
    logo_url TEXT,
    cancel_url TEXT,
    notice_days INTEGER,
    aliases TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_catalogue_items_slug ON catalogue_items (slug);

-- What changed since a revision, without reading the whole catalogue.
CREATE INDEX idx_catalogue_items_revision ON catalogue_items (revision);

CREATE INDEX idx_catalogue_items_logo_url ON catalogue_items (logo_url) WHERE logo_url IS NOT NULL;

-- A deleted or merged item leaves its id, so that devices learn of it. `merged_into` is null for a plain deletion.
CREATE TABLE catalogue_tombstones (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    merged_into BLOB CHECK (merged_into IS NULL OR length(merged_into) = 16),
    revision INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_catalogue_tombstones_revision ON catalogue_tombstones (revision);

CREATE INDEX idx_catalogue_tombstones_merged_into ON catalogue_tombstones (merged_into) WHERE merged_into IS NOT NULL;

-- Logo files by their content's hash. `released_at`: since when no item shows it; after a while the file goes.
CREATE TABLE catalogue_logos (
    file_name TEXT NOT NULL PRIMARY KEY,
    byte_count INTEGER NOT NULL,
    stored_at INTEGER NOT NULL,
    released_at INTEGER
) STRICT, WITHOUT ROWID;

-- The contents of logos, for stores without a folder beside them. An SQLite store has one, which its backups hold, so
-- this table stays empty here; it is here so that both databases have the same tables.
CREATE TABLE catalogue_logo_contents (
    file_name TEXT NOT NULL PRIMARY KEY,
    content BLOB NOT NULL
) STRICT;
