-- Thresholds, alert rules and what is sent because of them.

-- One row for each total that was ever configured, and never removed once it has fired: taking a threshold out of the
-- list and putting it back must not announce it a second time. `user_count` is how many users there were when it fired.
CREATE TABLE alert_thresholds (
    user_threshold BIGINT NOT NULL PRIMARY KEY CHECK (user_threshold > 0),
    is_active BIGINT NOT NULL CHECK (is_active IN (0, 1)),
    fired_at BIGINT,
    user_count BIGINT,
    CHECK ((fired_at IS NULL) = (user_count IS NULL))
);

-- A threshold fires once, unless a discard that is under way takes out the users who reached it.
CREATE FUNCTION alert_thresholds_refuse_second_firing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.fired_at IS NULL AND EXISTS (SELECT 1 FROM event_discards WHERE finished_at IS NULL) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a threshold fires once';
END;
$$;

CREATE TRIGGER alert_thresholds_refuse_second_firing BEFORE UPDATE OF fired_at, user_count ON alert_thresholds
FOR EACH ROW WHEN (OLD.fired_at IS NOT NULL) EXECUTE FUNCTION alert_thresholds_refuse_second_firing();

CREATE FUNCTION alert_thresholds_refuse_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a threshold that has fired is remembered';
END;
$$;

CREATE TRIGGER alert_thresholds_refuse_forgetting BEFORE DELETE ON alert_thresholds
FOR EACH ROW WHEN (OLD.fired_at IS NOT NULL) EXECUTE FUNCTION alert_thresholds_refuse_forgetting();

INSERT INTO alert_thresholds (user_threshold, is_active)
VALUES (1000, 1), (5000, 1), (10000, 1), (50000, 1), (100000, 1);

-- Grows with every change of the list, for If-Match.
CREATE TABLE alert_threshold_lists (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    revision BIGINT NOT NULL
);

INSERT INTO alert_threshold_lists (id, revision)
VALUES (1, 1);

-- One row a rule. `value_thousandths` is the value that the figure is compared with, `window_length` a text such as
-- 24h, NULL for a figure that is measured at a moment. `revision` grows with every change of the definition, for
-- If-Match. `state` is that of the last measurement, `announced_state` the one that was put in the outbox last: they
-- differ while the rule is muted. Both change in the transaction that puts a message in the outbox, so each crossing is
-- announced once.
CREATE TABLE alert_rules (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT COLLATE "C" NOT NULL,
    figure TEXT COLLATE "C" NOT NULL,
    comparison TEXT COLLATE "C" NOT NULL,
    value_thousandths BIGINT NOT NULL,
    window_length TEXT COLLATE "C",
    minimum_sample BIGINT NOT NULL CHECK (minimum_sample >= 0),
    muted_until BIGINT,
    revision BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'ok', 'firing')),
    announced_state TEXT COLLATE "C" NOT NULL CHECK (announced_state IN ('ok', 'firing')),
    changed_at BIGINT,
    evaluated_at BIGINT,
    measured_thousandths BIGINT,
    measured_sample BIGINT
);

CREATE UNIQUE INDEX idx_alert_rules_name ON alert_rules (name);

-- Grows with every change of the list, for If-Match.
CREATE TABLE alert_rule_lists (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    revision BIGINT NOT NULL
);

INSERT INTO alert_rule_lists (id, revision)
VALUES (1, 1);

-- One row: the Monday of the week in which the last digest was put in the outbox; NULL before the first one.
CREATE TABLE alert_digests (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    sent_week_on BIGINT
);

INSERT INTO alert_digests (id, sent_week_on)
VALUES (1, NULL);

-- One row: the level that was announced last, for all servers of the store.
CREATE TABLE storage_watch (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    level TEXT COLLATE "C" NOT NULL CHECK (level IN ('ok', 'nearly_full', 'full')),
    changed_at BIGINT
);

INSERT INTO storage_watch (id, level, changed_at)
VALUES (1, 'ok', NULL);

-- One row a message and channel. `next_attempt_at` is null when nothing more is to be done. Who works on a row holds a
-- lease; a lease that has run out belongs to a process that died, and the row is anybody's again. `earlier_attempts`
-- are those before the last resend, so that a resend begins the pauses anew and the total stays true. `target` is for
-- people and holds no secret; `is_forced` says that a person asked, so that a disabled channel is tried all the same.
CREATE TABLE alert_deliveries (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('threshold', 'test', 'storage', 'rule', 'digest')),
    user_threshold BIGINT REFERENCES alert_thresholds (user_threshold),
    user_count BIGINT,
    channel TEXT COLLATE "C" NOT NULL,
    target TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'delivered', 'retrying', 'dead')),
    is_forced BIGINT NOT NULL CHECK (is_forced IN (0, 1)),
    attempts BIGINT NOT NULL,
    earlier_attempts BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_attempt_at BIGINT,
    next_attempt_at BIGINT,
    delivered_at BIGINT,
    last_error TEXT COLLATE "C",
    lease_id BYTEA CHECK (lease_id IS NULL OR length(lease_id) = 16),
    lease_until BIGINT,
    storage_level TEXT COLLATE "C" CHECK (storage_level IN ('nearly_full', 'full')),
    storage_reason TEXT COLLATE "C" CHECK (storage_reason IN ('store', 'disk')),
    storage_bytes BIGINT,
    storage_limit_bytes BIGINT,
    -- Set when the threshold of a delivery was re-armed: the delivery stays in the list, and the next firing gets its
    -- own.
    withdrawn_at BIGINT,
    notice TEXT COLLATE "C",
    CHECK ((kind = 'threshold') = (user_threshold IS NOT NULL)),
    CHECK ((state IN ('pending', 'retrying')) = (next_attempt_at IS NOT NULL)),
    CHECK ((kind = 'storage') = (storage_level IS NOT NULL)),
    CHECK ((kind IN ('rule', 'digest')) = (notice IS NOT NULL))
);

CREATE INDEX idx_alert_deliveries_next_attempt_at ON alert_deliveries (next_attempt_at)
WHERE next_attempt_at IS NOT NULL;

CREATE UNIQUE INDEX idx_alert_deliveries_user_threshold_channel ON alert_deliveries (user_threshold, channel)
WHERE user_threshold IS NOT NULL AND withdrawn_at IS NULL;

-- For rules about failed deliveries.
CREATE INDEX idx_alert_deliveries_dead ON alert_deliveries (last_attempt_at) WHERE state = 'dead';

-- Channels that told us not to come again, by the hash of where they lead: another target is another channel.
CREATE TABLE alert_disabled_channels (
    channel TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    target_hash BYTEA NOT NULL CHECK (length(target_hash) = 32),
    disabled_at BIGINT NOT NULL,
    reason TEXT COLLATE "C" NOT NULL
);
