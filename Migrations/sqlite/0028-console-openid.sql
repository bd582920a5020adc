-- Sign-in to the console by OpenID Connect; docs/console.md explains it.

-- One row a sign-in that has not come back from the provider yet. `state_hash` is SHA-256 of the value that travels
-- through the provider, `browser_hash` that of the secret in the browser's cookie; the nonce and the PKCE verifier are
-- derived from both, so that this table alone is of no use. `next` is the page to open afterwards.
CREATE TABLE console_openid_pending (
    state_hash BLOB NOT NULL PRIMARY KEY CHECK (length(state_hash) = 32),
    browser_hash BLOB NOT NULL CHECK (length(browser_hash) = 32),
    next TEXT,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_console_openid_pending_expires_at ON console_openid_pending (expires_at);

-- The access token of each person who has signed in. `subject_hash` is SHA-256 of issuer and subject. Nobody knows the
-- secret of such a token: it is only the author and the role of sessions. `grant_hash` is SHA-256 of what gave the role
-- at the last sign-in: issuer, client and rule. Sessions end when the settings have that no more.
CREATE TABLE console_openid_people (
    subject_hash BLOB NOT NULL PRIMARY KEY CHECK (length(subject_hash) = 32),
    token_id BLOB NOT NULL REFERENCES access_tokens (id),
    grant_hash BLOB NOT NULL CHECK (length(grant_hash) = 32)
) STRICT;

CREATE UNIQUE INDEX idx_console_openid_people_token_id ON console_openid_people (token_id);
