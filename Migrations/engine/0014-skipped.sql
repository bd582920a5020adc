-- The score counts what the user skipped from an index alone. What was taken back otherwise, such as by a later start, has
-- no instant.
CREATE INDEX idx_ledger_skipped ON ledger (due_day) WHERE fate = 3 AND acted_at IS NOT NULL;
