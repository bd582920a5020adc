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
    stamps TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE prices (
    subscription INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    from_day INTEGER NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    -- A price in another currency than its subscription's was overtaken by a change of the currency.
    currency TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (subscription, from_day)
) STRICT, WITHOUT ROWID;

CREATE TABLE states (
    subscription INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    from_day INTEGER NOT NULL,
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (subscription, from_day)
) STRICT, WITHOUT ROWID;

-- A row for each billing day that has passed, and for each coming one about which something was decided.
CREATE TABLE ledger (
    subscription INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    due_day INTEGER NOT NULL,
    fate INTEGER NOT NULL DEFAULT 0 CHECK (fate BETWEEN 0 AND 3),
    acted_at INTEGER,
    paid INTEGER,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (subscription, due_day)
) STRICT, WITHOUT ROWID;
-- The score counts by fate within days; missed ones are fate 0 before a day.
CREATE INDEX idx_ledger_fate_due_day ON ledger (fate, due_day);

-- What is true of each subscription on the day `store.as_of`: derived from the tables above, never merged or exported.
-- In the order of the list, and narrow, so that reading all of it is one short walk.
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
    PRIMARY KEY (sort_name, num)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX idx_standings_num ON standings (num);
CREATE INDEX idx_standings_changes_on ON standings (changes_on);
-- Both hold all that is asked of them, so that pending, widget, forecast and totals read nothing else.
CREATE INDEX idx_standings_due_day ON standings (
    due_day, num, is_steady, cycle, amount, currency, id_high, id_low, name
) WHERE due_day IS NOT NULL;
CREATE INDEX idx_standings_is_counted ON standings (is_counted, currency, category, cycle, amount);
