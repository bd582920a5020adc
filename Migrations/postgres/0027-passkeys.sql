-- Passkeys for the console; docs/console.md explains them.

-- One row a passkey. It signs in as its token, and is deleted when the token is revoked. `public_key` is COSE as the
-- authenticator sent it; `user_handle` are 32 random bytes, the same for all passkeys of a token; `sign_count` is that
-- of the latest sign-in, 0 for authenticators that do not count; `verifies_user` says whether the authenticator verified
-- its user when the passkey was made.
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
