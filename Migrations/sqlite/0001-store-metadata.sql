-- What the store knows about itself.
--
-- Conventions of every table here: STRICT, so that a column holds the type it says; snake_case plurals; instants are
-- whole milliseconds since 1970-01-01T00:00:00Z in INTEGER columns named …_at; ids are the 16 bytes of a UUID.

-- `epoch`: 8 random bytes made on first open. They mark this very store, so that a sync token or an ETag given out by
-- another one (a restored copy, a fresh installation) is recognised as foreign.
CREATE TABLE store_metadata (
    key TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

-- Readiness really writes: one row, overwritten, so that probing never grows the store.
CREATE TABLE health_probe (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    write_count INTEGER NOT NULL,
    probed_at INTEGER
) STRICT;

INSERT INTO health_probe (id, write_count, probed_at) VALUES (1, 0, NULL);
