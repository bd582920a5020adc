-- The figures of the dashboard, the funnel, the cohorts and the ranking, kept as events come. docs/figures.md has the
-- reasoning; the statements here and there call a moment "after T" when it is greater, never equal.

-- Users last seen in a minute (whole minutes since 1970), so that those of the minute in which a window begins are
-- found. Not a generated column: SQLite rewrites the index of one whenever `last_seen_at` is written, even when the
-- minute stays. `returned_at`: the end of the user's latest absence below, or null; no event from then on lies in one.
ALTER TABLE users ADD COLUMN seen_minute INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN returned_at INTEGER;

UPDATE users SET seen_minute = last_seen_at / 60000;

CREATE INDEX idx_users_seen_minute ON users (seen_minute);
CREATE INDEX idx_users_first_seen_at ON users (first_seen_at);

-- Nothing reads windows from the raw events any more.
DROP INDEX IF EXISTS idx_events_occurred_at_event_name_id_user_id;

-- Stretches of more than 7 x 24 h between two events of a user with none inside. Who is in none, has been seen before and
-- was last seen within the window is active. Only absences that ended in the last weeks are kept.
CREATE TABLE user_absences (
    user_id INTEGER NOT NULL,
    left_at INTEGER NOT NULL,
    returned_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, left_at),
    CHECK (returned_at - left_at > 604800000)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_user_absences_left_at ON user_absences (left_at);
CREATE INDEX idx_user_absences_returned_at ON user_absences (returned_at);

INSERT INTO user_absences (user_id, left_at, returned_at)
SELECT user_id, left_at, returned_at
FROM (
    SELECT
        user_id,
        lag(occurred_at) OVER (PARTITION BY user_id ORDER BY occurred_at) AS left_at,
        occurred_at AS returned_at
    FROM events
)
WHERE returned_at - left_at > 604800000;

UPDATE users SET returned_at = (SELECT max(a.returned_at) FROM user_absences a WHERE a.user_id = users.id)
WHERE id IN (SELECT user_id FROM user_absences);

-- Added less removed at one millisecond.
CREATE TABLE subscription_moments (
    occurred_at INTEGER NOT NULL PRIMARY KEY,
    change INTEGER NOT NULL
) STRICT;

INSERT INTO subscription_moments (occurred_at, change)
SELECT e.occurred_at, sum(CASE n.name WHEN 'subscription_added' THEN 1 ELSE -1 END)
FROM events e JOIN event_names n ON n.id = e.event_name_id
WHERE n.name IN ('subscription_added', 'subscription_removed')
GROUP BY e.occurred_at;

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

-- The same by the minute, of the last weeks.
CREATE TABLE figure_minutes (
    minute_number INTEGER NOT NULL PRIMARY KEY,
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

INSERT INTO figure_minutes
SELECT
    at / 60000, sum(users), sum(downloads), sum(first_subscriptions), sum(five_subscriptions), sum(retention_d1),
    sum(retention_d7), sum(retention_d30), sum(conversions), sum(subscriptions), sum(first_seen), sum(last_seen),
    sum(returns_7d), sum(returns_30d)
FROM (
    SELECT
        signup_at AS at, 1 AS users, app_downloaded_at IS NOT NULL AS downloads,
        first_subscription_added_at IS NOT NULL AS first_subscriptions,
        five_subscriptions_reached_at IS NOT NULL AS five_subscriptions, retention_d1_at IS NOT NULL AS retention_d1,
        retention_d7_at IS NOT NULL AS retention_d7, retention_d30_at IS NOT NULL AS retention_d30, 0 AS conversions,
        0 AS subscriptions, 0 AS first_seen, 0 AS last_seen, 0 AS returns_7d, 0 AS returns_30d
    FROM users
    UNION ALL
    SELECT premium_conversion_at, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 FROM users
    WHERE premium_conversion_at IS NOT NULL
    UNION ALL
    SELECT occurred_at, 0, 0, 0, 0, 0, 0, 0, 0, change, 0, 0, 0, 0 FROM subscription_moments
    UNION ALL
    SELECT first_seen_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 FROM users
    UNION ALL
    SELECT last_seen_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0 FROM users
    UNION ALL
    SELECT left_at + 604800000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0 FROM user_absences
    UNION ALL
    SELECT returned_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, returned_at - left_at > 2592000000 FROM user_absences
    UNION ALL
    SELECT left_at + 2592000000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1 FROM user_absences
    WHERE returned_at - left_at > 2592000000
)
GROUP BY 1;

INSERT INTO figure_days
SELECT
    minute_number / 1440, sum(users), sum(downloads), sum(first_subscriptions), sum(five_subscriptions),
    sum(retention_d1), sum(retention_d7), sum(retention_d30), sum(conversions), sum(subscriptions), sum(first_seen),
    sum(last_seen), sum(returns_7d), sum(returns_30d)
FROM figure_minutes
GROUP BY 1;

-- What holds for all time: users, users who converted, subscriptions added less removed. One row.
CREATE TABLE figure_totals (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    users INTEGER NOT NULL,
    conversions INTEGER NOT NULL,
    subscriptions INTEGER NOT NULL
) STRICT;

INSERT INTO figure_totals (id, users, conversions, subscriptions)
SELECT 1, coalesce(sum(users), 0), coalesce(sum(conversions), 0), coalesce(sum(subscriptions), 0) FROM figure_days;

-- How often each item was added. The id is what devices say; what is not in the catalogue is counted and never shown.
CREATE TABLE item_additions (
    item_id BLOB NOT NULL PRIMARY KEY CHECK (length(item_id) = 16),
    addition_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO item_additions (item_id, addition_count)
SELECT c.id, count(*)
FROM events e
JOIN event_names n ON n.id = e.event_name_id
JOIN (SELECT id FROM catalogue_items UNION SELECT id FROM catalogue_tombstones) c
    ON lower(hex(c.id)) = replace(lower(e.properties ->> 'catalogue_item_id'), '-', '')
WHERE n.name = 'subscription_added'
GROUP BY c.id;

-- The ranking as it was computed last; devices and dashboards see one that changes once a day.
CREATE TABLE ranking_entries (
    item_id BLOB NOT NULL PRIMARY KEY CHECK (length(item_id) = 16),
    addition_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE ranking_refreshes (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    refreshed_at INTEGER NOT NULL
) STRICT;
