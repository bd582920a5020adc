-- How far the copy of the log in ClickHouse has come.

-- One row once a server has had a sink. Blocks up to `cursor_block_id` were sent. `next_user_number` is that of the
-- next user without one. `revision` grows when a user gets another hash. `table_number` is that of the table in
-- ClickHouse. `seen_at`: when a server with a sink last looked; while that is recent, blocks behind the cursor stay.
CREATE TABLE event_sinks (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    cursor_block_id BIGINT NOT NULL,
    next_user_number BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    table_number BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

-- The ledger: of each range of blocks the events of one week for one shard, written before they are sent. Sums are kept
-- modulo 2^64. `week` is the number of its Monday, in days since 1970-01-01; `sent_at` is NULL until the shard has
-- them.
CREATE TABLE event_sink_parts (
    table_number BIGINT NOT NULL,
    range_number BIGINT NOT NULL,
    shard BIGINT NOT NULL,
    week BIGINT NOT NULL,
    shard_count BIGINT NOT NULL,
    first_block_id BIGINT NOT NULL,
    last_block_id BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    moment_sum BIGINT NOT NULL,
    received_sum BIGINT NOT NULL,
    user_sum BIGINT NOT NULL,
    id_sum BIGINT NOT NULL,
    text_sum BIGINT NOT NULL,
    sent_at BIGINT,
    PRIMARY KEY (table_number, range_number, shard, week)
);

CREATE INDEX idx_event_sink_parts_unsent ON event_sink_parts (range_number) WHERE sent_at IS NULL;

-- The numbers that stand for users in ClickHouse. Who asks to be forgotten gets another hash here; the number stays.
CREATE TABLE event_sink_users (
    user_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(user_hash) = 32),
    number BIGINT NOT NULL
);

-- The user of a number, for events that are read from ClickHouse.
CREATE UNIQUE INDEX idx_event_sink_users_number ON event_sink_users (number);
