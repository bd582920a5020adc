-- What one device enters without knowing of a cancellation on another neither takes that away nor ends it.

-- As below; empty for what neither is nor ends a cancellation, NULL for a state of an earlier version.
ALTER TABLE states ADD COLUMN decided TEXT;

-- Cancellations, and what ends them, apart from pauses and their ends, so that a merge keeps both of one day.
CREATE TABLE cancellations (
    subscription INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    from_day INTEGER NOT NULL,
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    is_overruled INTEGER NOT NULL DEFAULT 0,
    is_removed INTEGER NOT NULL DEFAULT 0,
    -- When it was entered, which an undo sets back too.
    decided TEXT,
    PRIMARY KEY (subscription, from_day)
) STRICT, WITHOUT ROWID;

INSERT INTO cancellations (subscription, from_day, state, stamp, stamps, is_overruled, is_removed, decided)
SELECT
    subscription, from_day, state, stamp, stamps, is_overruled, is_removed,
    iif(stamps LIKE 'state=%', substr(stamps, 7), stamp)
FROM states
WHERE state = 2;

DELETE FROM states WHERE state = 2;

-- What the journal takes back.
UPDATE journal_records SET name = 'cancellations'
WHERE name = 'states' AND coalesce(before ->> 'state', 2) = 2 AND coalesce(after ->> 'state', 2) = 2;

CREATE VIEW entered_states AS
SELECT subscription, from_day, state, is_overruled, decided, stamp, stamps
FROM cancellations
WHERE is_removed = 0
UNION ALL
SELECT subscription, from_day, state, is_overruled, decided, stamp, stamps
FROM states
WHERE is_removed = 0;
