-- Sign-in to the console.

-- One row a session. `secret_hash` is SHA-256 of 256 random bits, which only the browser's cookie holds. The session
-- may do what its token may do at the moment of each request. `last_used_at` is exact to the minute; `confirmed_at` is
-- when the token was entered last.
CREATE TABLE console_sessions (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    secret_hash BYTEA NOT NULL CHECK (length(secret_hash) = 32),
    token_id BYTEA NOT NULL REFERENCES access_tokens (id),
    browser TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX idx_console_sessions_secret_hash ON console_sessions (secret_hash);

CREATE INDEX idx_console_sessions_token_id ON console_sessions (token_id);

-- One row a link that was not used yet. `code_hash` is SHA-256 of the random part of its address.
CREATE TABLE console_links (
    code_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(code_hash) = 32),
    token_id BYTEA NOT NULL REFERENCES access_tokens (id),
    expires_at BIGINT NOT NULL
);

-- What forms of the console did, as JSON, so that every server can undo it. `id` is a hash of the form.
CREATE TABLE console_notices (
    session_id BYTEA NOT NULL REFERENCES console_sessions (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    location TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (session_id, id)
);

-- One row a passkey. It signs in as its token, and is deleted when the token is revoked. `public_key` is COSE as the
-- authenticator sent it; `user_handle` are 32 random bytes, the same for all passkeys of a token; `sign_count` is that
-- of the latest sign-in, 0 for authenticators that do not count; `verifies_user` says whether the authenticator
-- verified its user when the passkey was made.
CREATE TABLE console_passkeys (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    token_id BYTEA NOT NULL REFERENCES access_tokens (id),
    name TEXT COLLATE "C" NOT NULL,
    relying_party TEXT COLLATE "C" NOT NULL,
    credential_id BYTEA NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1023),
    user_handle BYTEA NOT NULL CHECK (length(user_handle) = 32),
    public_key BYTEA NOT NULL,
    sign_count BIGINT NOT NULL,
    verifies_user BIGINT NOT NULL CHECK (verifies_user IN (0, 1)),
    created_at BIGINT NOT NULL,
    last_used_at BIGINT
);

CREATE UNIQUE INDEX idx_console_passkeys_credential_id ON console_passkeys (credential_id);

CREATE INDEX idx_console_passkeys_token_id ON console_passkeys (token_id);

-- One row a challenge that was not answered yet. `challenge_hash` is SHA-256 of its text. `token_id` and `user_handle`
-- belong to a registration; without them, it is that of a sign-in.
CREATE TABLE console_challenges (
    challenge_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(challenge_hash) = 32),
    token_id BYTEA REFERENCES access_tokens (id),
    user_handle BYTEA CHECK (length(user_handle) = 32),
    expires_at BIGINT NOT NULL
);

CREATE INDEX idx_console_challenges_expires_at ON console_challenges (expires_at);

-- One row a sign-in that has not come back from the provider yet. `state_hash` is SHA-256 of the value that travels
-- through the provider, `browser_hash` that of the secret in the browser's cookie; the nonce and the PKCE verifier are
-- derived from both, so that this table alone is of no use. `next` is the page to open afterwards.
CREATE TABLE console_openid_pending (
    state_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(state_hash) = 32),
    browser_hash BYTEA NOT NULL CHECK (length(browser_hash) = 32),
    next TEXT COLLATE "C",
    expires_at BIGINT NOT NULL
);

CREATE INDEX idx_console_openid_pending_expires_at ON console_openid_pending (expires_at);

-- The access token of each person who has signed in. `subject_hash` is SHA-256 of issuer and subject. Nobody knows the
-- secret of such a token: it is only the author and the role of sessions. `grant_hash` is SHA-256 of what gave the role
-- at the last sign-in: issuer, client and rule. Sessions end when the settings have that no more.
CREATE TABLE console_openid_people (
    subject_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(subject_hash) = 32),
    token_id BYTEA NOT NULL REFERENCES access_tokens (id),
    grant_hash BYTEA NOT NULL CHECK (length(grant_hash) = 32)
);

CREATE UNIQUE INDEX idx_console_openid_people_token_id ON console_openid_people (token_id);
