-- Sessions of the console in a browser, and one-time links that begin one; docs/console.md explains them.

-- One row a session. `secret_hash` is SHA-256 of 256 random bits, which only the browser's cookie holds. The session may
-- do what its token may do at the moment of each request. `last_used_at` is exact to the minute; `confirmed_at` is when
-- the token was entered last.
CREATE TABLE console_sessions (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    token_id BLOB NOT NULL REFERENCES access_tokens (id),
    browser TEXT,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    confirmed_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_console_sessions_secret_hash ON console_sessions (secret_hash);
CREATE INDEX idx_console_sessions_token_id ON console_sessions (token_id);

-- One row a link that was not used yet. `code_hash` is SHA-256 of the random part of its address.
CREATE TABLE console_links (
    code_hash BLOB NOT NULL PRIMARY KEY CHECK (length(code_hash) = 32),
    token_id BLOB NOT NULL REFERENCES access_tokens (id),
    expires_at INTEGER NOT NULL
) STRICT;
