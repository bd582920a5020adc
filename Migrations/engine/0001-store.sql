-- The store of one device.

-- What is local to this file: who writes (node), the hybrid logical clock's last reading, a number that grows with each
-- unit of work, and the day for which `standings` holds.
CREATE TABLE store (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    node INTEGER NOT NULL,
    clock TEXT NOT NULL,
    revision INTEGER NOT NULL,
    as_of INTEGER NOT NULL
) STRICT;

INSERT INTO store (one, node, clock, revision, as_of) VALUES (1, random(), '', 0, -719162);

CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Edits that wait for a pause in typing: on disk at once, so that a crash loses none.
CREATE TABLE drafts (
    subscription BLOB NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    written_at INTEGER NOT NULL,
    PRIMARY KEY (subscription, field)
) STRICT, WITHOUT ROWID;

-- Backups that were made, to be listed: the folder tells which of the automatic ones are still there, the file system
-- which of the others.
CREATE TABLE backups (
    num INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    subscriptions INTEGER NOT NULL,
    is_sealed INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Browsers that may use the app on this machine: one-time codes and sessions, each as the SHA-256 of its secret. They
-- are never backed up, merged or exported.
CREATE TABLE browser_codes (
    hash BLOB PRIMARY KEY,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE browser_sessions (
    id BLOB PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    browser TEXT NOT NULL,
    is_remembered INTEGER NOT NULL,
    begun_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
