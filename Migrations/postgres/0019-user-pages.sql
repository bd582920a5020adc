-- Users in pages, and the changes of the figures by the moment; docs/figures.md explains them.
--
-- A user was a row with six indexes, of which a new one touched a page each. `users`, `user_absences` and
-- `subscription_moments` are emptied into the new tables at the next start and stay empty.

-- `users` is packed by the server. A page has the users whose keys are `first_key` or more, and less than that of the next
-- page.
CREATE TABLE user_pages (
    first_key BIGINT NOT NULL PRIMARY KEY,
    users BYTEA NOT NULL
) WITH (fillfactor = 50);

-- A page fits a row, so nothing is moved out of line or compressed; the room left lets a changed row stay on its page.
ALTER TABLE user_pages ALTER COLUMN users SET STORAGE PLAIN;

INSERT INTO user_pages (first_key, users) VALUES (-9223372036854775808, '\x010000');

-- The counts of figure_days by the hour, of the last weeks.
CREATE TABLE figure_hours (
    hour_number BIGINT NOT NULL PRIMARY KEY,
    users BIGINT NOT NULL,
    downloads BIGINT NOT NULL,
    first_subscriptions BIGINT NOT NULL,
    five_subscriptions BIGINT NOT NULL,
    retention_d1 BIGINT NOT NULL,
    retention_d7 BIGINT NOT NULL,
    retention_d30 BIGINT NOT NULL,
    conversions BIGINT NOT NULL,
    subscriptions BIGINT NOT NULL,
    first_seen BIGINT NOT NULL,
    last_seen BIGINT NOT NULL,
    returns_7d BIGINT NOT NULL,
    returns_30d BIGINT NOT NULL
);

INSERT INTO figure_hours
SELECT
    minute_number / 60, sum(users), sum(downloads), sum(first_subscriptions), sum(five_subscriptions),
    sum(retention_d1), sum(retention_d7), sum(retention_d30), sum(conversions), sum(subscriptions), sum(first_seen),
    sum(last_seen), sum(returns_7d), sum(returns_30d)
FROM figure_minutes
GROUP BY 1;

DROP TABLE figure_minutes;

-- What was counted at which moment of an hour, packed, in runs that are merged as they become many.
CREATE TABLE figure_moments (
    hour_number BIGINT NOT NULL,
    number BIGINT NOT NULL,
    change_count BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    changes BYTEA NOT NULL,
    PRIMARY KEY (hour_number, number)
);

-- What the steps of a fold have counted, until its last step adds it to the figures.
CREATE TABLE fold_changes (
    number BIGINT NOT NULL PRIMARY KEY,
    changes BYTEA NOT NULL
);

-- Blocks in the figures but for events that were dated ahead: `counted_until` is the moment up to which they are, `next_at`
-- that of the next one.
CREATE TABLE deferred_blocks (
    block_id BIGINT NOT NULL PRIMARY KEY,
    counted_until BIGINT NOT NULL,
    next_at BIGINT NOT NULL
);

-- A fold takes users in the order of their keys, and events up to a moment. Where an earlier version was stopped in the
-- middle of one, the users up to `partial_user_hash` are in the figures with their events up to `partial_block_id`.
CREATE TABLE event_folds_new (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    folded_block_id BIGINT NOT NULL,
    folding_block_id BIGINT NOT NULL,
    folding_until BIGINT NOT NULL,
    folded_key BIGINT,
    partial_block_id BIGINT NOT NULL,
    partial_user_hash BYTEA NOT NULL
);

INSERT INTO event_folds_new
SELECT id, folded_block_id, folded_block_id, -62135596800000, NULL, folding_block_id, folded_user_hash FROM event_folds;

DROP TABLE event_folds;
ALTER TABLE event_folds_new RENAME TO event_folds;

-- A ranking is stored when every event of the blocks up to this one is in it; 0 for one of before.
ALTER TABLE ranking_refreshes ADD COLUMN folded_block_id BIGINT NOT NULL DEFAULT 0;
