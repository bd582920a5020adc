-- Oldest reader: 13
-- Counting days anew in another time zone where raw events were purged.

-- Nothing is counted until it ends, because it changes what is stored instead of replacing it.
ALTER TABLE figure_rebuilds ADD COLUMN holds_counting BIGINT NOT NULL DEFAULT 0 CHECK (holds_counting IN (0, 1));
