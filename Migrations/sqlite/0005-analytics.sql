-- Events from devices, and what is kept of them as they come.

-- Names are stored once: an event row carries a small number instead of up to 27 bytes. Rows are added by the ingest
-- when it first meets a name of the registry, and never renumbered.
CREATE TABLE event_names (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_event_names_name ON event_names (name);

-- A user is 32 bytes that the device made by hashing its own random id. The marks hold when a user first did what they
-- name, or null; a milestone counts once a user however often it is sent. `signup_at` is computed from its rule here,
-- so that no writer can forget it when a late event comes.
CREATE TABLE users (
    id INTEGER NOT NULL PRIMARY KEY,
    user_hash BLOB NOT NULL CHECK (length(user_hash) = 32),
    first_seen_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    app_downloaded_at INTEGER,
    first_subscription_added_at INTEGER,
    five_subscriptions_reached_at INTEGER,
    retention_d1_at INTEGER,
    retention_d7_at INTEGER,
    retention_d30_at INTEGER,
    premium_conversion_at INTEGER,
    signup_at INTEGER GENERATED ALWAYS AS (coalesce(app_downloaded_at, first_seen_at)) STORED
) STRICT;

CREATE UNIQUE INDEX idx_users_user_hash ON users (user_hash);
CREATE INDEX idx_users_signup_at ON users (signup_at);
CREATE INDEX idx_users_premium_conversion_at ON users (premium_conversion_at) WHERE premium_conversion_at IS NOT NULL;

-- Raw events. The id decides what is a duplicate. `occurred_at` is the device's timestamp after the repair of its
-- clock; `properties` is JSON text of the properties that the registry allows. No reference to users is declared: the
-- check would cost a lookup for each event, and the only writer resolves the user in the same transaction.
CREATE TABLE events (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    event_name_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    occurred_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    properties TEXT
) STRICT;

-- Covers the sliding windows of the dashboard (active users, subscriptions added and removed).
CREATE INDEX idx_events_occurred_at_event_name_id_user_id ON events (occurred_at, event_name_id, user_id);

-- How many events of a name occurred on a day (UTC, counted in days since 1970-01-01). These totals outlive the raw
-- events, which are purged after a while.
CREATE TABLE event_days (
    event_name_id INTEGER NOT NULL,
    day_number INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    PRIMARY KEY (event_name_id, day_number)
) STRICT;
