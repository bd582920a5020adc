-- How far the event log is in the figures, in a row of its own: who counts events and who appends them no longer write the
-- same one, and do not wait for each other.
CREATE TABLE event_folds (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    folded_block_id BIGINT NOT NULL,
    folding_block_id BIGINT NOT NULL,
    folded_user_hash BYTEA NOT NULL
);

INSERT INTO event_folds (id, folded_block_id, folding_block_id, folded_user_hash)
SELECT id, folded_block_id, folding_block_id, folded_user_hash FROM event_log;

ALTER TABLE event_log DROP COLUMN folded_block_id;
ALTER TABLE event_log DROP COLUMN folding_block_id;
ALTER TABLE event_log DROP COLUMN folded_user_hash;

-- Room for the next version of a row beside it: most updates then leave the indexes alone.
ALTER TABLE users SET (fillfactor = 70);
