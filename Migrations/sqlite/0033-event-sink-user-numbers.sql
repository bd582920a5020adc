-- Oldest reader: 32

-- The user of a number, for events that are read from ClickHouse.
CREATE UNIQUE INDEX idx_event_sink_users_number ON event_sink_users (number);
