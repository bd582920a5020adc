-- Oldest reader: 13
-- Premium that the operator gave to an account, until the end of a day in UTC.

CREATE TABLE premium_grants (
    account_id BYTEA NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    -- Days since 1970-01-01.
    until_on BIGINT NOT NULL,
    note TEXT COLLATE "C",
    granted_at BIGINT NOT NULL
);
