-- What is counted from the log of events.

-- How far the log is in the figures. Blocks up to `folded_block_id` are, with their events up to `counted_until`. The
-- fold under way takes the blocks up to `folding_block_id` and events up to `folding_until`; the users whose keys are
-- up to `folded_key` are in their pages already.
CREATE TABLE event_folds (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    folded_block_id BIGINT NOT NULL,
    folding_block_id BIGINT NOT NULL,
    folding_until BIGINT NOT NULL,
    folded_key BIGINT,
    counted_until BIGINT NOT NULL
);

INSERT INTO event_folds (id, folded_block_id, folding_block_id, folding_until, folded_key, counted_until)
VALUES (1, 0, 0, -62135596800000, NULL, -62135596800000);

-- What the steps of a fold have counted, until its last step adds it to the figures.
CREATE TABLE fold_changes (
    number BIGINT NOT NULL PRIMARY KEY,
    changes BYTEA NOT NULL
);

-- Blocks in the figures but for events dated ahead, as a rebuild of the figures leaves them: `counted_until` is the
-- moment up to which they are, `next_at` that of the next one. The next fold copies these events into
-- `deferred_events`.
CREATE TABLE deferred_blocks (
    block_id BIGINT NOT NULL PRIMARY KEY,
    counted_until BIGINT NOT NULL,
    next_at BIGINT NOT NULL
);

-- Events dated ahead, whose blocks are in the figures but for them, in the order in which they become due.
-- `user_hash` is replaced with that of the event in its block; `place` only tells the events of a block apart.
CREATE TABLE deferred_events (
    occurred_at BIGINT NOT NULL,
    block_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    user_hash BYTEA NOT NULL,
    event_name_id BIGINT NOT NULL,
    item_id BYTEA,
    -- The codes of platform and version: 16 times that of the version, and that of the platform.
    segment BIGINT NOT NULL,
    PRIMARY KEY (occurred_at, block_id, place)
);

-- `users` is packed by the server. A page has the users whose keys are `first_key` or more, and less than that of the
-- next page.
CREATE TABLE user_pages (
    first_key BIGINT NOT NULL PRIMARY KEY,
    users BYTEA NOT NULL
) WITH (fillfactor = 50);

ALTER TABLE user_pages ALTER COLUMN users SET STORAGE PLAIN;

INSERT INTO user_pages (first_key, users)
VALUES (-9223372036854775808, '\x010000');

-- What holds for all time: users, users who converted, subscriptions added less removed. One row.
CREATE TABLE figure_totals (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    users BIGINT NOT NULL,
    conversions BIGINT NOT NULL,
    subscriptions BIGINT NOT NULL
);

INSERT INTO figure_totals (id, users, conversions, subscriptions)
VALUES (1, 0, 0, 0);

-- One row a day (days since 1970, UTC), kept for good. `users` through `retention_d30` count users by the day of their
-- signup: all of them, and those who bear the mark. The others count by their own moment: first conversions;
-- subscriptions added less removed; users first seen; users last seen; and the ends of absences less their beginnings,
-- where an absence of the 7 (30) days begins 7 (30) x 24 h after the user left and ends when they return.
CREATE TABLE figure_days (
    day_number BIGINT NOT NULL PRIMARY KEY,
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

-- What was counted at which moment of an hour, packed, in runs that are merged as they become many.
CREATE TABLE figure_moments (
    hour_number BIGINT NOT NULL,
    number BIGINT NOT NULL,
    change_count BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    changes BYTEA NOT NULL,
    PRIMARY KEY (hour_number, number)
);

-- How the number of users changes who are active in the 1, 7, 28 or 30 days that end on a day: the number itself is the
-- sum over this day and all before.
CREATE TABLE activity_days (
    day_number BIGINT NOT NULL PRIMARY KEY,
    change_1d BIGINT NOT NULL,
    change_7d BIGINT NOT NULL,
    change_28d BIGINT NOT NULL,
    change_30d BIGINT NOT NULL
);

-- How many events of a name occurred on a day (UTC, counted in days since 1970-01-01). These totals outlive the raw
-- events, which are purged after a while.
CREATE TABLE event_days (
    event_name_id BIGINT NOT NULL,
    day_number BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    PRIMARY KEY (event_name_id, day_number)
);

-- How many users of a signup day reached the stages of the funnel, and how many days after the signup, packed by the
-- server. `dimension` is 0 for platforms and 1 for app versions, `segment` the code of one of them. A row counts
-- `day_count` days from `first_day` on: 1, or 16 so that long ranges take few rows.
CREATE TABLE funnel_days (
    dimension BIGINT NOT NULL,
    day_count BIGINT NOT NULL,
    first_day BIGINT NOT NULL,
    segment BIGINT NOT NULL,
    counts BYTEA NOT NULL,
    PRIMARY KEY (dimension, day_count, first_day, segment)
);

-- How often each item was added. The id is what devices say; what is not in the catalogue is counted and never shown.
CREATE TABLE item_additions (
    item_id BYTEA NOT NULL PRIMARY KEY CHECK (length(item_id) = 16),
    addition_count BIGINT NOT NULL
);

-- The ranking as it was computed last; devices and dashboards see one that changes once a day.
CREATE TABLE ranking_entries (
    item_id BYTEA NOT NULL PRIMARY KEY CHECK (length(item_id) = 16),
    addition_count BIGINT NOT NULL
);

CREATE TABLE ranking_refreshes (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    refreshed_at BIGINT NOT NULL,
    -- Every event of the blocks up to this one is in it.
    folded_block_id BIGINT NOT NULL
);

-- The rebuild under way, if any: `run` tells it from others. Until `ended_at` it holds the log as it is, if `seen_at`,
-- its last sign of life, is recent. The numbers are those of published figures, and NULL before. The row goes when
-- everything is cleared up.
CREATE TABLE figure_rebuilds (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    run BYTEA NOT NULL CHECK (length(run) = 16),
    actor_name TEXT COLLATE "C" NOT NULL,
    begun_at BIGINT NOT NULL,
    through_block_id BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    ended_at BIGINT,
    event_count BIGINT,
    users_before BIGINT,
    conversions_before BIGINT,
    subscriptions_before BIGINT,
    users_after BIGINT,
    conversions_after BIGINT,
    subscriptions_after BIGINT
);

-- What a rebuild has computed and not published, or has replaced and not removed; empty otherwise. Columns as in
-- `user_pages` and `figure_moments`.
CREATE TABLE rebuilt_user_pages (
    first_key BIGINT NOT NULL PRIMARY KEY,
    users BYTEA NOT NULL
) WITH (fillfactor = 100);

ALTER TABLE rebuilt_user_pages ALTER COLUMN users SET STORAGE PLAIN;

CREATE TABLE rebuilt_figure_moments (
    hour_number BIGINT NOT NULL,
    number BIGINT NOT NULL,
    change_count BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    changes BYTEA NOT NULL,
    PRIMARY KEY (hour_number, number)
);

-- Devices that asked for their events to be made anonymous, until that is done. The user's row bears `replacement_hash`
-- from the moment when it is set; `swept_block_id` tells up to which block of the event log it stands there, too, and
-- `last_block_id` up to which it has to.
CREATE TABLE analytics_erasures (
    user_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(user_hash) = 32),
    requested_at BIGINT NOT NULL,
    replacement_hash BYTEA CHECK (replacement_hash IS NULL OR length(replacement_hash) = 32),
    swept_block_id BIGINT NOT NULL DEFAULT 0,
    last_block_id BIGINT NOT NULL DEFAULT 0
);
