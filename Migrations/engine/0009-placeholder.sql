-- Taken by another branch.
SELECT 1;
