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
