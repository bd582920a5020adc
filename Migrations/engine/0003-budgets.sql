CREATE TABLE budgets (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    -- '' for all categories.
    category TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    period TEXT NOT NULL CHECK (period IN ('month', 'year')),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

-- Edits that wait for a pause in typing: on disk at once, so that a crash loses none.
CREATE TABLE drafts (
    subscription BLOB NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    written_at INTEGER NOT NULL,
    PRIMARY KEY (subscription, field)
) STRICT, WITHOUT ROWID;
