-- Figures computed again from the raw events (`subguardd figures rebuild`); docs/figures.md explains how.

-- The rebuild under way, if any: `run` tells it from others. Until `ended_at` it holds the log as it is, if `seen_at`, its
-- last sign of life, is recent. The numbers are those of published figures, and NULL before. The row goes when everything
-- is cleared up.
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
