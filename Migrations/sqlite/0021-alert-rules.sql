-- Alert rules: which figures are watched, how they stand, and the messages about them; docs/operating.md explains them.

-- One row a rule. `value_thousandths` is the value that the figure is compared with, `window_length` a text such as 24h,
-- NULL for a figure that is measured at a moment. `revision` grows with every change of the definition, for If-Match.
-- `state` is that of the last measurement, `announced_state` the one that was put in the outbox last: they differ while
-- the rule is muted. Both change in the transaction that puts a message in the outbox, so each crossing is announced once.
CREATE TABLE alert_rules (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    figure TEXT NOT NULL,
    comparison TEXT NOT NULL,
    value_thousandths INTEGER NOT NULL,
    window_length TEXT,
    minimum_sample INTEGER NOT NULL CHECK (minimum_sample >= 0),
    muted_until INTEGER,
    revision INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'ok', 'firing')),
    announced_state TEXT NOT NULL CHECK (announced_state IN ('ok', 'firing')),
    changed_at INTEGER,
    evaluated_at INTEGER,
    measured_thousandths INTEGER,
    measured_sample INTEGER
) STRICT;

CREATE UNIQUE INDEX idx_alert_rules_name ON alert_rules (name);

-- Grows with every change of the list, for If-Match.
CREATE TABLE alert_rule_lists (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
) STRICT;

INSERT INTO alert_rule_lists (id, revision) VALUES (1, 1);

-- One row: the Monday of the week in which the last digest was put in the outbox; NULL before the first one.
CREATE TABLE alert_digests (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    sent_week_on INTEGER
) STRICT;

INSERT INTO alert_digests (id, sent_week_on) VALUES (1, NULL);

-- SQLite changes no constraint of a table, so the table of deliveries is made anew with two further kinds. `notice` is
-- JSON: what a message about a rule, or a digest, says.
CREATE TABLE alert_deliveries_new (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    kind TEXT NOT NULL CHECK (kind IN ('threshold', 'test', 'storage', 'rule', 'digest')),
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
    withdrawn_at INTEGER,
    notice TEXT,
    CHECK ((kind = 'threshold') = (user_threshold IS NOT NULL)),
    CHECK ((kind = 'storage') = (storage_level IS NOT NULL)),
    CHECK ((kind IN ('rule', 'digest')) = (notice IS NOT NULL)),
    CHECK ((state IN ('pending', 'retrying')) = (next_attempt_at IS NOT NULL))
) STRICT;

INSERT INTO alert_deliveries_new (id, kind, user_threshold, user_count, channel, target, state, is_forced, attempts,
    earlier_attempts, created_at, last_attempt_at, next_attempt_at, delivered_at, last_error, lease_id, lease_until,
    storage_level, storage_reason, storage_bytes, storage_limit_bytes, withdrawn_at)
SELECT id, kind, user_threshold, user_count, channel, target, state, is_forced, attempts, earlier_attempts, created_at,
    last_attempt_at, next_attempt_at, delivered_at, last_error, lease_id, lease_until, storage_level, storage_reason,
    storage_bytes, storage_limit_bytes, withdrawn_at
FROM alert_deliveries;

DROP TABLE alert_deliveries;
ALTER TABLE alert_deliveries_new RENAME TO alert_deliveries;

CREATE UNIQUE INDEX idx_alert_deliveries_user_threshold_channel ON alert_deliveries (user_threshold, channel)
WHERE user_threshold IS NOT NULL AND withdrawn_at IS NULL;
CREATE INDEX idx_alert_deliveries_next_attempt_at ON alert_deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
-- For rules about failed deliveries.
CREATE INDEX idx_alert_deliveries_dead ON alert_deliveries (last_attempt_at) WHERE state = 'dead';
