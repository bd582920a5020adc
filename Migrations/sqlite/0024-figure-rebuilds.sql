-- Figures computed again from the raw events (`subguardd figures rebuild`); docs/figures.md explains how.

-- The rebuild under way, if any: `run` tells it from others. Until `ended_at` it holds the log as it is, if `seen_at`, its
-- last sign of life, is recent. The numbers are those of published figures, and NULL before. The row goes when everything
-- is cleared up.
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
