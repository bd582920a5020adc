-- Oldest reader: 13
-- Bounds of what would go on: of a search in the audit log, and of the replacements of a token.

-- The length of the audit log when the request began; its change comes after it. NULL of a program that does not know
-- the column.
ALTER TABLE idempotent_answers ADD COLUMN audit_count BIGINT;

-- The expiry of the token that created this one, which no replacement outlives. NULL without one.
ALTER TABLE access_tokens ADD COLUMN latest_end BIGINT;
