-- First days of trials and of the periods of budgets.

-- NULL when it is not known: no charge before the end of the trial is made.
ALTER TABLE subscriptions ADD COLUMN trial_starts_on INTEGER;

-- `25`, or `04-06` for a year; '' for the first of the month or of January.
ALTER TABLE budgets ADD COLUMN begins TEXT NOT NULL DEFAULT '';
