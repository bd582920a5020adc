-- Thresholds, alert rules and what is sent because of them.

-- One row for each total that was ever configured, and never removed once it has fired: taking a threshold out of the
-- list and putting it back must not announce it a second time. `user_count` is how many users there were when it fired.
CREATE TABLE alert_thresholds (
    user_threshold INTEGER NOT NULL PRIMARY KEY CHECK (user_threshold > 0),
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
    fired_at INTEGER,
    user_count INTEGER,
    CHECK ((fired_at IS NULL) = (user_count IS NULL))
) STRICT;

CREATE TRIGGER alert_thresholds_refuse_forgetting BEFORE DELETE ON alert_thresholds WHEN OLD.fired_at IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a threshold that has fired is remembered');
END;

CREATE TRIGGER alert_thresholds_refuse_second_firing BEFORE UPDATE OF fired_at, user_count ON alert_thresholds
WHEN OLD.fired_at IS NOT NULL
    AND (NEW.fired_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM event_discards WHERE finished_at IS NULL))
BEGIN
    SELECT RAISE(ABORT, 'a threshold fires once');
END;

INSERT INTO alert_thresholds (user_threshold, is_active)
VALUES (1000, 1), (5000, 1), (10000, 1), (50000, 1), (100000, 1);

-- Grows with every change of the list, for If-Match.
CREATE TABLE alert_threshold_lists (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
) STRICT;

INSERT INTO alert_threshold_lists (id, revision)
VALUES (1, 1);

-- One row a rule. `value_thousandths` is the value that the figure is compared with, `window_length` a text such as
-- 24h, NULL for a figure that is measured at a moment. `revision` grows with every change of the definition, for
-- If-Match. `state` is that of the last measurement, `announced_state` the one that was put in the outbox last: they
-- differ while the rule is muted. Both change in the transaction that puts a message in the outbox, so each crossing is
-- announced once.
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

INSERT INTO alert_rule_lists (id, revision)
VALUES (1, 1);

-- One row: the Monday of the week in which the last digest was put in the outbox; NULL before the first one.
CREATE TABLE alert_digests (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    sent_week_on INTEGER
) STRICT;

INSERT INTO alert_digests (id, sent_week_on)
VALUES (1, NULL);

-- One row: the level that was announced last, for all servers of the store.
CREATE TABLE storage_watch (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    level TEXT NOT NULL CHECK (level IN ('ok', 'nearly_full', 'full')),
    changed_at INTEGER
) STRICT;

INSERT INTO storage_watch (id, level, changed_at)
VALUES (1, 'ok', NULL);

-- One row a message and channel. `next_attempt_at` is NULL when nothing more is to be done. Who works on a row holds a
-- lease on it. `notice` is JSON: what a message about a rule, or a digest, says.
CREATE TABLE alert_deliveries (
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

CREATE UNIQUE INDEX idx_alert_deliveries_user_threshold_channel ON alert_deliveries (user_threshold, channel)
WHERE user_threshold IS NOT NULL AND withdrawn_at IS NULL;

CREATE INDEX idx_alert_deliveries_next_attempt_at ON alert_deliveries (next_attempt_at)
WHERE next_attempt_at IS NOT NULL;

-- For rules about failed deliveries.
CREATE INDEX idx_alert_deliveries_dead ON alert_deliveries (last_attempt_at) WHERE state = 'dead';

-- Channels that told us not to come again, by the hash of where they lead: another target is another channel.
CREATE TABLE alert_disabled_channels (
    channel TEXT NOT NULL PRIMARY KEY,
    target_hash BLOB NOT NULL CHECK (length(target_hash) = 32),
    disabled_at INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;
