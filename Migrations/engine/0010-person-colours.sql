-- The colour behind a person's initials or emoji.

-- As `#rrggbb`; empty for one that depends on the id.
ALTER TABLE people ADD COLUMN color TEXT NOT NULL DEFAULT '';
