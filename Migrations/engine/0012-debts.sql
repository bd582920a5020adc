-- Who bears a subscription from a day on, until the next row: the charges of those days make debts. No parts: nobody else.
-- `shares` holds what was agreed last, with its notes.
CREATE TABLE share_periods (
    subscription INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    from_day INTEGER NOT NULL,
    split TEXT NOT NULL,
    parts TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (subscription, from_day)
) STRICT, WITHOUT ROWID;

-- Money that one person gave another.
CREATE TABLE repayments (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    from_id BLOB NOT NULL,
    to_id BLOB NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    paid_on INTEGER NOT NULL,
    group_id BLOB REFERENCES groups (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    created_at INTEGER NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_repayments_group_id ON repayments (group_id);

-- The names of deleted people, for debts and expenses of the past. They bear nothing from `left_on` on.
CREATE TABLE former_people (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    left_on INTEGER NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
