-- Oldest reader: 13
-- What a fold has worked out in advance is void once stored users were changed by anything but a fold.

-- Increases with each erasure, discard and rebuild that changes stored users or deferred events.
ALTER TABLE event_folds ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
