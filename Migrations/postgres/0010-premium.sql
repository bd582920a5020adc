-- What accounts bought in the App Store.

-- One row a purchase: a subscription through all its renewals, or something bought once. `purchase_hash` is
-- HMAC-SHA-256 of Apple's originalTransactionId under the store's key. `account_id` is null while nobody has shown the
-- purchase to this server. The columns through `is_upgraded` are what the latest signed transaction says, the next two
-- what the latest renewal information says; the …_signed_at tell which is the latest.
CREATE TABLE purchases (
    purchase_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(purchase_hash) = 32),
    account_id BYTEA REFERENCES accounts (id) ON DELETE CASCADE,
    product_id TEXT COLLATE "C" NOT NULL,
    is_family_shared BIGINT NOT NULL CHECK (is_family_shared IN (0, 1)),
    purchased_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    is_refund BIGINT NOT NULL CHECK (is_refund IN (0, 1)),
    is_upgraded BIGINT NOT NULL CHECK (is_upgraded IN (0, 1)),
    grace_expires_at BIGINT,
    is_in_billing_retry BIGINT NOT NULL CHECK (is_in_billing_retry IN (0, 1)),
    transaction_signed_at BIGINT NOT NULL,
    renewal_signed_at BIGINT,
    notified_at BIGINT,
    updated_at BIGINT NOT NULL
);

CREATE INDEX idx_purchases_account_id ON purchases (account_id);

CREATE INDEX idx_purchases_updated_at ON purchases (updated_at);

-- Notifications of the App Store, to know one again that is sent twice.
CREATE TABLE app_store_notifications (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    notification_type TEXT COLLATE "C" NOT NULL,
    subtype TEXT COLLATE "C",
    signed_at BIGINT NOT NULL,
    received_at BIGINT NOT NULL
);

CREATE INDEX idx_app_store_notifications_received_at ON app_store_notifications (received_at);
