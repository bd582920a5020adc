-- 1 for what was taken back. Such a row stays, without any effect, because a deleted one would return from another device at
-- the next merge.
ALTER TABLE prices ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE states ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE share_periods ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memberships ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE own_rates ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0;

-- Until now, what was taken back became active: invisible, until it ended a later pause.
UPDATE states SET is_removed = 1
WHERE state = 0 AND is_overruled = 0 AND coalesce(
    (
        SELECT p.state FROM states AS p
        WHERE p.subscription = states.subscription AND p.from_day < states.from_day AND p.is_overruled = 0
        ORDER BY p.from_day DESC LIMIT 1
    ), 0) = 0;

-- As before, without removed prices.
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

DROP TRIGGER prices_spending_update_before;
CREATE TRIGGER prices_spending_update_before BEFORE UPDATE OF amount, currency, is_removed ON prices
WHEN (OLD.amount, OLD.currency, OLD.is_removed) IS NOT (NEW.amount, NEW.currency, NEW.is_removed)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, -confirmed, -assumed, -1
    FROM charges
    WHERE subscription = OLD.subscription AND due_day < (SELECT as_of FROM store);
END;

DROP TRIGGER prices_spending_update;
CREATE TRIGGER prices_spending_update AFTER UPDATE OF amount, currency, is_removed ON prices
WHEN (OLD.amount, OLD.currency, OLD.is_removed) IS NOT (NEW.amount, NEW.currency, NEW.is_removed)
BEGIN
    INSERT INTO spending_changes (subscription, month, scope, category, currency, confirmed, assumed, count)
    SELECT subscription, month, scope, category, currency, confirmed, assumed, 1
    FROM charges
    WHERE subscription = NEW.subscription AND due_day < (SELECT as_of FROM store);
END;
