-- People, groups and who pays which part.

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

-- The names of deleted people, for debts and expenses of the past. They bear nothing from `left_on` on.
CREATE TABLE former_people (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    left_on INTEGER NOT NULL,
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
    -- The order in which members were named, which decides who bears the cent that an even split leaves.
    position INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (group_id, person_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_group_members_person_id ON group_members (person_id);

-- From which day on a person belongs to a group, or no longer does. Before the first row of a person, the opposite of
-- it holds; without rows, `group_members` alone says who belongs to it.
CREATE TABLE memberships (
    group_id BLOB NOT NULL REFERENCES groups (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    person_id BLOB NOT NULL REFERENCES people (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    from_day INTEGER NOT NULL,
    is_member INTEGER NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    is_removed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (group_id, person_id, from_day)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_memberships_person_id ON memberships (person_id);

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

-- Pictures and PDF files of expenses and transactions, in base64, as backups carry them. Reading a list of them reads
-- no content: SQLite keeps a long one on pages of its own.
CREATE TABLE receipts (
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    expense_id BLOB REFERENCES expenses (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    transaction_id BLOB REFERENCES transactions (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    kind TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    content TEXT NOT NULL,
    CHECK ((expense_id IS NULL) <> (transaction_id IS NULL))
) STRICT;

CREATE INDEX idx_receipts_expense_id ON receipts (expense_id) WHERE expense_id IS NOT NULL;

CREATE INDEX idx_receipts_transaction_id ON receipts (transaction_id) WHERE transaction_id IS NOT NULL;

CREATE TABLE shares (
    subscription INTEGER NOT NULL PRIMARY KEY REFERENCES subscriptions (num) ON DELETE CASCADE,
    split TEXT NOT NULL,
    parts TEXT NOT NULL,
    is_accepted INTEGER NOT NULL DEFAULT 0,
    notes TEXT NOT NULL DEFAULT '',
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT ''
) STRICT;

-- Who bears a subscription from a day on, until the next row: the charges of those days make debts. No parts: nobody
-- else. `shares` holds what was agreed last, with its notes.
CREATE TABLE share_periods (
    subscription INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    from_day INTEGER NOT NULL,
    split TEXT NOT NULL,
    parts TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    is_removed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subscription, from_day)
) STRICT, WITHOUT ROWID;

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
