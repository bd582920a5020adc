-- What is counted from the log of events.

-- How far the log is in the figures. Blocks up to `folded_block_id` are, with their events up to `counted_until`. The
-- fold under way takes the blocks up to `folding_block_id` and events up to `folding_until`; the users whose keys are
-- up to `folded_key` are in their pages already.
CREATE TABLE event_folds (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    folded_block_id INTEGER NOT NULL,
    folding_block_id INTEGER NOT NULL,
    folding_until INTEGER NOT NULL,
    folded_key INTEGER,
    counted_until INTEGER NOT NULL
) STRICT;

INSERT INTO event_folds (id, folded_block_id, folding_block_id, folding_until, folded_key, counted_until)
VALUES (1, 0, 0, -62135596800000, NULL, -62135596800000);

-- What the steps of a fold have counted, until its last step adds it to the figures.
CREATE TABLE fold_changes (
    number INTEGER NOT NULL PRIMARY KEY,
    changes BLOB NOT NULL
) STRICT;

-- Blocks in the figures but for events dated ahead, as a rebuild of the figures leaves them: `counted_until` is the
-- moment up to which they are, `next_at` that of the next one. The next fold copies these events into
-- `deferred_events`.
CREATE TABLE deferred_blocks (
    block_id INTEGER NOT NULL PRIMARY KEY,
    counted_until INTEGER NOT NULL,
    next_at INTEGER NOT NULL
) STRICT;

-- Events dated ahead, whose blocks are in the figures but for them, in the order in which they become due.
-- `user_hash` is replaced with that of the event in its block; `place` only tells the events of a block apart.
CREATE TABLE deferred_events (
    occurred_at INTEGER NOT NULL,
    block_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    user_hash BLOB NOT NULL,
    event_name_id INTEGER NOT NULL,
    item_id BLOB,
    -- The codes of platform and version: 16 times that of the version, and that of the platform.
    segment INTEGER NOT NULL,
    PRIMARY KEY (occurred_at, block_id, place)
) STRICT, WITHOUT ROWID;

-- `users` is packed by the server. A page has the users whose keys are `first_key` or more, and less than that of the
-- next page.
CREATE TABLE user_pages (
    first_key INTEGER NOT NULL PRIMARY KEY,
    users BLOB NOT NULL
) STRICT;

INSERT INTO user_pages (first_key, users)
VALUES (-9223372036854775808, X'010000');

-- What holds for all time: users, users who converted, subscriptions added less removed. One row.
CREATE TABLE figure_totals (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    users INTEGER NOT NULL,
    conversions INTEGER NOT NULL,
    subscriptions INTEGER NOT NULL
) STRICT;

INSERT INTO figure_totals (id, users, conversions, subscriptions)
VALUES (1, 0, 0, 0);

-- One row a day (days since 1970, UTC), kept for good. `users` through `retention_d30` count users by the day of their
-- signup: all of them, and those who bear the mark. The others count by their own moment: first conversions;
-- subscriptions added less removed; users first seen; users last seen; and the ends of absences less their beginnings,
-- where an absence of the 7 (30) days begins 7 (30) x 24 h after the user left and ends when they return.
CREATE TABLE figure_days (
    day_number INTEGER NOT NULL PRIMARY KEY,
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

-- What was counted at which moment of an hour, packed, in runs that are merged as they become many.
CREATE TABLE figure_moments (
    hour_number INTEGER NOT NULL,
    number INTEGER NOT NULL,
    change_count INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    changes BLOB NOT NULL,
    PRIMARY KEY (hour_number, number)
) STRICT;

-- How the number of users changes who are active in the 1, 7, 28 or 30 days that end on a day: the number itself is the
-- sum over this day and all before.
CREATE TABLE activity_days (
    day_number INTEGER NOT NULL PRIMARY KEY,
    change_1d INTEGER NOT NULL,
    change_7d INTEGER NOT NULL,
    change_28d INTEGER NOT NULL,
    change_30d INTEGER NOT NULL
) STRICT;

-- How many events of a name occurred on a day (UTC, counted in days since 1970-01-01). These totals outlive the raw
-- events, which are purged after a while.
CREATE TABLE event_days (
    event_name_id INTEGER NOT NULL,
    day_number INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    PRIMARY KEY (event_name_id, day_number)
) STRICT;

-- How many users of a signup day reached the stages of the funnel, and how many days after the signup, packed by the
-- server. `dimension` is 0 for platforms and 1 for app versions, `segment` the code of one of them. A row counts
-- `day_count` days from `first_day` on: 1, or 16 so that long ranges take few rows.
CREATE TABLE funnel_days (
    dimension INTEGER NOT NULL,
    day_count INTEGER NOT NULL,
    first_day INTEGER NOT NULL,
    segment INTEGER NOT NULL,
    counts BLOB NOT NULL,
    PRIMARY KEY (dimension, day_count, first_day, segment)
) STRICT, WITHOUT ROWID;

-- How often each item was added. The id is what devices say; what is not in the catalogue is counted and never shown.
CREATE TABLE item_additions (
    item_id BLOB NOT NULL PRIMARY KEY CHECK (length(item_id) = 16),
    addition_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The ranking as it was computed last; devices and dashboards see one that changes once a day.
CREATE TABLE ranking_entries (
    item_id BLOB NOT NULL PRIMARY KEY CHECK (length(item_id) = 16),
    addition_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE ranking_refreshes (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    refreshed_at INTEGER NOT NULL,
    -- Every event of the blocks up to this one is in it.
    folded_block_id INTEGER NOT NULL
) STRICT;

-- The rebuild under way, if any: `run` tells it from others. Until `ended_at` it holds the log as it is, if `seen_at`,
-- its last sign of life, is recent. The numbers are those of published figures, and NULL before. The row goes when
-- everything is cleared up.
CREATE TABLE figure_rebuilds (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    run BLOB NOT NULL CHECK (length(run) = 16),
    actor_name TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    through_block_id INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    ended_at INTEGER,
    event_count INTEGER,
    users_before INTEGER,
    conversions_before INTEGER,
    subscriptions_before INTEGER,
    users_after INTEGER,
    conversions_after INTEGER,
    subscriptions_after INTEGER
) STRICT;

-- What a rebuild has computed and not published, or has replaced and not removed; empty otherwise. Columns as in
-- `user_pages` and `figure_moments`, with which they change names when a rebuild is published.
CREATE TABLE rebuilt_user_pages (
    first_key INTEGER NOT NULL PRIMARY KEY,
    users BLOB NOT NULL
) STRICT;

CREATE TABLE rebuilt_figure_moments (
    hour_number INTEGER NOT NULL,
    number INTEGER NOT NULL,
    change_count INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    changes BLOB NOT NULL,
    PRIMARY KEY (hour_number, number)
) STRICT;

-- Devices that asked for their events to be made anonymous, until that is done. The user's row bears `replacement_hash`
-- from the moment when it is set; `swept_block_id` tells up to which block of the event log it stands there, too, and
-- `last_block_id` up to which it has to.
CREATE TABLE analytics_erasures (
    user_hash BLOB NOT NULL PRIMARY KEY CHECK (length(user_hash) = 32),
    requested_at INTEGER NOT NULL,
    replacement_hash BLOB CHECK (replacement_hash IS NULL OR length(replacement_hash) = 32),
    swept_block_id INTEGER NOT NULL DEFAULT 0,
    last_block_id INTEGER NOT NULL DEFAULT 0
) STRICT;
