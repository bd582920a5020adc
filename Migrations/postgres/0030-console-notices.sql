-- Authors of the audit log by name, without reading its rows.
CREATE INDEX idx_audit_entries_actor_name ON audit_entries (actor_name, sequence);

-- What forms of the console did, as JSON, so that every server can undo it. `id` is a hash of the form.
CREATE TABLE console_notices (
    session_id BYTEA NOT NULL REFERENCES console_sessions (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    location TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (session_id, id)
);
