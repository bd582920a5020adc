-- Who may change things, and the record of who did.

-- Roles of the operator's own. The built-in ones are in the program and never here. `permissions` are their names on
-- the wire, in the order of the program's table, parted by blanks.
CREATE TABLE access_roles (
    name TEXT NOT NULL PRIMARY KEY,
    permissions TEXT NOT NULL
) STRICT, WITHOUT ROWID;

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

-- The history of one thing is read out of the log.
CREATE INDEX idx_audit_entries_subject_id ON audit_entries (subject_id, sequence) WHERE subject_id IS NOT NULL;

-- Authors of the audit log by name, without reading its rows.
CREATE INDEX idx_audit_entries_actor_name ON audit_entries (actor_name, sequence);

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

CREATE TRIGGER audit_heads_refuse_delete BEFORE DELETE ON audit_heads
BEGIN
    SELECT RAISE(ABORT, 'audit_heads keeps its row');
END;

INSERT INTO audit_heads (id, entry_count, hash)
VALUES (1, 0, X'0000000000000000000000000000000000000000000000000000000000000000');

-- Answers to requests that bore an Idempotency-Key, for a day. The key is kept as its hash; the answer is sealed with a
-- key made of the caller's token, of which the store knows only a hash, so that nothing of it can be read here. Until
-- there is an answer the row says that the request runs, at most until `lease_until`.
CREATE TABLE idempotent_answers (
    token_id BLOB NOT NULL CHECK (length(token_id) = 16),
    key_hash BLOB NOT NULL CHECK (length(key_hash) = 32),
    fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
    request_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    sealed_answer BLOB,
    PRIMARY KEY (token_id, key_hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_idempotent_answers_started_at ON idempotent_answers (started_at);
