-- What a charge of before the present schedule is while its subscription was not charged on that day, such as after a past
-- cancellation: `fate` is then 3, as of a charge that was taken back, and this is the fate that holds again without the
-- cancellation. Derived from the states; NULL for all others.
ALTER TABLE ledger ADD COLUMN withheld INTEGER;
