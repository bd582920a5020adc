-- What the store knows about itself.
--
-- The tables are those of `Migrations/sqlite`, which says what they are for; here is said what differs. Conventions: BIGINT
-- for every number, also for 0 and 1, so that both databases answer with the same; texts compare by their bytes (COLLATE
-- "C") whatever the database was made with; instants are whole milliseconds since 1970-01-01T00:00:00Z in columns named
-- …_at; ids are the 16 bytes of a UUID in BYTEA.

-- `epoch`: 8 random bytes made on first open. They mark this very store, so that a sync token or an ETag given out by
-- another one (a restored copy, a fresh installation) is recognised as foreign.
CREATE TABLE store_metadata (
    key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value BYTEA NOT NULL
);

-- Readiness really writes: one row, overwritten, so that probing never grows the store.
CREATE TABLE health_probe (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    write_count BIGINT NOT NULL,
    probed_at BIGINT
);

INSERT INTO health_probe (id, write_count, probed_at) VALUES (1, 0, NULL);
