-- Names of services that devices miss in the catalogue. Nothing of the sender is kept: no address, no time per
-- suggestion, no user.

-- Moderation works on groups of the same name (case and accents folded). `name` is the first spelling that came.
CREATE TABLE suggestion_groups (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    normalised_name TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
    suggestion_count BIGINT NOT NULL,
    first_seen_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX idx_suggestion_groups_normalised_name ON suggestion_groups (normalised_name);

-- One row a suggestion, only to know its id again when a device sends its queue twice.
CREATE TABLE suggestions (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    group_id BYTEA NOT NULL REFERENCES suggestion_groups (id) ON DELETE CASCADE
);

CREATE INDEX idx_suggestions_group_id ON suggestions (group_id);
