-- What accounts bought in the App Store.

-- One row a purchase: a subscription through all its renewals, or something bought once. `purchase_hash` is
-- HMAC-SHA-256 of Apple's originalTransactionId under the store's key. `account_id` is null while nobody has shown the
-- purchase to this server. The columns through `is_upgraded` are what the latest signed transaction says, the next two
-- what the latest renewal information says; the …_signed_at tell which is the latest.
CREATE TABLE purchases (
    purchase_hash BLOB NOT NULL PRIMARY KEY CHECK (length(purchase_hash) = 32),
    account_id BLOB REFERENCES accounts (id) ON DELETE CASCADE,
    product_id TEXT NOT NULL,
    is_family_shared INTEGER NOT NULL CHECK (is_family_shared IN (0, 1)),
    purchased_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    is_refund INTEGER NOT NULL CHECK (is_refund IN (0, 1)),
    is_upgraded INTEGER NOT NULL CHECK (is_upgraded IN (0, 1)),
    grace_expires_at INTEGER,
    is_in_billing_retry INTEGER NOT NULL CHECK (is_in_billing_retry IN (0, 1)),
    transaction_signed_at INTEGER NOT NULL,
    renewal_signed_at INTEGER,
    notified_at INTEGER,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_purchases_account_id ON purchases (account_id);

CREATE INDEX idx_purchases_updated_at ON purchases (updated_at);

-- Notifications of the App Store, to know one again that is sent twice.
CREATE TABLE app_store_notifications (
    id TEXT NOT NULL PRIMARY KEY,
    notification_type TEXT NOT NULL,
    subtype TEXT,
    signed_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_app_store_notifications_received_at ON app_store_notifications (received_at);
