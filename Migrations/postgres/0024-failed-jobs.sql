-- Oldest reader: 13
-- When the last run of a job failed; NULL after one that did not.

ALTER TABLE job_leases ADD COLUMN failed_at BIGINT;
