-- Rates that a server sent go when the device has another server; those of files stay.
ALTER TABLE reference_rates ADD COLUMN is_of_server INTEGER NOT NULL DEFAULT 0;
