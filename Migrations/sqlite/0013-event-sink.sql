-- How far the copy of the log in ClickHouse has come.

-- One row once a server has had a sink. Blocks up to `cursor_block_id` were sent. `next_user_number` is that of the
-- next user without one. `revision` grows when a user gets another hash. `table_number` is that of the table in
-- ClickHouse. `seen_at`: when a server with a sink last looked; while that is recent, blocks behind the cursor stay.
CREATE TABLE event_sinks (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    cursor_block_id INTEGER NOT NULL,
    next_user_number INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT;

-- The ledger: of each range of blocks the events of one week for one shard, written before they are sent. Sums are kept
-- modulo 2^64. `week` is the number of its Monday, in days since 1970-01-01; `sent_at` is NULL until the shard has
-- them.
CREATE TABLE event_sink_parts (
    table_number INTEGER NOT NULL,
    range_number INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    week INTEGER NOT NULL,
    shard_count INTEGER NOT NULL,
    first_block_id INTEGER NOT NULL,
    last_block_id INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    moment_sum INTEGER NOT NULL,
    received_sum INTEGER NOT NULL,
    user_sum INTEGER NOT NULL,
    id_sum INTEGER NOT NULL,
    text_sum INTEGER NOT NULL,
    sent_at INTEGER,
    PRIMARY KEY (table_number, range_number, shard, week)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_event_sink_parts_unsent ON event_sink_parts (range_number) WHERE sent_at IS NULL;

-- The numbers that stand for users in ClickHouse. Who asks to be forgotten gets another hash here; the number stays.
CREATE TABLE event_sink_users (
    user_hash BLOB NOT NULL PRIMARY KEY CHECK (length(user_hash) = 32),
    number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The user of a number, for events that are read from ClickHouse.
CREATE UNIQUE INDEX idx_event_sink_users_number ON event_sink_users (number);
