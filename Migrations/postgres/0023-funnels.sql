-- What the funnel by platform and app version, with a conversion window, needs; docs/figures.md explains it.

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

-- The versions that have a code. NULL where a code is free; the version that takes it next is known in events received
-- from `known_from` on, NULL for all.
CREATE TABLE app_versions (
    id BIGINT NOT NULL PRIMARY KEY,
    version TEXT COLLATE "C",
    known_from BIGINT
);

CREATE UNIQUE INDEX idx_app_versions_version ON app_versions (version);

-- Events received before have been counted without their versions, so all codes are for later ones.
INSERT INTO app_versions (id, version, known_from)
SELECT id, NULL, (SELECT 1 + max(received_at) FROM event_blocks) FROM generate_series(1, 200) AS codes (id)
WHERE EXISTS (SELECT 1 FROM event_blocks);

-- The codes of platform and version: 16 times that of the version, and that of the platform. NULL for events of before.
ALTER TABLE deferred_events ADD COLUMN segment BIGINT;

-- Users in pages whose first key is this one or a higher one are not in `funnel_days` yet; NULL when all are. The next
-- start counts users stored before.
ALTER TABLE figure_totals ADD COLUMN funnel_from_key BIGINT;

UPDATE figure_totals SET funnel_from_key = -9223372036854775808
WHERE users > 0 OR EXISTS (SELECT 1 FROM user_pages WHERE length(users) > 3) OR EXISTS (SELECT 1 FROM users);
