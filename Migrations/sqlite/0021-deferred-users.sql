-- Oldest reader: 13
-- Events dated ahead by their user, so that an erasure finds those of a device without reading all.

CREATE INDEX idx_deferred_events_user_hash ON deferred_events (user_hash);
