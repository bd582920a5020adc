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

INSERT INTO health_probe (id, write_count, probed_at)
VALUES (1, 0, NULL);

-- Work that recurs and that one server does for all: one row a job. Whoever finds a job due takes the lease, does the
-- work and says when it is due again. A lease that has run out belongs to a process that died, and the job is anybody's
-- again.
CREATE TABLE job_leases (
    job TEXT NOT NULL PRIMARY KEY,
    due_at INTEGER NOT NULL,
    lease_id BLOB CHECK (lease_id IS NULL OR length(lease_id) = 16),
    lease_until INTEGER,
    CHECK ((lease_id IS NULL) = (lease_until IS NULL))
) STRICT, WITHOUT ROWID;

-- When each kind of data was last purged, for the privacy page.
CREATE TABLE retention_runs (
    subject TEXT NOT NULL PRIMARY KEY,
    ran_at INTEGER NOT NULL,
    removed_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
