-- A budget is found by what it is for, and a file may hold any number of them.
CREATE INDEX budgets_by_target ON budgets (category, scope, currency, period);
