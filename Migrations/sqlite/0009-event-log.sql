-- Raw events as a log of blocks, and the index of their ids. docs/event-log.md has the reasoning and the layout.

-- One row a commit, numbered as they come. `events` is packed; its first byte tells the layout. `received_at` is the
-- latest of the block, `last_occurred_at` the latest moment of its events.
CREATE TABLE event_blocks (
    id INTEGER NOT NULL PRIMARY KEY,
    received_at INTEGER NOT NULL,
    last_occurred_at INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    events BLOB NOT NULL
) STRICT;

CREATE INDEX idx_event_blocks_received_at ON event_blocks (received_at);

-- One row. `last_block_id`: the newest block ever written. An event is in the figures when its block is up to
-- `folded_block_id`, or up to `folding_block_id` with a user up to `folded_user_hash`: blocks are folded several at a time
-- and users in the order of their hashes, a few in each transaction. The ids of blocks up to `indexed_block_id` are in
-- the runs below. `run_revision` grows whenever the runs change. `id_seed` keys the hashes of the runs' filters.
-- `complete_from`: every event that occurred from then on is still there; null while no block was ever purged.
CREATE TABLE event_log (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    last_block_id INTEGER NOT NULL,
    folded_block_id INTEGER NOT NULL,
    folding_block_id INTEGER NOT NULL,
    folded_user_hash BLOB NOT NULL,
    indexed_block_id INTEGER NOT NULL,
    run_revision INTEGER NOT NULL,
    id_seed BLOB NOT NULL CHECK (length(id_seed) = 16),
    complete_from INTEGER
) STRICT;

INSERT INTO event_log
VALUES (1, 0, 0, 0, x'', 0, 0, randomblob(16), NULL);

-- Sorted runs of ids. `state`: 0 in use, 1 being written from those whose `merged_into` names it, 2 to be removed.
CREATE TABLE event_id_runs (
    id INTEGER NOT NULL PRIMARY KEY,
    level INTEGER NOT NULL,
    state INTEGER NOT NULL,
    merged_into INTEGER,
    newest_received_at INTEGER NOT NULL
) STRICT;

-- A stretch of a run: chunks numbered in a row from `first_chunk_id`, the first id of each, and a filter that says which
-- ids are certainly not in it.
CREATE TABLE event_id_segments (
    id INTEGER NOT NULL PRIMARY KEY,
    run_id INTEGER NOT NULL,
    id_count INTEGER NOT NULL,
    first_chunk_id INTEGER NOT NULL,
    last_event_id BLOB NOT NULL CHECK (length(last_event_id) = 16),
    first_event_ids BLOB NOT NULL,
    filter BLOB NOT NULL
) STRICT;

CREATE INDEX idx_event_id_segments_run_id ON event_id_segments (run_id);

-- Up to 252 sorted ids of 16 bytes, which fill a page of 4 KiB.
CREATE TABLE event_id_chunks (
    id INTEGER NOT NULL PRIMARY KEY,
    ids BLOB NOT NULL
) STRICT;
