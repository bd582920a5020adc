-- Forged events that an operator takes out of the log (`subguardd figures discard`); docs/figures.md explains how.

-- One row for each discard, kept for good. `finished_at` is null while a discard is under way; at most one is. `selection`
-- is JSON. Only blocks up to `through_block_id` are searched; those up to `swept_block_id` are done. `step_count` grows with
-- each transaction, so that a process sees that another one has gone on. `rearmed_thresholds` is a JSON array.
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

-- A threshold fires once, unless a discard that is under way takes out the users who reached it.
DROP TRIGGER alert_thresholds_refuse_second_firing;

CREATE TRIGGER alert_thresholds_refuse_second_firing BEFORE UPDATE OF fired_at, user_count ON alert_thresholds
WHEN OLD.fired_at IS NOT NULL
    AND (NEW.fired_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM event_discards WHERE finished_at IS NULL))
BEGIN
    SELECT RAISE(ABORT, 'a threshold fires once');
END;

-- Set when the threshold of a delivery was re-armed: the delivery stays in the list, and the next firing gets its own.
ALTER TABLE alert_deliveries ADD COLUMN withdrawn_at INTEGER;

DROP INDEX idx_alert_deliveries_user_threshold_channel;

CREATE UNIQUE INDEX idx_alert_deliveries_user_threshold_channel ON alert_deliveries (user_threshold, channel)
WHERE user_threshold IS NOT NULL AND withdrawn_at IS NULL;
