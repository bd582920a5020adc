-- Services that the community suggests.

-- Moderation works on groups of the same name (case and accents folded). `name` is the first spelling that came.
CREATE TABLE suggestion_groups (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    normalised_name TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
    suggestion_count BIGINT NOT NULL,
    first_seen_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    -- Which item an approved suggestion became, and when it was decided on.
    item_id BYTEA CHECK (item_id IS NULL OR length(item_id) = 16),
    decided_at BIGINT
);

CREATE UNIQUE INDEX idx_suggestion_groups_normalised_name ON suggestion_groups (normalised_name);

CREATE INDEX idx_suggestion_groups_status_suggestion_count ON suggestion_groups (status, suggestion_count, id);

CREATE INDEX idx_suggestion_groups_item_id ON suggestion_groups (item_id) WHERE item_id IS NOT NULL;

-- The newest suggestions of a status, without sorting all of them.
CREATE INDEX idx_suggestion_groups_status_last_seen_at ON suggestion_groups (status, last_seen_at, id);

-- One row a suggestion, only to know its id again when a device sends its queue twice.
CREATE TABLE suggestions (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    group_id BYTEA NOT NULL REFERENCES suggestion_groups (id) ON DELETE CASCADE
);

CREATE INDEX idx_suggestions_group_id ON suggestions (group_id);
