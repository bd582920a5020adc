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
