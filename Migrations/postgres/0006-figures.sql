-- The figures of the dashboard, the funnel, the cohorts and the ranking, kept as events come. docs/figures.md has the
-- reasoning; the statements here and there call a moment "after T" when it is greater, never equal.

-- Users last seen in a minute (whole minutes since 1970), so that those of the minute in which a window begins are
-- found. `returned_at`: the end of the user's latest absence below, or null; no event from then on lies in one.
ALTER TABLE users ADD COLUMN seen_minute BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN returned_at BIGINT;

CREATE INDEX idx_users_seen_minute ON users (seen_minute);
CREATE INDEX idx_users_first_seen_at ON users (first_seen_at);

-- Stretches of more than 7 x 24 h between two events of a user with none inside. Who is in none, has been seen before and
-- was last seen within the window is active. Only absences that ended in the last weeks are kept.
CREATE TABLE user_absences (
    user_id BIGINT NOT NULL,
    left_at BIGINT NOT NULL,
    returned_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, left_at),
    CHECK (returned_at - left_at > 604800000)
);

CREATE INDEX idx_user_absences_left_at ON user_absences (left_at);
CREATE INDEX idx_user_absences_returned_at ON user_absences (returned_at);

-- Added less removed at one millisecond.
CREATE TABLE subscription_moments (
    occurred_at BIGINT NOT NULL PRIMARY KEY,
    change BIGINT NOT NULL
);

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

-- The same by the minute, of the last weeks.
CREATE TABLE figure_minutes (
    minute_number BIGINT NOT NULL PRIMARY KEY,
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

-- What holds for all time: users, users who converted, subscriptions added less removed. One row.
CREATE TABLE figure_totals (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    users BIGINT NOT NULL,
    conversions BIGINT NOT NULL,
    subscriptions BIGINT NOT NULL
);

INSERT INTO figure_totals (id, users, conversions, subscriptions) VALUES (1, 0, 0, 0);

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
    refreshed_at BIGINT NOT NULL
);
