-- Who added what several devices can add alike.

-- Rows with an id of a file, or derived, and budgets: one row for each device that added it. `is_withdrawn` is 1 while
-- that addition is undone; the row is removed once all of them are, so that an undo takes nothing from the others.
-- `device` is the device in timestamps.
CREATE TABLE additions (
    entity TEXT NOT NULL,
    id BLOB NOT NULL CHECK (length(id) = 16),
    device TEXT NOT NULL,
    is_withdrawn INTEGER NOT NULL CHECK (is_withdrawn IN (0, 1)),
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (entity, id, device)
) STRICT, WITHOUT ROWID;
