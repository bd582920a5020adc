-- Crash groups and releases give way to others when there are too many of them, and administrators decide on groups.
--
-- `rank` is a number of milliseconds that grows with each network that reports on a day, and counts for half after 30
-- days: the row with the lowest one goes first. `marks` and `marked_day` tell networks of one day apart: 64 bits, one of
-- which a report sets by a key that only the process has. A row that never goes has the highest rank.

-- Rebuilt, because a CHECK cannot be changed. `number` grows from group to group.
CREATE TABLE crash_groups_rebuilt (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    group_key BLOB NOT NULL CHECK (length(group_key) = 32),
    title TEXT NOT NULL,
    culprit TEXT,
    platform TEXT,
    level TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved', 'ignored')),
    event_count INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    number INTEGER NOT NULL DEFAULT 0,
    rank INTEGER NOT NULL DEFAULT 0,
    marks INTEGER NOT NULL DEFAULT 0,
    marked_day INTEGER NOT NULL DEFAULT 0,
    decided_at INTEGER,
    regressed_at INTEGER,
    revision INTEGER NOT NULL DEFAULT 1
) STRICT;

INSERT INTO crash_groups_rebuilt (id, group_key, title, culprit, platform, level, status, event_count, first_seen_at,
    last_seen_at, number, rank)
SELECT id, group_key, title, culprit, platform, level, status, event_count, first_seen_at, last_seen_at,
    row_number() OVER (ORDER BY first_seen_at, id),
    CASE
        WHEN group_key = X'd0077a6cd32f5cd6de2877656bd26fbb96e4efee4c8b88dfb37c6cfd137c6463' THEN 9223372036854775807
        -- What the past tells of their worth: 1, 4 and 7 times a half-life for 10, 100 and 1,000 reports.
        WHEN event_count >= 1000 THEN last_seen_at + 18144000000
        WHEN event_count >= 100 THEN last_seen_at + 10368000000
        WHEN event_count >= 10 THEN last_seen_at + 2592000000
        ELSE last_seen_at
    END
FROM crash_groups;

DROP TABLE crash_groups;
ALTER TABLE crash_groups_rebuilt RENAME TO crash_groups;

CREATE UNIQUE INDEX idx_crash_groups_group_key ON crash_groups (group_key);
CREATE INDEX idx_crash_groups_last_seen_at_id ON crash_groups (last_seen_at, id);
CREATE INDEX idx_crash_groups_number ON crash_groups (number);
CREATE INDEX idx_crash_groups_status_rank ON crash_groups (status, rank);

ALTER TABLE crash_releases ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
ALTER TABLE crash_releases ADD COLUMN marks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE crash_releases ADD COLUMN marked_day INTEGER NOT NULL DEFAULT 0;
-- Deleted by an administrator. The row stays while sessions refer to it, so that they no longer count.
ALTER TABLE crash_releases ADD COLUMN is_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1));

UPDATE crash_releases SET rank = CASE
    WHEN name IN ('', '(other)') THEN 9223372036854775807
    ELSE max(
        coalesce((SELECT max(hour_number) * 3600000 FROM session_hours WHERE release_id = crash_releases.id), 0),
        coalesce((SELECT max(last_seen_at) FROM crash_group_releases WHERE release_id = crash_releases.id), 0))
    END;

DROP INDEX idx_crash_releases_name;
CREATE UNIQUE INDEX idx_crash_releases_name ON crash_releases (name) WHERE is_deleted = 0;
CREATE INDEX idx_crash_releases_rank ON crash_releases (rank);
CREATE INDEX idx_crash_group_releases_release_id ON crash_group_releases (release_id);
CREATE INDEX idx_session_hours_release_id ON session_hours (release_id);
