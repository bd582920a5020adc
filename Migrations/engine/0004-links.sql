-- What took a subscription's place, and the bundle in which it is paid.
ALTER TABLE subscriptions ADD COLUMN replaced_by BLOB
    REFERENCES subscriptions (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE subscriptions ADD COLUMN bundled_in BLOB
    REFERENCES subscriptions (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX idx_subscriptions_replaced_by ON subscriptions (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX idx_subscriptions_bundled_in ON subscriptions (bundled_in) WHERE bundled_in IS NOT NULL;
