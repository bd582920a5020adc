-- Crashes and sessions. Nothing of whoever crashed is kept, and nothing grows without bound: groups, releases, samples
-- and remembered ids have a most, hours are purged.

-- A release is stored once. `name` is empty where the sender named none, and `(other)` takes what comes beyond the
-- most.
CREATE TABLE crash_releases (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_crash_releases_name ON crash_releases (name);

-- Reports of the same fault. `group_key` is SHA-256 over what makes them the same.
CREATE TABLE crash_groups (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    group_key BLOB NOT NULL CHECK (length(group_key) = 32),
    title TEXT NOT NULL,
    culprit TEXT,
    platform TEXT,
    level TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved')),
    event_count INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_crash_groups_group_key ON crash_groups (group_key);
CREATE INDEX idx_crash_groups_last_seen_at_id ON crash_groups (last_seen_at, id);

CREATE TABLE crash_group_releases (
    group_id BLOB NOT NULL REFERENCES crash_groups (id) ON DELETE CASCADE,
    release_id INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    PRIMARY KEY (group_id, release_id)
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
