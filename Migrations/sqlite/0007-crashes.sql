-- Crash reports, grouped, and the sessions of releases.

-- A release is stored once. `name` is empty where the sender named none, and `(other)` takes what comes beyond the
-- most.
CREATE TABLE crash_releases (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    rank INTEGER NOT NULL DEFAULT 0,
    marks INTEGER NOT NULL DEFAULT 0,
    marked_day INTEGER NOT NULL DEFAULT 0,
    -- Deleted by an administrator. The row stays while sessions refer to it, so that they no longer count.
    is_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1)),
    -- When the server first heard of the release.
    first_seen_at INTEGER
) STRICT;

CREATE UNIQUE INDEX idx_crash_releases_name ON crash_releases (name) WHERE is_deleted = 0;

CREATE INDEX idx_crash_releases_rank ON crash_releases (rank);

-- `number` grows from group to group.
CREATE TABLE crash_groups (
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

CREATE UNIQUE INDEX idx_crash_groups_group_key ON crash_groups (group_key);

CREATE INDEX idx_crash_groups_last_seen_at_id ON crash_groups (last_seen_at, id);

CREATE INDEX idx_crash_groups_number ON crash_groups (number);

CREATE INDEX idx_crash_groups_status_rank ON crash_groups (status, rank);

CREATE TABLE crash_group_releases (
    group_id BLOB NOT NULL REFERENCES crash_groups (id) ON DELETE CASCADE,
    release_id INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    PRIMARY KEY (group_id, release_id)
) STRICT;

-- The reports of each release, without reading the rows of all groups.
CREATE INDEX idx_crash_group_releases_release_id_event_count ON crash_group_releases (release_id, event_count);

-- Days (UTC, counted since 1970-01-01) on which the crashes happened.
CREATE TABLE crash_group_days (
    group_id BLOB NOT NULL REFERENCES crash_groups (id) ON DELETE CASCADE,
    day_number INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    PRIMARY KEY (group_id, day_number)
) STRICT;

-- The newest few reports of each group, scrubbed, as JSON.
CREATE TABLE crash_samples (
    id INTEGER NOT NULL PRIMARY KEY,
    group_id BLOB NOT NULL REFERENCES crash_groups (id) ON DELETE CASCADE,
    occurred_at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE INDEX idx_crash_samples_group_id ON crash_samples (group_id);

-- Ids of what was stored, so that it counts once however often it is sent. The newest ones are kept, by number.
CREATE TABLE crash_receipts (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    receipt_id BLOB NOT NULL CHECK (length(receipt_id) = 16)
) STRICT;

CREATE UNIQUE INDEX idx_crash_receipts_receipt_id ON crash_receipts (receipt_id);

-- Sessions that may still change. A row goes when nothing can change it any more.
CREATE TABLE crash_sessions (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    session_id BLOB NOT NULL CHECK (length(session_id) = 16),
    release_id INTEGER NOT NULL,
    hour_number INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    has_errors INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_crash_sessions_session_id ON crash_sessions (session_id);

-- Sessions by the hour (UTC, counted since 1970-01-01T00:00:00Z) in which they started.
CREATE TABLE session_hours (
    hour_number INTEGER NOT NULL,
    release_id INTEGER NOT NULL,
    session_count INTEGER NOT NULL,
    crashed_count INTEGER NOT NULL,
    abnormal_count INTEGER NOT NULL,
    errored_count INTEGER NOT NULL,
    PRIMARY KEY (hour_number, release_id)
) STRICT;

CREATE INDEX idx_session_hours_release_id ON session_hours (release_id);

-- Sessions of the hours that were purged.
CREATE TABLE session_days (
    day_number INTEGER NOT NULL PRIMARY KEY,
    session_count INTEGER NOT NULL,
    crashed_count INTEGER NOT NULL
) STRICT;
