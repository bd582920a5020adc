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
