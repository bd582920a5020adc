-- Who may change things, and the record of who did.

-- Roles of the operator's own. The built-in ones are in the program and never here. `permissions` are their names on
-- the wire, in the order of the program's table, parted by blanks.
CREATE TABLE access_roles (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    permissions TEXT COLLATE "C" NOT NULL
);

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

-- The history of one thing is read out of the log.
CREATE INDEX idx_audit_entries_subject_id ON audit_entries (subject_id, sequence) WHERE subject_id IS NOT NULL;

-- Authors of the audit log by name, without reading its rows.
CREATE INDEX idx_audit_entries_actor_name ON audit_entries (actor_name, sequence);

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

CREATE FUNCTION audit_heads_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_heads keeps its row';
END;
$$;

CREATE TRIGGER audit_heads_refuse_delete BEFORE DELETE ON audit_heads
FOR EACH ROW EXECUTE FUNCTION audit_heads_refuse();

CREATE TRIGGER audit_heads_refuse_truncate BEFORE TRUNCATE ON audit_heads
FOR EACH STATEMENT EXECUTE FUNCTION audit_heads_refuse();

INSERT INTO audit_heads (id, entry_count, hash)
VALUES (1, 0, '\x0000000000000000000000000000000000000000000000000000000000000000');

-- Answers to requests that bore an Idempotency-Key, for a day. The key is kept as its hash; the answer is sealed with a
-- key made of the caller's token, of which the store knows only a hash, so that nothing of it can be read here. Until
-- there is an answer the row says that the request runs, at most until `lease_until`.
CREATE TABLE idempotent_answers (
    token_id BYTEA NOT NULL CHECK (length(token_id) = 16),
    key_hash BYTEA NOT NULL CHECK (length(key_hash) = 32),
    fingerprint BYTEA NOT NULL CHECK (length(fingerprint) = 32),
    request_id TEXT COLLATE "C" NOT NULL,
    started_at BIGINT NOT NULL,
    lease_until BIGINT NOT NULL,
    sealed_answer BYTEA,
    PRIMARY KEY (token_id, key_hash)
);

CREATE INDEX idx_idempotent_answers_started_at ON idempotent_answers (started_at);
