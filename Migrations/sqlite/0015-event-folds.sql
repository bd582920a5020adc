-- How far the event log is in the figures, in a row of its own: who counts events and who appends them no longer write the
-- same one. An event is in the figures when its block is up to `folded_block_id`, or up to `folding_block_id` with a user
-- up to `folded_user_hash`: blocks are folded several at a time and users in the order of their hashes, some in each
-- transaction.
CREATE TABLE event_folds (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    folded_block_id INTEGER NOT NULL,
    folding_block_id INTEGER NOT NULL,
    folded_user_hash BLOB NOT NULL
) STRICT;

INSERT INTO event_folds (id, folded_block_id, folding_block_id, folded_user_hash)
SELECT id, folded_block_id, folding_block_id, folded_user_hash FROM event_log;

ALTER TABLE event_log DROP COLUMN folded_block_id;
ALTER TABLE event_log DROP COLUMN folding_block_id;
ALTER TABLE event_log DROP COLUMN folded_user_hash;
