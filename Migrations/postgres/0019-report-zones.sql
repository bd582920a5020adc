-- Oldest reader: 13
-- The time zones in which days of the figures are cut; no row for UTC.

-- `first_day` is counted from the epoch, and begins at `starts_at`. Days before it keep the cut of the row before.
CREATE TABLE report_zones (
    starts_at BIGINT NOT NULL PRIMARY KEY,
    zone TEXT NOT NULL,
    first_day BIGINT NOT NULL
);
