-- Additions that were undone.

-- Rows whose addition was undone (1) or made again (0) on some device. A deleted row would return from another device
-- at the next merge; this row has the time of the undo, so that only a later edit brings it back.
CREATE TABLE withdrawals (
    -- The name of the table, and the id in it.
    entity TEXT NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    is_withdrawn INTEGER NOT NULL CHECK (is_withdrawn IN (0, 1)),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (entity, id)
) STRICT, WITHOUT ROWID;

-- The removed rows as other devices had them, each as a table of a backup: a later edit of a third device brings back
-- the same, whatever the order of the merges.
CREATE TABLE withdrawn_rows (
    entity TEXT NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    row TEXT NOT NULL,
    image TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (entity, id, row)
) STRICT;
