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
