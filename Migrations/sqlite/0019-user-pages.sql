-- Users in pages, and the changes of the figures by the moment; docs/figures.md explains them.
--
-- A user was a row with six indexes, of which a new one touched a page each. `users`, `user_absences` and
-- `subscription_moments` are emptied into the new tables at the next start and stay empty.

-- `users` is packed by the server. A page has the users whose keys are `first_key` or more, and less than that of the next
-- page.
CREATE TABLE user_pages (
    first_key INTEGER NOT NULL PRIMARY KEY,
    users BLOB NOT NULL
) STRICT;

INSERT INTO user_pages (first_key, users) VALUES (-9223372036854775808, X'010000');

-- The counts of figure_days by the hour, of the last weeks.
CREATE TABLE figure_hours (
    hour_number INTEGER NOT NULL PRIMARY KEY,
    users INTEGER NOT NULL,
    downloads INTEGER NOT NULL,
    first_subscriptions INTEGER NOT NULL,
    five_subscriptions INTEGER NOT NULL,
    retention_d1 INTEGER NOT NULL,
    retention_d7 INTEGER NOT NULL,
    retention_d30 INTEGER NOT NULL,
    conversions INTEGER NOT NULL,
    subscriptions INTEGER NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    returns_7d INTEGER NOT NULL,
    returns_30d INTEGER NOT NULL
) STRICT;

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
    hour_number INTEGER NOT NULL,
    number INTEGER NOT NULL,
    change_count INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    changes BLOB NOT NULL,
    PRIMARY KEY (hour_number, number)
) STRICT;

-- What the steps of a fold have counted, until its last step adds it to the figures.
CREATE TABLE fold_changes (
    number INTEGER NOT NULL PRIMARY KEY,
    changes BLOB NOT NULL
) STRICT;

-- Blocks in the figures but for events that were dated ahead: `counted_until` is the moment up to which they are, `next_at`
-- that of the next one.
CREATE TABLE deferred_blocks (
    block_id INTEGER NOT NULL PRIMARY KEY,
    counted_until INTEGER NOT NULL,
    next_at INTEGER NOT NULL
) STRICT;

-- A fold takes users in the order of their keys, and events up to a moment. Where an earlier version was stopped in the
-- middle of one, the users up to `partial_user_hash` are in the figures with their events up to `partial_block_id`.
CREATE TABLE event_folds_new (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    folded_block_id INTEGER NOT NULL,
    folding_block_id INTEGER NOT NULL,
    folding_until INTEGER NOT NULL,
    folded_key INTEGER,
    partial_block_id INTEGER NOT NULL,
    partial_user_hash BLOB NOT NULL
) STRICT;

INSERT INTO event_folds_new
SELECT id, folded_block_id, folded_block_id, -62135596800000, NULL, folding_block_id, folded_user_hash FROM event_folds;

DROP TABLE event_folds;
ALTER TABLE event_folds_new RENAME TO event_folds;

-- A ranking is stored when every event of the blocks up to this one is in it; 0 for one of before.
ALTER TABLE ranking_refreshes ADD COLUMN folded_block_id INTEGER NOT NULL DEFAULT 0;
