-- Alerts about storage that fills up, and which level was announced last.

ALTER TABLE alert_deliveries DROP CONSTRAINT alert_deliveries_kind_check;
ALTER TABLE alert_deliveries ADD CONSTRAINT alert_deliveries_kind_check
    CHECK (kind IN ('threshold', 'test', 'storage'));
ALTER TABLE alert_deliveries ADD COLUMN storage_level TEXT COLLATE "C" CHECK (storage_level IN ('nearly_full', 'full'));
ALTER TABLE alert_deliveries ADD COLUMN storage_reason TEXT COLLATE "C" CHECK (storage_reason IN ('store', 'disk'));
ALTER TABLE alert_deliveries ADD COLUMN storage_bytes BIGINT;
ALTER TABLE alert_deliveries ADD COLUMN storage_limit_bytes BIGINT;
ALTER TABLE alert_deliveries ADD CONSTRAINT alert_deliveries_storage_check
    CHECK ((kind = 'storage') = (storage_level IS NOT NULL));

-- One row: the level that was announced last, for all servers of the store.
CREATE TABLE storage_watch (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    level TEXT COLLATE "C" NOT NULL CHECK (level IN ('ok', 'nearly_full', 'full')),
    changed_at BIGINT
);

INSERT INTO storage_watch (id, level, changed_at) VALUES (1, 'ok', NULL);
