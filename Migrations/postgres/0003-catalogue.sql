-- The catalogue of services.

-- One monotonic counter for the whole catalogue, bumped in the transaction of each change, so that "what changed since
-- revision n" has one answer. A clock could run backwards or stand still; this cannot. Changes after revision `horizon`
-- are known whole; of earlier deletions the tombstones may be purged.
CREATE TABLE catalogue_counters (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    revision BIGINT NOT NULL,
    horizon BIGINT NOT NULL,
    CHECK (horizon <= revision)
);

-- Servers listen, so that a change of the catalogue is everywhere at once; they look once a second, too.
CREATE FUNCTION catalogue_counters_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('subguard_catalogue', NEW.revision::text);
    RETURN NULL;
END;
$$;

CREATE TRIGGER catalogue_counters_notify AFTER UPDATE OF revision, horizon ON catalogue_counters
FOR EACH ROW EXECUTE FUNCTION catalogue_counters_notify();

INSERT INTO catalogue_counters (id, revision, horizon)
VALUES (1, 0, 0);

-- `sort_name` is the name folded (case, accents), so that lists sort as people read. `search_text` is the folded name,
-- slug and aliases, one a line, for infix search by administrators. `aliases` is a JSON array of strings. The amount is
-- in minor units of its currency.
CREATE TABLE catalogue_items (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    slug TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    search_text TEXT COLLATE "C" NOT NULL,
    category TEXT COLLATE "C" NOT NULL,
    typical_amount_minor_units BIGINT NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    billing_cycle TEXT COLLATE "C" NOT NULL,
    website TEXT COLLATE "C",
    logo_url TEXT COLLATE "C",
    cancel_url TEXT COLLATE "C",
    notice_days BIGINT,
    aliases TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL
);

CREATE UNIQUE INDEX idx_catalogue_items_slug ON catalogue_items (slug);

-- What changed since a revision, without reading the whole catalogue.
CREATE INDEX idx_catalogue_items_revision ON catalogue_items (revision);

CREATE INDEX idx_catalogue_items_logo_url ON catalogue_items (logo_url) WHERE logo_url IS NOT NULL;

-- A deleted or merged item leaves its id, so that devices learn of it. `merged_into` is null for a plain deletion.
CREATE TABLE catalogue_tombstones (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    merged_into BYTEA CHECK (merged_into IS NULL OR length(merged_into) = 16),
    revision BIGINT NOT NULL,
    deleted_at BIGINT NOT NULL
);

CREATE INDEX idx_catalogue_tombstones_revision ON catalogue_tombstones (revision);

CREATE INDEX idx_catalogue_tombstones_merged_into ON catalogue_tombstones (merged_into) WHERE merged_into IS NOT NULL;

-- Logo files by their content's hash. `released_at`: since when no item shows it; after a while the file goes.
CREATE TABLE catalogue_logos (
    file_name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    byte_count BIGINT NOT NULL,
    stored_at BIGINT NOT NULL,
    released_at BIGINT
);

-- The contents of logos, so that all servers have them without a folder that they share; a row of `catalogue_logos`
-- comes in the same transaction. In a table of their own, so that whoever lists logos does not read them.
CREATE TABLE catalogue_logo_contents (
    file_name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    content BYTEA NOT NULL
);

ALTER TABLE catalogue_logo_contents ALTER COLUMN content SET STORAGE EXTERNAL;
