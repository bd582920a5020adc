-- The newest suggestions of a status, without sorting all of them.
CREATE INDEX idx_suggestion_groups_status_last_seen_at ON suggestion_groups (status, last_seen_at, id);
