-- Oldest reader: 13
-- The claim of an Idempotency-Key under which a change was made; NULL without one. Clients choose `request_id` and may
-- use one twice, so it cannot tell whether a request was carried out. Not part of the hash.

ALTER TABLE audit_entries ADD COLUMN claim_id TEXT;
