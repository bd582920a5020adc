-- The log of analytics events.

-- Names are stored once: an event row carries a small number instead of up to 27 bytes. Rows are added by the ingest
-- when it first meets a name of the registry, and never renumbered.
CREATE TABLE event_names (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_event_names_name ON event_names (name);

-- The versions that have a code. NULL where a code is free; the version that takes it next is known in events received
-- from `known_from` on, NULL for all.
CREATE TABLE app_versions (
    id INTEGER NOT NULL PRIMARY KEY,
    version TEXT,
    known_from INTEGER
) STRICT;

CREATE UNIQUE INDEX idx_app_versions_version ON app_versions (version);

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

-- One row. `last_block_id`: the newest block ever written. The ids of blocks up to `indexed_block_id` are in the runs
-- below. `run_revision` grows whenever the runs change. `id_seed` keys the hashes of the runs' filters.
-- `complete_from`: every event that occurred from then on is still there; null while no block was ever purged.
CREATE TABLE event_log (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    last_block_id INTEGER NOT NULL,
    indexed_block_id INTEGER NOT NULL,
    run_revision INTEGER NOT NULL,
    id_seed BLOB NOT NULL CHECK (length(id_seed) = 16),
    complete_from INTEGER
) STRICT;

INSERT INTO event_log (id, last_block_id, indexed_block_id, run_revision, id_seed, complete_from)
VALUES (1, 0, 0, 0, randomblob(16), NULL);

-- Sorted runs of ids. `state`: 0 in use, 1 being written from those whose `merged_into` names it, 2 to be removed.
CREATE TABLE event_id_runs (
    id INTEGER NOT NULL PRIMARY KEY,
    level INTEGER NOT NULL,
    state INTEGER NOT NULL,
    merged_into INTEGER,
    newest_received_at INTEGER NOT NULL
) STRICT;

-- A stretch of a run: chunks numbered in a row from `first_chunk_id`, the first id of each, and a filter that says
-- which ids are certainly not in it.
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

-- One row for each discard, kept for good. `finished_at` is null while a discard is under way; at most one is.
-- `selection` is JSON. Only blocks up to `through_block_id` are searched; those up to `swept_block_id` are done.
-- `step_count` grows with each transaction, so that a process sees that another one has gone on. `rearmed_thresholds`
-- is a JSON array.
CREATE TABLE event_discards (
    id INTEGER NOT NULL PRIMARY KEY,
    selection TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    finished_at INTEGER,
    through_block_id INTEGER NOT NULL,
    swept_block_id INTEGER NOT NULL,
    step_count INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    removed_user_count INTEGER NOT NULL,
    reduced_user_count INTEGER NOT NULL,
    users_before INTEGER NOT NULL,
    conversions_before INTEGER NOT NULL,
    subscriptions_before INTEGER NOT NULL,
    rearmed_thresholds TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_event_discards_under_way ON event_discards ((finished_at IS NULL)) WHERE finished_at IS NULL;
