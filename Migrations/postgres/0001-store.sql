-- What the store knows about itself.
--
-- The tables are those of `Migrations/sqlite`, which says what they are for; here is said what differs. Conventions:
-- BIGINT for every number, also for 0 and 1, so that both databases answer with the same; texts compare by their bytes
-- (COLLATE "C") whatever the database was made with; instants are whole milliseconds since 1970-01-01T00:00:00Z in
-- columns named …_at; ids are the 16 bytes of a UUID in BYTEA.

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

INSERT INTO health_probe (id, write_count, probed_at)
VALUES (1, 0, NULL);

-- Work that recurs and that one server does for all: one row a job. Whoever finds a job due takes the lease, does the
-- work and says when it is due again. A lease that has run out belongs to a process that died, and the job is anybody's
-- again.
CREATE TABLE job_leases (
    job TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    due_at BIGINT NOT NULL,
    lease_id BYTEA CHECK (lease_id IS NULL OR length(lease_id) = 16),
    lease_until BIGINT,
    CHECK ((lease_id IS NULL) = (lease_until IS NULL))
);

-- When each kind of data was last purged, for the privacy page.
CREATE TABLE retention_runs (
    subject TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    ran_at BIGINT NOT NULL,
    removed_count BIGINT NOT NULL
);
