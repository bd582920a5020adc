-- Browsers that may use the app on this machine: one-time codes and sessions, each as the SHA-256 of its secret. They are
-- never backed up, merged or exported.
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
