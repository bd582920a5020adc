-- From which day on a person belongs to a group, or no longer does. Before the first row of a person, the opposite of it
-- holds; without rows, `group_members` alone says who belongs to it.
CREATE TABLE memberships (
    group_id BLOB NOT NULL REFERENCES groups (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    person_id BLOB NOT NULL REFERENCES people (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    from_day INTEGER NOT NULL,
    is_member INTEGER NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (group_id, person_id, from_day)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_memberships_person_id ON memberships (person_id);
