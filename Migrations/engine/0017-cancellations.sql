-- A pause that was entered on one device does not take away, nor end, a cancellation that was entered on another.

-- The state before it, as the device that entered it knew; NULL for one of an earlier version.
ALTER TABLE states ADD COLUMN follows INTEGER CHECK (follows BETWEEN 0 AND 2);

-- Apart from other states, so that a merge keeps both of one day. Earlier versions had them among those.
CREATE TABLE cancellations (
    subscription INTEGER NOT NULL REFERENCES subscriptions (num) ON DELETE CASCADE,
    from_day INTEGER NOT NULL,
    state INTEGER NOT NULL CHECK (state = 2),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    is_overruled INTEGER NOT NULL DEFAULT 0,
    follows INTEGER CHECK (follows BETWEEN 0 AND 2),
    is_removed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subscription, from_day)
) STRICT, WITHOUT ROWID;

CREATE VIEW entered_states AS
SELECT subscription, from_day, state, is_overruled, follows, stamp, stamps
FROM states
WHERE is_removed = 0
UNION ALL
SELECT subscription, from_day, state, is_overruled, follows, stamp, stamps
FROM cancellations
WHERE is_removed = 0;
