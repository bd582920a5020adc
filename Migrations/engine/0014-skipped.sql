-- The score counts what the user skipped from an index alone. What was taken back otherwise, such as by a later start, has
-- no instant. The columns of the condition are in the index, or each row would be looked up.
CREATE INDEX idx_ledger_skipped ON ledger (due_day, fate, acted_at) WHERE fate = 3 AND acted_at IS NOT NULL;
