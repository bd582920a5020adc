-- Work that recurs and that one server does for all: one row a job.
--
-- Whoever finds a job due takes the lease, does the work and says when it is due again. A lease that has run out belongs
-- to a process that died, and the job is anybody's again.
CREATE TABLE job_leases (
    job TEXT NOT NULL PRIMARY KEY,
    due_at INTEGER NOT NULL,
    lease_id BLOB CHECK (lease_id IS NULL OR length(lease_id) = 16),
    lease_until INTEGER,
    CHECK ((lease_id IS NULL) = (lease_until IS NULL))
) STRICT, WITHOUT ROWID;
