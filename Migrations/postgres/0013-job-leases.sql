-- Work that recurs and that one server does for all: one row a job.
--
-- Whoever finds a job due takes the lease, does the work and says when it is due again. A lease that has run out belongs
-- to a process that died, and the job is anybody's again.
CREATE TABLE job_leases (
    job TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    due_at BIGINT NOT NULL,
    lease_id BYTEA CHECK (lease_id IS NULL OR length(lease_id) = 16),
    lease_until BIGINT,
    CHECK ((lease_id IS NULL) = (lease_until IS NULL))
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
