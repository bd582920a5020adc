CREATE TABLE people (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    email TEXT NOT NULL DEFAULT '',
    phone TEXT NOT NULL DEFAULT '',
    avatar_kind TEXT NOT NULL DEFAULT 'initials',
    avatar_value TEXT NOT NULL DEFAULT '0',
    notes TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

CREATE TABLE groups (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    details TEXT NOT NULL DEFAULT '',
    emoji TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

-- A row stays when a member leaves, so that two devices agree on who did what last.
CREATE TABLE group_members (
    group_id BLOB NOT NULL REFERENCES groups (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    person_id BLOB NOT NULL REFERENCES people (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    is_member INTEGER NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (group_id, person_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_group_members_person_id ON group_members (person_id);

-- Payers and parts are lists of `<person>=<minor units or weight>` with commas between: they belong to the amount and
-- change with it as one. A person who is deleted stays in them as an id without a name, so that balances still add up.
CREATE TABLE expenses (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    group_id BLOB NOT NULL REFERENCES groups (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    title TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    payers TEXT NOT NULL,
    split TEXT NOT NULL,
    parts TEXT NOT NULL,
    spent_on INTEGER NOT NULL,
    category TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '',
    receipt_path TEXT NOT NULL DEFAULT '',
    is_settled INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_expenses_group_id ON expenses (group_id);

CREATE TABLE shares (
    subscription INTEGER NOT NULL PRIMARY KEY REFERENCES subscriptions (num) ON DELETE CASCADE,
    split TEXT NOT NULL,
    parts TEXT NOT NULL,
    is_accepted INTEGER NOT NULL DEFAULT 0,
    notes TEXT NOT NULL DEFAULT '',
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE transactions (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    title TEXT NOT NULL,
    subtitle TEXT NOT NULL DEFAULT '',
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('expense', 'income')),
    booked_on INTEGER NOT NULL,
    category TEXT NOT NULL DEFAULT '',
    is_recurring INTEGER NOT NULL DEFAULT 0,
    tags TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '',
    receipt_path TEXT NOT NULL DEFAULT '',
    person_id BLOB REFERENCES people (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
    created_at INTEGER NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_transactions_booked_on ON transactions (booked_on);
CREATE INDEX idx_transactions_person_id ON transactions (person_id);
