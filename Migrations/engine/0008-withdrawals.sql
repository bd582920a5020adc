-- Additions that were undone.

-- Rows whose addition was undone on some device: 1, or made again: 0. A deleted row would return from another device at
-- the next merge; this says when it was taken back, so that only a later edit brings it back.
CREATE TABLE withdrawals (
    -- The name of the table, and the id in it.
    entity TEXT NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    is_withdrawn INTEGER NOT NULL CHECK (is_withdrawn IN (0, 1)),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (entity, id)
) STRICT, WITHOUT ROWID;

-- What other devices had of them, with the rows that belonged to them, as tables of a backup: an edit that a third
-- device made later brings back the same, whatever the order of the merges.
CREATE TABLE withdrawn_rows (
    entity TEXT NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    row TEXT NOT NULL,
    image TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (entity, id, row)
) STRICT;
