-- Holds the number until the event store's own migration takes it.
SELECT 1;
