-- Accounts signed in with Apple.

-- Nothing of a person but a number that only this store can make of Apple's: `subject_hash` is HMAC-SHA-256 of Apple's
-- subject under a key in `store_metadata`. `purchase_token` is made of it the same way and goes into purchases at the
-- App Store (appAccountToken); it is the same again when somebody erases the account and comes back, so that what they
-- paid for is not lost.
CREATE TABLE accounts (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    subject_hash BYTEA NOT NULL CHECK (length(subject_hash) = 32),
    purchase_token BYTEA NOT NULL CHECK (length(purchase_token) = 16),
    created_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX idx_accounts_subject_hash ON accounts (subject_hash);

CREATE UNIQUE INDEX idx_accounts_purchase_token ON accounts (purchase_token);

-- One row a sign-in. Revoking it takes its tokens along.
CREATE TABLE account_sessions (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account_id BYTEA NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL
);

CREATE INDEX idx_account_sessions_account_id ON account_sessions (account_id);

-- Access and refresh tokens by the SHA-256 of their text. `generation` counts the refreshes of a session; both tokens
-- of an answer bear the same. `used_at`: when an access token was first used, when a refresh token was spent. A spent
-- refresh token stays until it would have expired, so that one that comes again is known.
CREATE TABLE session_tokens (
    token_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    session_id BYTEA NOT NULL REFERENCES account_sessions (id) ON DELETE CASCADE,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('access', 'refresh')),
    generation BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);

CREATE INDEX idx_session_tokens_session_id ON session_tokens (session_id, generation);

CREATE INDEX idx_session_tokens_expires_at ON session_tokens (expires_at);

-- What may be used once: SHA-256 of identity tokens and of their nonces, and of the ids of Apple's account
-- notifications.
CREATE TABLE spent_proofs (
    proof_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(proof_hash) = 32),
    expires_at BIGINT NOT NULL
);

CREATE INDEX idx_spent_proofs_expires_at ON spent_proofs (expires_at);
