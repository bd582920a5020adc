-- What the series of figures by the day needs; docs/figures.md explains it.

-- How the number of users changes who are active in the 1, 7, 28 or 30 days that end on a day: the number itself is the sum
-- over this day and all before.
CREATE TABLE activity_days (
    day_number INTEGER NOT NULL PRIMARY KEY,
    change_1d INTEGER NOT NULL,
    change_7d INTEGER NOT NULL,
    change_28d INTEGER NOT NULL,
    change_30d INTEGER NOT NULL
) STRICT;

-- Sessions of the hours that were purged.
CREATE TABLE session_days (
    day_number INTEGER NOT NULL PRIMARY KEY,
    session_count INTEGER NOT NULL,
    crashed_count INTEGER NOT NULL
) STRICT;

-- Of users who were stored before, only the days of their first and latest event are known. Their days are complete from
-- `activity_from_day` on, which is NULL where there were none. They are counted at the next start, which sets
-- `has_activity`.
ALTER TABLE figure_totals ADD COLUMN has_activity INTEGER NOT NULL DEFAULT 1;
ALTER TABLE figure_totals ADD COLUMN activity_from_day INTEGER;

UPDATE figure_totals SET
    has_activity = 0,
    activity_from_day = 1 + max(
        coalesce((SELECT max(day_number) FROM figure_days WHERE last_seen > 0), 0),
        coalesce((SELECT max(last_occurred_at) / 86400000 FROM event_blocks), 0))
WHERE users > 0 OR EXISTS (SELECT 1 FROM user_pages WHERE length(users) > 3) OR EXISTS (SELECT 1 FROM users);
