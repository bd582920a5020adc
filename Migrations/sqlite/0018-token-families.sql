-- Oldest reader: 13
-- A token and all that replaced it. At most two of a family are valid at a time, and revoking one revokes all.

-- The first token of the family; NULL for a token that replaced none.
ALTER TABLE access_tokens ADD COLUMN family_id BLOB CHECK (family_id IS NULL OR length(family_id) = 16);

CREATE INDEX idx_access_tokens_family_id ON access_tokens (family_id) WHERE family_id IS NOT NULL;
