-- Oldest reader: 13
-- A fold that was prepared in advance is void once anything but a fold has changed stored users.

-- Increases with each erasure, discard and rebuild that changes stored users or deferred events.
ALTER TABLE event_folds ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
