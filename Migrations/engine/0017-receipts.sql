-- Pictures and PDF files of expenses and transactions, in base64, as backups carry them. Reading a list of them reads no
-- content: SQLite keeps a long one on pages of its own.
CREATE TABLE receipts (
    id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    expense_id BLOB REFERENCES expenses (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    transaction_id BLOB REFERENCES transactions (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    size INTEGER NOT NULL,
    kind TEXT NOT NULL,
    stamp TEXT NOT NULL DEFAULT '',
    stamps TEXT NOT NULL DEFAULT '',
    content TEXT NOT NULL,
    CHECK ((expense_id IS NULL) <> (transaction_id IS NULL))
) STRICT;
CREATE INDEX idx_receipts_expense_id ON receipts (expense_id) WHERE expense_id IS NOT NULL;
CREATE INDEX idx_receipts_transaction_id ON receipts (transaction_id) WHERE transaction_id IS NOT NULL;
