-- What the administration keeps beside the catalogue itself.

-- Roles of the operator's own. The built-in ones are in the program and never here. `permissions` are their names on the
-- wire, in the order of the program's table, parted by blanks.
CREATE TABLE access_roles (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    permissions TEXT COLLATE "C" NOT NULL
);

-- Answers to requests that bore an Idempotency-Key, for a day. The key is kept as its hash; the answer is sealed with a key
-- made of the caller's token, of which the store knows only a hash, so that nothing of it can be read here. Until there is
-- an answer the row says that the request runs, at most until `lease_until`.
CREATE TABLE idempotent_answers (
    token_id BYTEA NOT NULL CHECK (length(token_id) = 16),
    key_hash BYTEA NOT NULL CHECK (length(key_hash) = 32),
    fingerprint BYTEA NOT NULL CHECK (length(fingerprint) = 32),
    request_id TEXT COLLATE "C" NOT NULL,
    started_at BIGINT NOT NULL,
    lease_until BIGINT NOT NULL,
    sealed_answer BYTEA,
    PRIMARY KEY (token_id, key_hash)
);

CREATE INDEX idx_idempotent_answers_started_at ON idempotent_answers (started_at);

-- The history of one thing is read out of the log.
CREATE INDEX idx_audit_entries_subject_id ON audit_entries (subject_id, sequence) WHERE subject_id IS NOT NULL;

-- What changed since a revision, without reading the whole catalogue.
CREATE INDEX idx_catalogue_items_revision ON catalogue_items (revision);
CREATE INDEX idx_catalogue_tombstones_revision ON catalogue_tombstones (revision);
CREATE INDEX idx_catalogue_tombstones_merged_into ON catalogue_tombstones (merged_into) WHERE merged_into IS NOT NULL;

-- Which item an approved suggestion became, and when it was decided on.
ALTER TABLE suggestion_groups ADD COLUMN item_id BYTEA CHECK (item_id IS NULL OR length(item_id) = 16);
ALTER TABLE suggestion_groups ADD COLUMN decided_at BIGINT;

CREATE INDEX idx_suggestion_groups_status_suggestion_count ON suggestion_groups (status, suggestion_count, id);
CREATE INDEX idx_suggestion_groups_item_id ON suggestion_groups (item_id) WHERE item_id IS NOT NULL;

-- When each kind of data was last purged, for the privacy page.
CREATE TABLE retention_runs (
    subject TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    ran_at BIGINT NOT NULL,
    removed_count BIGINT NOT NULL
);

-- Logo files by their content's hash. `released_at`: since when no item shows it; after a while the file goes.
CREATE TABLE catalogue_logos (
    file_name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    byte_count BIGINT NOT NULL,
    stored_at BIGINT NOT NULL,
    released_at BIGINT
);

CREATE INDEX idx_catalogue_items_logo_url ON catalogue_items (logo_url) WHERE logo_url IS NOT NULL;
