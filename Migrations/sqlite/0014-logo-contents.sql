-- The contents of logos, for stores without a folder beside them. An SQLite store has one, which its backups hold, so
-- this table stays empty here; it is here so that both databases have the same tables.
CREATE TABLE catalogue_logo_contents (
    file_name TEXT NOT NULL PRIMARY KEY,
    content BLOB NOT NULL
) STRICT;
