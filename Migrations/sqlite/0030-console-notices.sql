-- Authors of the audit log by name, without reading its rows.
CREATE INDEX idx_audit_entries_actor_name ON audit_entries (actor_name, sequence);

-- The reports of each release, without reading the rows of all groups.
CREATE INDEX idx_crash_group_releases_release_id_event_count ON crash_group_releases (release_id, event_count);
DROP INDEX idx_crash_group_releases_release_id;

-- What forms of the console did, as JSON, so that every server can undo it. `id` is a hash of the form.
CREATE TABLE console_notices (
    session_id BLOB NOT NULL REFERENCES console_sessions (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    location TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, id)
) STRICT;
