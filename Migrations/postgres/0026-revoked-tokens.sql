-- Oldest reader: 13
-- Tokens that are revoked whatever the time is. Without this, `revoked_at` is the end of a replaced token's grace, or a
-- revocation by a program that does not know the column.

ALTER TABLE access_tokens ADD COLUMN is_revoked BIGINT NOT NULL DEFAULT 0 CHECK (is_revoked IN (0, 1));
