-- What is exchanged with a server.

-- The copy of the catalogue, which can be fetched anew at any time. `checked_at` is when the server last said that the
-- copy is whole and current; the tag is that of an answer that knew of no change since the token.
CREATE TABLE catalogue_copy (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    server TEXT NOT NULL,
    sync_token TEXT NOT NULL,
    entity_tag TEXT,
    checked_at INTEGER NOT NULL
) STRICT;

-- Aliases have line feeds between: a name cannot hold one.
CREATE TABLE catalogue_items (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    slug TEXT NOT NULL,
    category TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    cycle TEXT NOT NULL,
    website TEXT,
    logo_url TEXT,
    cancel_url TEXT,
    notice_days INTEGER,
    aliases TEXT NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_catalogue_items_slug ON catalogue_items (slug);

-- Items that were merged into others: a subscription may bring such a link from another device later.
CREATE TABLE catalogue_redirects (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    merged_into BLOB NOT NULL CHECK (length(merged_into) = 16)
) STRICT, WITHOUT ROWID;

-- Names that wait to be suggested; a refusal is the server's code for why it never will take this one.
CREATE TABLE suggestions (
    num INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    name TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    refusal TEXT
) STRICT;

-- Events that wait to be reported, in the order in which they happened.
CREATE TABLE events (
    num INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    name TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    is_milestone INTEGER NOT NULL,
    properties TEXT NOT NULL
) STRICT;

CREATE INDEX idx_events_is_milestone ON events (is_milestone, num);

-- Milestones that this device has passed. They come once, whatever happens to the events that told of them.
CREATE TABLE milestones (
    name TEXT NOT NULL PRIMARY KEY,
    reached_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Anonymous ids, as their SHA-256, that a server which was told of them is still to forget.
CREATE TABLE erasures (
    user_id TEXT NOT NULL,
    server TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, server)
) STRICT, WITHOUT ROWID;
