// swift-format-ignore-file
// Made by Scripts/generate from Migrations/engine. Do not edit.

package import SQLDatabase

/// The schema of a device's store, as it is in `Migrations/engine`.
package enum EngineMigrations {
    package static let all: [Migration] = [
        Migration(
            number: 1, slug: "store",
            sql: #"""
-- The store of one device.

-- What is local to this file: who writes (node), the hybrid logical clock's last reading, a number that grows with each
-- unit of work, and the day for which `standings` holds.
CREATE TABLE store (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    node INTEGER NOT NULL,
    clock TEXT NOT NULL,
    revision INTEGER NOT NULL,
    as_of INTEGER NOT NULL
) STRICT;

INSERT INTO store (one, node, clock, revision, as_of) VALUES (1, random(), '', 0, -719162);

CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Edits that wait for a pause in typing: on disk at once, so that a crash loses none.
CREATE TABLE drafts (
    subscription BLOB NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    written_at INTEGER NOT NULL,
    PRIMARY KEY (subscription, field)
) STRICT, WITHOUT ROWID;

-- Backups that were made, to be listed: the folder tells which of the automatic ones are still there, the file system
-- which of the others.
CREATE TABLE backups (
    num INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    subscriptions INTEGER NOT NULL,
    is_sealed INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Browsers that may use the app on this machine: one-time codes and sessions, each as the SHA-256 of its secret. They
-- are never backed up, merged or exported.
CREATE TABLE browser_codes (
    hash BLOB PRIMARY KEY,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE browser_sessions (
    id BLOB PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    browser TEXT NOT NULL,
    is_remembered INTEGER NOT NULL,
    begun_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

"""#,
            checksum: "a00758159fa3eef753e4d34092e3744f141319b2f750222fa377178de4b6db8c"),
        Migration(
            number: 2, slug: "subscriptions",
            sql: #"""
-- Subscriptions, their prices and what was done about each due date.

-- Days are days since 1970, instants milliseconds since 1970, amounts minor units. `stamp` is the reading of the clock
-- at which the row was made ('' for rows that nobody chose), `stamps` the later readings of single registers.
CREATE TABLE subscriptions (
    num INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    name TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    anchor_day INTEGER NOT NULL,
    cycle TEXT NOT NULL,
    tracked_from INTEGER NOT NULL,
    started_on INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    category TEXT NOT NULL,
    trial_ends_on INTEGER,
    trial_converts INTEGER NOT NULL DEFAULT 1,
    ends_on INTEGER,
    contract_ends_on INTEGER,
    minimum_months INTEGER NOT NULL DEFAULT 0,
    extension_months INTEGER NOT NULL DEFAULT 0,
    notice_days INTEGER NOT NULL DEFAULT 0,
    is_variable INTEGER NOT NULL DEFAULT 0,
    remind TEXT NOT NULL DEFAULT '3',
    details TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '',
    website TEXT NOT NULL DEFAULT '',
    payment_method TEXT NOT NULL DEFAULT '',
    icon TEXT NOT NULL DEFAULT '',
    color TEXT NOT NULL DEFAULT '',
    catalogue_item_id BLOB,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    -- What took a subscription's place, and the bundle in which it is paid.
    replaced_by BLOB REFERENCES subscriptions (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
    bundled_in BLOB REFERENCES subscriptions (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
    -- Whether a subscription is for work; a category is what kind of service it is.
    scope TEXT NOT NULL DEFAULT 'personal'
) STRICT;

CREATE INDEX idx_subscriptions_replaced_by ON subscriptions (replaced_by) WHERE replaced_by IS NOT NULL;

CREATE INDEX idx_subscriptions_bundled_in ON subscriptions (bundled_in) WHERE bundled_in IS NOT NULL;

-- Lists and exports have one order on all devices: that of entry, whatever the order in which rows arrived.
CREATE INDEX idx_subscriptions_created_at ON subscriptions (created_at, id);

CREATE TABLE prices (
    subscription INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    from_day INTEGER NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    -- A price in another currency than its subscription's was overtaken by a change of the currency.
    currency TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    -- 1 for what was taken back. Such a row stays, without any effect, because a deleted one would return from another
    -- device at the next merge.
    is_removed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subscription, from_day)
) STRICT, WITHOUT ROWID;

CREATE TABLE states (
    subscription INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    from_day INTEGER NOT NULL,
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    -- 1 for a state that a cancellation overrules, and for a cancellation whose date was corrected.
    is_overruled INTEGER NOT NULL DEFAULT 0,
    is_removed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subscription, from_day)
) STRICT, WITHOUT ROWID;

-- One row a charge. `fate`: 0 open, 1 confirmed on its day or before, 2 confirmed later, 3 not charged, 4 of before the
-- day of entry and taken as charged.
CREATE TABLE ledger (
    subscription INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    due_day INTEGER NOT NULL,
    fate INTEGER NOT NULL DEFAULT 0 CHECK (fate BETWEEN 0 AND 4),
    acted_at INTEGER,
    paid INTEGER,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    paid_currency TEXT,
    -- What a charge of before the present schedule is while its subscription was not charged on that day, such as after
    -- a past cancellation: `fate` is then 3, as of a charge that was taken back, and this is the fate that holds again
    -- without the cancellation. Derived from the states; NULL for all others.
    withheld INTEGER,
    PRIMARY KEY (subscription, due_day)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_ledger_fate_due_day ON ledger (fate, due_day, subscription, paid, paid_currency);

-- The score counts what the user skipped from an index alone. What was taken back otherwise, such as by a later start,
-- has no instant. The columns of the condition are in the index, or each row would be looked up.
CREATE INDEX idx_ledger_skipped ON ledger (due_day, fate, acted_at) WHERE fate = 3 AND acted_at IS NOT NULL;

CREATE TABLE standings (
    sort_name TEXT NOT NULL,
    num INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    -- The id's halves: two numbers are read several times faster than a blob.
    id_high INTEGER NOT NULL,
    id_low INTEGER NOT NULL,
    name TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency INTEGER NOT NULL,
    cycle INTEGER NOT NULL,
    category TEXT NOT NULL,
    is_pro INTEGER NOT NULL,
    status INTEGER NOT NULL,
    next_day INTEGER,
    due_day INTEGER,
    -- Whether its annual figure counts in the totals.
    is_counted INTEGER NOT NULL,
    -- Whether nothing but the passing of days will change it.
    is_steady INTEGER NOT NULL,
    -- The first day on which this row is no longer true.
    changes_on INTEGER,
    -- Through which day passed billing days are in the ledger.
    posted_through INTEGER NOT NULL,
    -- The first day of a cancellation that is still to come.
    cancel_day INTEGER,
    is_variable INTEGER NOT NULL,
    PRIMARY KEY (sort_name, id_high, id_low)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX idx_standings_num ON standings (num);

CREATE INDEX idx_standings_changes_on ON standings (changes_on);

-- Both hold all that is asked of them, so that pending, widget, forecast and totals read nothing else.
CREATE INDEX idx_standings_due_day ON standings (
    due_day, num, is_steady, cycle, amount, currency, id_high, id_low, name
) WHERE due_day IS NOT NULL;

CREATE INDEX idx_standings_is_counted ON standings (is_counted, currency, is_pro, category, cycle, amount);

"""#,
            checksum: "0ed5253551926d989c782c089d70204d3bb31312720a0c6b370e33110f544105"),
        Migration(
            number: 3, slug: "spending",
            sql: #"""
-- What was spent, kept by triggers.

-- By month (`2026-11`), scope and category. Rows without charges may remain.
CREATE TABLE spending (
    month TEXT NOT NULL,
    scope TEXT NOT NULL,
    category TEXT NOT NULL,
    currency TEXT NOT NULL,
    -- What the user confirmed, and what is assumed because nobody did.
    confirmed INTEGER NOT NULL,
    assumed INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (month, scope, category, currency)
) STRICT, WITHOUT ROWID;

CREATE TABLE subscription_spending (
    subscription INTEGER NOT NULL,
    currency TEXT NOT NULL,
    confirmed INTEGER NOT NULL,
    assumed INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (subscription, currency)
) STRICT, WITHOUT ROWID;

-- What the ledger says of charges in the past and to come.
CREATE VIEW charges AS
SELECT
    l.subscription,
    l.due_day,
    strftime('%Y-%m', l.due_day * 86400, 'unixepoch') AS month,
    s.scope,
    s.category,
    CASE
        WHEN l.paid IS NULL THEN coalesce(p.currency, s.currency)
        ELSE coalesce(l.paid_currency, p.currency, s.currency)
    END AS currency,
    CASE WHEN l.fate IN (1, 2) THEN coalesce(l.paid, p.amount, s.amount) ELSE 0 END AS confirmed,
    CASE WHEN l.fate IN (1, 2) THEN 0 ELSE coalesce(l.paid, p.amount, s.amount) END AS assumed,
    l.fate
FROM ledger AS l
CROSS JOIN subscriptions AS s ON s.num = l.subscription
LEFT JOIN prices AS p
    ON p.subscription = l.subscription
    AND p.from_day = (
        SELECT max(q.from_day) FROM prices AS q
        WHERE q.subscription = l.subscription AND q.from_day <= l.due_day AND q.is_removed = 0
    )
WHERE l.fate IN (0, 1, 2, 4);

-- Charges to add to both tables; with negative numbers, to subtract.
CREATE VIEW spending_changes AS
SELECT subscription, month, scope, category, currency, confirmed, assumed, 1 AS count FROM charges WHERE 0;

CREATE TRIGGER spending_changes_add INSTEAD OF INSERT ON spending_changes
BEGIN
    INSERT INTO spending (month, scope, category, currency, confirmed, assumed, count)
    VALUES (NEW.month, NEW.scope, NEW.category, NEW.currency, NEW.confirmed, NEW.assumed, NEW.count)
    ON CONFLICT (month, scope, category, currency) DO UPDATE SET
        confirmed = confirmed + excluded.confirmed, assumed = assumed + excluded.assumed,
        count = count + excluded.count;
    INSERT INTO subscription_spending (subscription, currency, confirmed, assumed, count)
    VALUES (NEW.subscription, NEW.currency, NEW.confirmed, NEW.assumed, NEW.count)
    ON CONFLICT (subscription, currency) DO UPDATE SET
        confirmed = confirmed + excluded.confirmed, assumed = assumed + excluded.assumed,
        count = count + excluded.count;
END;

-- The ledger. A row that goes with its subscription was subtracted with it.
CREATE TRIGGER ledger_spending_insert AFTER INSERT ON ledger
WHEN NEW.due_day < (SELECT as_of FROM store)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, confirmed, assumed, 1
    FROM charges
    WHERE subscription = NEW.subscription AND due_day = NEW.due_day;
END;

CREATE TRIGGER ledger_spending_delete BEFORE DELETE ON ledger
WHEN OLD.due_day < (SELECT as_of FROM store)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, -confirmed, -assumed, -1
    FROM charges
    WHERE subscription = OLD.subscription AND due_day = OLD.due_day;
END;

CREATE TRIGGER ledger_spending_update_before BEFORE UPDATE OF fate, paid, paid_currency ON ledger
WHEN OLD.due_day < (SELECT as_of FROM store)
    AND (OLD.fate, OLD.paid, OLD.paid_currency) IS NOT (NEW.fate, NEW.paid, NEW.paid_currency)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, -confirmed, -assumed, -1
    FROM charges
    WHERE subscription = OLD.subscription AND due_day = OLD.due_day;
END;

CREATE TRIGGER ledger_spending_update AFTER UPDATE OF fate, paid, paid_currency ON ledger
WHEN NEW.due_day < (SELECT as_of FROM store)
    AND (OLD.fate, OLD.paid, OLD.paid_currency) IS NOT (NEW.fate, NEW.paid, NEW.paid_currency)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, confirmed, assumed, 1
    FROM charges
    WHERE subscription = NEW.subscription AND due_day = NEW.due_day;
END;

-- What the amount or the category of past charges depends on.
CREATE TRIGGER prices_spending_insert_before BEFORE INSERT ON prices
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, -confirmed, -assumed, -1
    FROM charges
    WHERE subscription = NEW.subscription AND due_day < (SELECT as_of FROM store);
END;

CREATE TRIGGER prices_spending_insert AFTER INSERT ON prices
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, confirmed, assumed, 1
    FROM charges
    WHERE subscription = NEW.subscription AND due_day < (SELECT as_of FROM store);
END;

CREATE TRIGGER prices_spending_delete_before BEFORE DELETE ON prices
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, -confirmed, -assumed, -1
    FROM charges
    WHERE subscription = OLD.subscription AND due_day < (SELECT as_of FROM store);
END;

CREATE TRIGGER prices_spending_delete AFTER DELETE ON prices
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, confirmed, assumed, 1
    FROM charges
    WHERE subscription = OLD.subscription AND due_day < (SELECT as_of FROM store);
END;

CREATE TRIGGER prices_spending_update_before BEFORE UPDATE OF amount, currency, is_removed ON prices
WHEN (OLD.amount, OLD.currency, OLD.is_removed) IS NOT (NEW.amount, NEW.currency, NEW.is_removed)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, -confirmed, -assumed, -1
    FROM charges
    WHERE subscription = OLD.subscription AND due_day < (SELECT as_of FROM store);
END;

CREATE TRIGGER prices_spending_update AFTER UPDATE OF amount, currency, is_removed ON prices
WHEN (OLD.amount, OLD.currency, OLD.is_removed) IS NOT (NEW.amount, NEW.currency, NEW.is_removed)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, confirmed, assumed, 1
    FROM charges
    WHERE subscription = NEW.subscription AND due_day < (SELECT as_of FROM store);
END;

CREATE TRIGGER subscriptions_spending_update_before BEFORE UPDATE OF amount, currency, scope, category ON subscriptions
WHEN (OLD.amount, OLD.currency, OLD.scope, OLD.category)
    IS NOT (NEW.amount, NEW.currency, NEW.scope, NEW.category)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, -confirmed, -assumed, -1
    FROM charges
    WHERE subscription = OLD.num AND due_day < (SELECT as_of FROM store);
END;

CREATE TRIGGER subscriptions_spending_update AFTER UPDATE OF amount, currency, scope, category ON subscriptions
WHEN (OLD.amount, OLD.currency, OLD.scope, OLD.category)
    IS NOT (NEW.amount, NEW.currency, NEW.scope, NEW.category)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, confirmed, assumed, 1
    FROM charges
    WHERE subscription = NEW.num AND due_day < (SELECT as_of FROM store);
END;

CREATE TRIGGER subscriptions_spending_delete_before BEFORE DELETE ON subscriptions
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, -confirmed, -assumed, -1
    FROM charges
    WHERE subscription = OLD.num AND due_day < (SELECT as_of FROM store);
END;

CREATE TRIGGER subscriptions_spending_delete AFTER DELETE ON subscriptions
BEGIN
    DELETE FROM subscription_spending WHERE subscription = OLD.num;
END;

-- The day.
CREATE TRIGGER store_spending_advance AFTER UPDATE OF as_of ON store
WHEN NEW.as_of > OLD.as_of
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, confirmed, assumed, 1
    FROM charges
    WHERE due_day >= OLD.as_of AND due_day < NEW.as_of;
END;

CREATE TRIGGER store_spending_return AFTER UPDATE OF as_of ON store
WHEN NEW.as_of < OLD.as_of
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, -confirmed, -assumed, -1
    FROM charges
    WHERE due_day >= NEW.as_of AND due_day < OLD.as_of;
END;

"""#,
            checksum: "cf9cc91ca14bcbaa05f0ffec29725d1c991aa8386a9a2f0e98ac1369bee313c2"),
        Migration(
            number: 4, slug: "sharing",
            sql: #"""
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

"""#,
            checksum: "a00a68ce5ce0e9d395cd40849664e32f145b2f960ccf584bbbb4ddf6c767c971"),
        Migration(
            number: 5, slug: "budgets",
            sql: #"""
-- Budgets and rates of exchange.

CREATE TABLE budgets (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    -- '' for all categories.
    category TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    period TEXT NOT NULL CHECK (period IN ('month', 'year')),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    scope TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

-- Exchange rates: units of a currency for one euro, as decimal text. The reference rates of a central bank are public
-- data, and neither backed up nor merged.
CREATE TABLE reference_rates (
    currency TEXT NOT NULL,
    day INTEGER NOT NULL,
    rate TEXT NOT NULL,
    PRIMARY KEY (currency, day)
) STRICT, WITHOUT ROWID;

-- Those that the user set.
CREATE TABLE own_rates (
    currency TEXT NOT NULL,
    from_day INTEGER NOT NULL,
    rate TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    is_removed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (currency, from_day)
) STRICT, WITHOUT ROWID;

"""#,
            checksum: "69ab9fc02e2e2250115906e921880f6b0cc01444c880afa470aec793807031d9"),
        Migration(
            number: 6, slug: "synchronisation",
            sql: #"""
-- What is exchanged with a server.

-- The copy of the catalogue, which can be fetched anew at any time. `checked_at` is when the server last said that the
-- copy is whole and current; the tag is that of an answer that knew of no change since the token.
CREATE TABLE catalogue_copy (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    server TEXT NOT NULL,
    sync_token TEXT NOT NULL,
    entity_tag TEXT,
    checked_at INTEGER NOT NULL
) STRICT;

-- Aliases have line feeds between: a name cannot hold one.
CREATE TABLE catalogue_items (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    slug TEXT NOT NULL,
    category TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    cycle TEXT NOT NULL,
    website TEXT,
    logo_url TEXT,
    cancel_url TEXT,
    notice_days INTEGER,
    aliases TEXT NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_catalogue_items_slug ON catalogue_items (slug);

-- Items that were merged into others: a subscription may bring such a link from another device later.
CREATE TABLE catalogue_redirects (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    merged_into BLOB NOT NULL CHECK (length(merged_into) = 16)
) STRICT, WITHOUT ROWID;

-- Names that wait to be suggested; a refusal is the server's code for why it never will take this one.
CREATE TABLE suggestions (
    num INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    name TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    refusal TEXT
) STRICT;

-- Events that wait to be reported, in the order in which they happened.
CREATE TABLE events (
    num INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    name TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    is_milestone INTEGER NOT NULL,
    properties TEXT NOT NULL
) STRICT;

CREATE INDEX idx_events_is_milestone ON events (is_milestone, num);

-- Milestones that this device has passed. They come once, whatever happens to the events that told of them.
CREATE TABLE milestones (
    name TEXT NOT NULL PRIMARY KEY,
    reached_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Anonymous ids, as their SHA-256, that a server which was told of them is still to forget.
CREATE TABLE erasures (
    user_id TEXT NOT NULL,
    server TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, server)
) STRICT, WITHOUT ROWID;

"""#,
            checksum: "9c0165d6ad3b8703717e3705b8e62a1fa1d408a6fbd6a94c376c9d072956210a"),
        Migration(
            number: 7, slug: "journal",
            sql: #"""
-- Changes that can be undone.

-- What can be taken back: one row for each command that changed something, local to this device like everything here.
-- `details` are the values that its description names, as JSON; the words are chosen when it is shown.
CREATE TABLE journal (
    num INTEGER PRIMARY KEY,
    made_at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    details TEXT NOT NULL,
    is_undone INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX idx_journal_made_at ON journal (made_at);

-- The rows that a command wrote, before and after it, as JSON; NULL where there was none. Subscriptions are named by
-- id.
CREATE TABLE journal_records (
    entry INTEGER NOT NULL REFERENCES journal (num) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    before TEXT,
    after TEXT,
    PRIMARY KEY (entry, position)
) STRICT, WITHOUT ROWID;

"""#,
            checksum: "6536be5e35da64c58892661ff02bf2997060108a5c1a6b266eb06125899a8187"),
        Migration(
            number: 8, slug: "withdrawals",
            sql: #"""
-- Additions that were undone.

-- Rows whose addition was undone (1) or made again (0) on some device. A deleted row would return from another device
-- at the next merge; this row has the time of the undo, so that only a later edit brings it back.
CREATE TABLE withdrawals (
    -- The name of the table, and the id in it.
    entity TEXT NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    is_withdrawn INTEGER NOT NULL CHECK (is_withdrawn IN (0, 1)),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (entity, id)
) STRICT, WITHOUT ROWID;

-- The removed rows as other devices had them, each as a table of a backup: a later edit of a third device brings back
-- the same, whatever the order of the merges.
CREATE TABLE withdrawn_rows (
    entity TEXT NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    row TEXT NOT NULL,
    image TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (entity, id, row)
) STRICT;

"""#,
            checksum: "840da4f8e90329fe5abb8f74edd177e73acaaa4d73d76231676aa7a578788768"),
        Migration(
            number: 9, slug: "first-days",
            sql: #"""
-- First days of trials and of the periods of budgets.

-- NULL when it is not known: no charge before the end of the trial is made.
ALTER TABLE subscriptions ADD COLUMN trial_starts_on INTEGER;

-- `25`, or `04-06` for a year; '' for the first of the month or of January.
ALTER TABLE budgets ADD COLUMN begins TEXT NOT NULL DEFAULT '';

"""#,
            checksum: "f0fd90a3942b05b66e44275d56ffb5e25874d84e3bd464340c296c7dbd9513a8"),
        Migration(
            number: 10, slug: "person-colours",
            sql: ##"""
-- The colour behind a person's initials or emoji.

-- As `#rrggbb`; empty for one that depends on the id.
ALTER TABLE people ADD COLUMN color TEXT NOT NULL DEFAULT '';

"""##,
            checksum: "ba75ef46bb1af3c28c319ba15b7ac6afebeb8c52fed3be47002d1eb65ea70602"),
        Migration(
            number: 11, slug: "person-photos",
            sql: #"""
-- The photos of people.

-- PNG, JPEG and WebP files in base64, as backups carry them; `kind` is the media type and `size` the length of the file in
-- bytes. A row without content is of a photo that was removed: a deleted row would return from another device.
CREATE TABLE person_photos (
    person_id BLOB NOT NULL PRIMARY KEY CHECK (length(person_id) = 16)
        REFERENCES people (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    kind TEXT NOT NULL,
    size INTEGER NOT NULL,
    content TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT ''
) STRICT;

"""#,
            checksum: "babb0e4527482c7e81f35ebb79d63bc357cdb9026a89daa413a7020def6da72e"),
        Migration(
            number: 12, slug: "budgets-by-target",
            sql: #"""
-- A budget is found by what it is for, and a file may hold any number of them.
CREATE INDEX budgets_by_target ON budgets (category, scope, currency, period);

"""#,
            checksum: "6e6b0c3b026718eedc0e727f780191bfcd9817f6b60bcf8f4c384827372263c2"),
        Migration(
            number: 13, slug: "rates-of-the-server",
            sql: #"""
-- Rates that a server sent go when the device has another server; those of files stay.
ALTER TABLE reference_rates ADD COLUMN is_of_server INTEGER NOT NULL DEFAULT 0;

"""#,
            checksum: "8bab40dd352a99e740bab1c16ed938e22abbcca5328244bed9dc452ca63ca17b"),
        Migration(
            number: 14, slug: "additions",
            sql: #"""
-- Who added what several devices can add alike.

-- Rows with an id of a file, or derived, and budgets: one row for each device that added it. `is_withdrawn` is 1 while
-- that addition is undone; the row is removed once all of them are, so that an undo takes nothing from the others.
-- `device` is the device in timestamps.
CREATE TABLE additions (
    entity TEXT NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    device TEXT NOT NULL,
    is_withdrawn INTEGER NOT NULL CHECK (is_withdrawn IN (0, 1)),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (entity, id, device)
) STRICT, WITHOUT ROWID;

"""#,
            checksum: "d46a45ecefed7392277f61bb9241578f9900f934410d6334cd25cad73762c8d0"),
        Migration(
            number: 15, slug: "charges-before-entry",
            sql: #"""
-- A charge of before the day of entry (fate 4) that was confirmed has an instant, and counts as confirmed in spending.
-- Its fate stays, because it is not part of the score.
DROP TRIGGER ledger_spending_update_before;

DROP TRIGGER ledger_spending_update;

DROP VIEW charges;

CREATE VIEW charges AS
SELECT
    l.subscription,
    l.due_day,
    strftime('%Y-%m', l.due_day * 86400, 'unixepoch') AS month,
    s.scope,
    s.category,
    CASE
        WHEN l.paid IS NULL THEN coalesce(p.currency, s.currency)
        ELSE coalesce(l.paid_currency, p.currency, s.currency)
    END AS currency,
    CASE
        WHEN l.fate IN (1, 2) OR l.fate = 4 AND l.acted_at IS NOT NULL THEN coalesce(l.paid, p.amount, s.amount)
        ELSE 0
    END AS confirmed,
    CASE
        WHEN l.fate IN (1, 2) OR l.fate = 4 AND l.acted_at IS NOT NULL THEN 0
        ELSE coalesce(l.paid, p.amount, s.amount)
    END AS assumed,
    l.fate
FROM ledger AS l
CROSS JOIN subscriptions AS s ON s.num = l.subscription
LEFT JOIN prices AS p
    ON p.subscription = l.subscription
    AND p.from_day = (
        SELECT max(q.from_day) FROM prices AS q
        WHERE q.subscription = l.subscription AND q.from_day <= l.due_day AND q.is_removed = 0
    )
WHERE l.fate IN (0, 1, 2, 4);

CREATE TRIGGER ledger_spending_update_before BEFORE UPDATE OF fate, acted_at, paid, paid_currency ON ledger
WHEN OLD.due_day < (SELECT as_of FROM store)
    AND (OLD.fate, OLD.acted_at, OLD.paid, OLD.paid_currency)
    IS NOT (NEW.fate, NEW.acted_at, NEW.paid, NEW.paid_currency)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, -confirmed, -assumed, -1
    FROM charges
    WHERE subscription = OLD.subscription AND due_day = OLD.due_day;
END;

CREATE TRIGGER ledger_spending_update AFTER UPDATE OF fate, acted_at, paid, paid_currency ON ledger
WHEN NEW.due_day < (SELECT as_of FROM store)
    AND (OLD.fate, OLD.acted_at, OLD.paid, OLD.paid_currency)
    IS NOT (NEW.fate, NEW.acted_at, NEW.paid, NEW.paid_currency)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, confirmed, assumed, 1
    FROM charges
    WHERE subscription = NEW.subscription AND due_day = NEW.due_day;
END;

"""#,
            checksum: "1ac14c8aac1c4f2033a9a5de6c16bad2d9a35c1f5940172b9dc3cdb003b115fb"),
        Migration(
            number: 16, slug: "index-of-charges",
            sql: #"""
-- All that the view of charges reads, so that a range of days is read from the index alone.
DROP INDEX idx_ledger_fate_due_day;

CREATE INDEX idx_ledger_fate_due_day ON ledger (fate, due_day, subscription, paid, paid_currency, acted_at);

"""#,
            checksum: "c5d6f0a10b57ad6c86fcf2db5b9c075fc68a25a9627e460eb36553a5b394d192"),
        Migration(
            number: 17, slug: "cancellations",
            sql: #"""
-- What one device enters without knowing of a cancellation on another neither takes that away nor ends it.

-- As below; empty for what neither is nor ends a cancellation, NULL for a state of an earlier version.
ALTER TABLE states ADD COLUMN decided TEXT;

-- Cancellations, and what ends them, apart from pauses and their ends, so that a merge keeps both of one day.
CREATE TABLE cancellations (
    subscription INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    from_day INTEGER NOT NULL,
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    is_overruled INTEGER NOT NULL DEFAULT 0,
    is_removed INTEGER NOT NULL DEFAULT 0,
    -- When it was entered, which an undo sets back too.
    decided TEXT,
    PRIMARY KEY (subscription, from_day)
) STRICT, WITHOUT ROWID;

INSERT INTO cancellations (subscription, from_day, state, stamp, stamps, is_overruled, is_removed, decided)
SELECT
    subscription, from_day, state, stamp, stamps, is_overruled, is_removed,
    iif(stamps LIKE 'state=%', substr(stamps, 7), stamp)
FROM states
WHERE state = 2;

DELETE FROM states WHERE state = 2;

-- What the journal takes back.
UPDATE journal_records SET name = 'cancellations'
WHERE name = 'states' AND coalesce(before ->> 'state', 2) = 2 AND coalesce(after ->> 'state', 2) = 2;

CREATE VIEW entered_states AS
SELECT subscription, from_day, state, is_overruled, decided, stamp, stamps
FROM cancellations
WHERE is_removed = 0
UNION ALL
SELECT subscription, from_day, state, is_overruled, decided, stamp, stamps
FROM states
WHERE is_removed = 0;

"""#,
            checksum: "8302511fe4c33702aa8035e69835efca01db95632d9dace2f6f15c2be9a730c6"),
    ]
}
