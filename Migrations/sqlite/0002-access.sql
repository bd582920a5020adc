-- Who may change things, and the record of who did.

-- The secret itself is never stored, only its SHA-256. The hint is the first characters of the token, enough to tell
-- two apart in a list and far too little to guess the rest. Revoked and expired rows stay: the audit log names them.
CREATE TABLE access_tokens (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    hint TEXT NOT NULL,
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;

CREATE UNIQUE INDEX idx_access_tokens_secret_hash ON access_tokens (secret_hash);

-- One row a change, written in the transaction of the change. `hash` is SHA-256 over the previous row's hash and the
-- canonical bytes of this row, so that an edit anywhere breaks the chain from there on. `sequence` has no gaps.
CREATE TABLE audit_entries (
    sequence INTEGER NOT NULL PRIMARY KEY,
    happened_at INTEGER NOT NULL,
    actor_token_id BLOB CHECK (actor_token_id IS NULL OR length(actor_token_id) = 16),
    actor_name TEXT NOT NULL,
    request_id TEXT,
    action TEXT NOT NULL,
    subject_id BLOB CHECK (subject_id IS NULL OR length(subject_id) = 16),
    before_json TEXT,
    after_json TEXT,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TRIGGER audit_entries_refuse_update BEFORE UPDATE ON audit_entries
BEGIN
    SELECT RAISE(ABORT, 'audit_entries is append-only');
END;

CREATE TRIGGER audit_entries_refuse_delete BEFORE DELETE ON audit_entries
BEGIN
    SELECT RAISE(ABORT, 'audit_entries is append-only');
END;

-- INSERT OR REPLACE deletes the old row without asking the trigger above.
CREATE TRIGGER audit_entries_refuse_replace BEFORE INSERT ON audit_entries
WHEN EXISTS (SELECT 1 FROM audit_entries WHERE sequence = NEW.sequence)
BEGIN
    SELECT RAISE(ABORT, 'audit_entries is append-only');
END;

-- Where the chain ends. Without it, rows cut off the end would leave a shorter chain that is whole in itself. It also
-- makes an append cost the same at any length.
CREATE TABLE audit_heads (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    entry_count INTEGER NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- The chain starts from 32 zero bytes.
INSERT INTO audit_heads (id, entry_count, hash)
VALUES (1, 0, X'0000000000000000000000000000000000000000000000000000000000000000');

CREATE TRIGGER audit_heads_refuse_delete BEFORE DELETE ON audit_heads
BEGIN
    SELECT RAISE(ABORT, 'audit_heads keeps its row');
END;
