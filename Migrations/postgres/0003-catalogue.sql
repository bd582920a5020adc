-- The catalogue of services, and what a device needs to follow it.

-- One monotonic counter for the whole catalogue, bumped in the transaction of each change, so that "what changed since
-- revision n" has one answer. A clock could run backwards or stand still; this cannot. Changes after revision `horizon`
-- are known whole; of earlier deletions the tombstones may be purged.
CREATE TABLE catalogue_counters (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    revision BIGINT NOT NULL,
    horizon BIGINT NOT NULL,
    CHECK (horizon <= revision)
);

INSERT INTO catalogue_counters (id, revision, horizon) VALUES (1, 0, 0);

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

-- A deleted or merged item leaves its id, so that devices learn of it. `merged_into` is null for a plain deletion.
CREATE TABLE catalogue_tombstones (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    merged_into BYTEA CHECK (merged_into IS NULL OR length(merged_into) = 16),
    revision BIGINT NOT NULL,
    deleted_at BIGINT NOT NULL
);
