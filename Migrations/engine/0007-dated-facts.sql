-- Prices keep their currency from now on. Until now, a price in another currency than its subscription's was ignored:
-- a change of the currency had overtaken it.
DELETE FROM prices
WHERE currency != (SELECT s.currency FROM subscriptions s WHERE s.num = prices.subscription);

-- 1 for a state that a cancellation overrules, and for a cancellation whose date was corrected.
ALTER TABLE states ADD COLUMN is_overruled INTEGER NOT NULL DEFAULT 0;

-- The currency of the amount paid; that of the price on the day for null.
ALTER TABLE ledger ADD COLUMN paid_currency TEXT;
UPDATE ledger
SET paid_currency = (SELECT s.currency FROM subscriptions s WHERE s.num = ledger.subscription)
WHERE paid IS NOT NULL;

-- Charges posted by an earlier schedule cannot be derived any more. Their stamp, older than every edit, says so.
UPDATE ledger SET stamp = '00000000000100000000000000000000'
WHERE fate = 0 AND paid IS NULL AND stamp = '' AND stamps = ''
    AND due_day < (SELECT s.tracked_from FROM subscriptions s WHERE s.num = ledger.subscription);

-- Missed charges are read from the index alone.
DROP INDEX idx_ledger_fate_due_day;
CREATE INDEX idx_ledger_fate_due_day ON ledger (fate, due_day, subscription, paid, paid_currency);

-- Lists and exports have one order on all devices: that of entry, whatever the order in which rows arrived.
CREATE INDEX idx_subscriptions_created_at ON subscriptions (created_at, id);

-- Derived, so it is filled again by the first call. New: `cancel_day`, `is_variable`, and an order that does not depend on
-- `num`.
DROP TABLE standings;
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
CREATE INDEX idx_standings_is_counted ON standings (is_counted, currency, category, cycle, amount);

-- The day for which `standings` holds: none.
UPDATE store SET as_of = -719162;
