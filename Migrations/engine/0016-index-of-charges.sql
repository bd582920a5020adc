-- All that the view of charges reads, so that a range of days is read from the index alone.
DROP INDEX idx_ledger_fate_due_day;

CREATE INDEX idx_ledger_fate_due_day ON ledger (fate, due_day, subscription, paid, paid_currency, acted_at);
