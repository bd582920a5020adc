-- Events dated ahead, whose blocks are in the figures but for them, in the order in which they become due.
-- `user_hash` is replaced with that of the event in its block; `place` only tells the events of a block apart.
CREATE TABLE deferred_events (
    occurred_at BIGINT NOT NULL,
    block_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    user_hash BYTEA NOT NULL,
    event_name_id BIGINT NOT NULL,
    item_id BYTEA,
    PRIMARY KEY (occurred_at, block_id, place)
);

-- Events up to `counted_until` are in the figures, if their blocks are. `deferred_blocks` is moved by the next fold, and
-- stays empty then.
ALTER TABLE event_folds ADD COLUMN counted_until BIGINT NOT NULL DEFAULT -62135596800000;

UPDATE event_folds SET counted_until = coalesce(
    (SELECT max(counted_until) FROM deferred_blocks), (SELECT max(last_occurred_at) FROM event_blocks), counted_until);
