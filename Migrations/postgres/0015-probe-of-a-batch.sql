-- Oldest reader: 13
-- The readiness check writes as much as a batch of events: one row would still fit on a disk that has no room for one.

ALTER TABLE health_probe ADD COLUMN ballast BYTEA;
