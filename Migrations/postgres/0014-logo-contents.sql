-- The contents of logos, so that all servers have them without a folder that they share; a row of `catalogue_logos` comes
-- in the same transaction. In a table of their own, so that whoever lists logos does not read them.
CREATE TABLE catalogue_logo_contents (
    file_name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    content BYTEA NOT NULL
);

-- They are compressed already.
ALTER TABLE catalogue_logo_contents ALTER COLUMN content SET STORAGE EXTERNAL;
