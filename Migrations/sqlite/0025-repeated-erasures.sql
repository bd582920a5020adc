-- Oldest reader: 13
-- When a device asked again to make its events anonymous, while the sweep for its first request ran: what it reported
-- meanwhile lies beyond that sweep. NULL if it did not. A program that does not know the column loses the second
-- request.

ALTER TABLE analytics_erasures ADD COLUMN repeated_at INTEGER;
