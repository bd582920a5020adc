-- The order in which members were named, which decides who bears the cent that an even split leaves.
ALTER TABLE group_members ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
