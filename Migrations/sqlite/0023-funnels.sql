-- What the funnel by platform and app version, with a conversion window, needs; docs/figures.md explains it.

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

-- The versions that have a code. NULL where a code is free; the version that takes it next is known in events received
-- from `known_from` on, NULL for all.
CREATE TABLE app_versions (
    id INTEGER NOT NULL PRIMARY KEY,
    version TEXT,
    known_from INTEGER
) STRICT;

CREATE UNIQUE INDEX idx_app_versions_version ON app_versions (version);

-- Events received before have been counted without their versions, so all codes are for later ones.
WITH RECURSIVE codes (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM codes WHERE id < 200)
INSERT INTO app_versions (id, version, known_from)
SELECT id, NULL, 1 + max(
    coalesce((SELECT max(received_at) FROM event_blocks), 0), coalesce((SELECT max(received_at) FROM events), 0))
FROM codes
WHERE EXISTS (SELECT 1 FROM event_blocks) OR EXISTS (SELECT 1 FROM events);

-- The codes of platform and version: 16 times that of the version, and that of the platform. NULL for events of before.
ALTER TABLE deferred_events ADD COLUMN segment INTEGER;

-- Users in pages whose first key is this one or a higher one are not in `funnel_days` yet; NULL when all are. The next
-- start counts users stored before.
ALTER TABLE figure_totals ADD COLUMN funnel_from_key INTEGER;

UPDATE figure_totals SET funnel_from_key = -9223372036854775808
WHERE users > 0 OR EXISTS (SELECT 1 FROM user_pages WHERE length(users) > 3) OR EXISTS (SELECT 1 FROM users);
