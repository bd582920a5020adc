-- Changes that can be undone.

-- What can be taken back: one row for each command that changed something, local to this device like everything here.
-- `details` are the values that its description names, as JSON; the words are chosen when it is shown.
CREATE TABLE journal (
    num INTEGER PRIMARY KEY,
    made_at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    details TEXT NOT NULL,
    is_undone INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX idx_journal_made_at ON journal (made_at);

-- The rows that a command wrote, before and after it, as JSON; NULL where there was none. Subscriptions are named by
-- id.
CREATE TABLE journal_records (
    entry INTEGER NOT NULL REFERENCES journal (num) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    before TEXT,
    after TEXT,
    PRIMARY KEY (entry, position)
) STRICT, WITHOUT ROWID;
