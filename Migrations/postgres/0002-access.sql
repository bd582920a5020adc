-- Who may change things, and the record of who did.

-- The secret itself is never stored, only its SHA-256. The hint is the first characters of the token, enough to tell
-- two apart in a list and far too little to guess the rest. Revoked and expired rows stay: the audit log names them.
CREATE TABLE access_tokens (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL,
    hint TEXT COLLATE "C" NOT NULL,
    secret_hash BYTEA NOT NULL CHECK (length(secret_hash) = 32),
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    revoked_at BIGINT
);

CREATE UNIQUE INDEX idx_access_tokens_secret_hash ON access_tokens (secret_hash);

-- One row a change, written in the transaction of the change. `hash` is SHA-256 over the previous row's hash and the
-- canonical bytes of this row, so that an edit anywhere breaks the chain from there on. `sequence` has no gaps.
CREATE TABLE audit_entries (
    sequence BIGINT NOT NULL PRIMARY KEY,
    happened_at BIGINT NOT NULL,
    actor_token_id BYTEA CHECK (actor_token_id IS NULL OR length(actor_token_id) = 16),
    actor_name TEXT COLLATE "C" NOT NULL,
    request_id TEXT COLLATE "C",
    action TEXT COLLATE "C" NOT NULL,
    subject_id BYTEA CHECK (subject_id IS NULL OR length(subject_id) = 16),
    before_json TEXT COLLATE "C",
    after_json TEXT COLLATE "C",
    hash BYTEA NOT NULL CHECK (length(hash) = 32)
);

CREATE FUNCTION audit_entries_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_entries is append-only';
END;
$$;

CREATE TRIGGER audit_entries_refuse_change BEFORE UPDATE OR DELETE ON audit_entries
FOR EACH ROW EXECUTE FUNCTION audit_entries_refuse();

CREATE TRIGGER audit_entries_refuse_truncate BEFORE TRUNCATE ON audit_entries
FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse();

-- Where the chain ends. Without it, rows cut off the end would leave a shorter chain that is whole in itself. It also
-- makes an append cost the same at any length.
CREATE TABLE audit_heads (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    entry_count BIGINT NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32)
);

-- The chain starts from 32 zero bytes.
INSERT INTO audit_heads (id, entry_count, hash)
VALUES (1, 0, '\x0000000000000000000000000000000000000000000000000000000000000000');

CREATE FUNCTION audit_heads_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_heads keeps its row';
END;
$$;

CREATE TRIGGER audit_heads_refuse_delete BEFORE DELETE ON audit_heads
FOR EACH ROW EXECUTE FUNCTION audit_heads_refuse();

CREATE TRIGGER audit_heads_refuse_truncate BEFORE TRUNCATE ON audit_heads
FOR EACH STATEMENT EXECUTE FUNCTION audit_heads_refuse();
