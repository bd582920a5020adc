-- Alert rules: which figures are watched, how they stand, and the messages about them; docs/operating.md explains them.

-- One row a rule. `value_thousandths` is the value that the figure is compared with, `window_length` a text such as 24h,
-- NULL for a figure that is measured at a moment. `revision` grows with every change of the definition, for If-Match.
-- `state` is that of the last measurement, `announced_state` the one that was put in the outbox last: they differ while
-- the rule is muted. Both change in the transaction that puts a message in the outbox, so each crossing is announced once.
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

INSERT INTO alert_rule_lists (id, revision) VALUES (1, 1);

-- One row: the Monday of the week in which the last digest was put in the outbox; NULL before the first one.
CREATE TABLE alert_digests (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    sent_week_on BIGINT
);

INSERT INTO alert_digests (id, sent_week_on) VALUES (1, NULL);

-- `notice` is JSON: what a message about a rule, or a digest, says.
ALTER TABLE alert_deliveries DROP CONSTRAINT alert_deliveries_kind_check;
ALTER TABLE alert_deliveries ADD CONSTRAINT alert_deliveries_kind_check
    CHECK (kind IN ('threshold', 'test', 'storage', 'rule', 'digest'));
ALTER TABLE alert_deliveries ADD COLUMN notice TEXT COLLATE "C";
ALTER TABLE alert_deliveries ADD CONSTRAINT alert_deliveries_notice_check
    CHECK ((kind IN ('rule', 'digest')) = (notice IS NOT NULL));

-- For rules about failed deliveries.
CREATE INDEX idx_alert_deliveries_dead ON alert_deliveries (last_attempt_at) WHERE state = 'dead';
