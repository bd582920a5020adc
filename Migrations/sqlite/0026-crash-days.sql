-- Crash reports by group and day, and the first report of each release.

-- Days (UTC, counted since 1970-01-01) on which the crashes happened. Reports stored before this migration are not in it.
CREATE TABLE crash_group_days (
    group_id BLOB NOT NULL REFERENCES crash_groups (id) ON DELETE CASCADE,
    day_number INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    PRIMARY KEY (group_id, day_number)
) STRICT;

-- When the server first heard of the release; NULL for an old one whose sessions are no longer stored.
ALTER TABLE crash_releases ADD COLUMN first_seen_at INTEGER;

UPDATE crash_releases SET first_seen_at = (
    SELECT min(hour_number) * 3600000 FROM session_hours WHERE release_id = crash_releases.id);
