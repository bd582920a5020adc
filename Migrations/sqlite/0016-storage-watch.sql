-- Alerts about storage that fills up, and which level was announced last.
--
-- SQLite changes no constraint of a table, so the table of deliveries is made anew with a third kind.

CREATE TABLE alert_deliveries_new (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    kind TEXT NOT NULL CHECK (kind IN ('threshold', 'test', 'storage')),
    user_threshold INTEGER REFERENCES alert_thresholds (user_threshold),
    user_count INTEGER,
    channel TEXT NOT NULL,
    target TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'retrying', 'dead')),
    is_forced INTEGER NOT NULL CHECK (is_forced IN (0, 1)),
    attempts INTEGER NOT NULL,
    earlier_attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_attempt_at INTEGER,
    next_attempt_at INTEGER,
    delivered_at INTEGER,
    last_error TEXT,
    lease_id BLOB CHECK (lease_id IS NULL OR length(lease_id) = 16),
    lease_until INTEGER,
    storage_level TEXT CHECK (storage_level IN ('nearly_full', 'full')),
    storage_reason TEXT CHECK (storage_reason IN ('store', 'disk')),
    storage_bytes INTEGER,
    storage_limit_bytes INTEGER,
    CHECK ((kind = 'threshold') = (user_threshold IS NOT NULL)),
    CHECK ((kind = 'storage') = (storage_level IS NOT NULL)),
    CHECK ((state IN ('pending', 'retrying')) = (next_attempt_at IS NOT NULL))
) STRICT;

INSERT INTO alert_deliveries_new (id, kind, user_threshold, user_count, channel, target, state, is_forced, attempts,
    earlier_attempts, created_at, last_attempt_at, next_attempt_at, delivered_at, last_error, lease_id, lease_until)
SELECT id, kind, user_threshold, user_count, channel, target, state, is_forced, attempts, earlier_attempts, created_at,
    last_attempt_at, next_attempt_at, delivered_at, last_error, lease_id, lease_until
FROM alert_deliveries;

DROP TABLE alert_deliveries;
ALTER TABLE alert_deliveries_new RENAME TO alert_deliveries;

CREATE UNIQUE INDEX idx_alert_deliveries_user_threshold_channel ON alert_deliveries (user_threshold, channel)
WHERE user_threshold IS NOT NULL;
CREATE INDEX idx_alert_deliveries_next_attempt_at ON alert_deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- One row: the level that was announced last, for all servers of the store.
CREATE TABLE storage_watch (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    level TEXT NOT NULL CHECK (level IN ('ok', 'nearly_full', 'full')),
    changed_at INTEGER
) STRICT;

INSERT INTO storage_watch (id, level, changed_at) VALUES (1, 'ok', NULL);
