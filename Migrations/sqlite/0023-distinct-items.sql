-- Oldest reader: 13
-- Pairs of items that look alike and that an operator declared to be different services.

CREATE TABLE catalogue_distinct_pairs (
    first_id BLOB NOT NULL CHECK (length(first_id) = 16),
    second_id BLOB NOT NULL CHECK (length(second_id) = 16),
    decided_at INTEGER NOT NULL,
    PRIMARY KEY (first_id, second_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_catalogue_distinct_pairs_second_id ON catalogue_distinct_pairs (second_id);
