-- The reference rates of the European Central Bank.

-- Exchange rates that the server fetches from `rates_url`: units of a currency for one euro, as decimal text. Days are
-- counted since 1970-01-01.
CREATE TABLE reference_rates (
    day_number INTEGER NOT NULL,
    currency TEXT NOT NULL,
    rate TEXT NOT NULL,
    PRIMARY KEY (day_number, currency)
) STRICT, WITHOUT ROWID;
