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
    PRIMARY KEY (currency, from_day)
) STRICT, WITHOUT ROWID;
