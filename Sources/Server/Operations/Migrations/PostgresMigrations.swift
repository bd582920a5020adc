// swift-format-ignore-file
// Made by Scripts/generate from Migrations/postgres. Do not edit.

package import SQLDatabase

/// The schema of a PostgreSQL store, as it is in `Migrations/postgres`.
package enum PostgresMigrations {
    package static let all: [Migration] = [
        Migration(
            number: 1, slug: "store",
            sql: #"""
-- What the store knows about itself.
--
-- The tables are those of `Migrations/sqlite`, which says what they are for; here is said what differs. Conventions:
-- BIGINT for every number, also for 0 and 1, so that both databases answer with the same; texts compare by their bytes
-- (COLLATE "C") whatever the database was made with; instants are whole milliseconds since 1970-01-01T00:00:00Z in
-- columns named …_at; ids are the 16 bytes of a UUID in BYTEA.

-- `epoch`: 8 random bytes made on first open. They mark this very store, so that a sync token or an ETag given out by
-- another one (a restored copy, a fresh installation) is recognised as foreign.
CREATE TABLE store_metadata (
    key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value BYTEA NOT NULL
);

-- Readiness really writes: one row, overwritten, so that probing never grows the store.
CREATE TABLE health_probe (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    write_count BIGINT NOT NULL,
    probed_at BIGINT
);

INSERT INTO health_probe (id, write_count, probed_at)
VALUES (1, 0, NULL);

-- Work that recurs and that one server does for all: one row a job. Whoever finds a job due takes the lease, does the
-- work and says when it is due again. A lease that has run out belongs to a process that died, and the job is anybody's
-- again.
CREATE TABLE job_leases (
    job TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    due_at BIGINT NOT NULL,
    lease_id BYTEA CHECK (lease_id IS NULL OR length(lease_id) = 16),
    lease_until BIGINT,
    CHECK ((lease_id IS NULL) = (lease_until IS NULL))
);

-- When each kind of data was last purged, for the privacy page.
CREATE TABLE retention_runs (
    subject TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    ran_at BIGINT NOT NULL,
    removed_count BIGINT NOT NULL
);

"""#,
            checksum: "11c410e35f54e35a4984d978fe46c985957ff2c712938b297ab6791fda546b3f"),
        Migration(
            number: 2, slug: "access",
            sql: #"""
-- Who may change things, and the record of who did.

-- Roles of the operator's own. The built-in ones are in the program and never here. `permissions` are their names on
-- the wire, in the order of the program's table, parted by blanks.
CREATE TABLE access_roles (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    permissions TEXT COLLATE "C" NOT NULL
);

-- The secret itself is never stored, only its SHA-256. The hint is the first characters of the token, enough to tell
-- two apart in a list and far too little to guess the rest. Revoked and expired rows stay: the audit log names them.
CREATE TABLE access_tokens (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL,
    hint TEXT COLLATE "C" NOT NULL,
    secret_hash BYTEA NOT NULL CHECK (length(secret_hash) = 32),
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    revoked_at BIGINT
);

CREATE UNIQUE INDEX idx_access_tokens_secret_hash ON access_tokens (secret_hash);

-- One row a change, written in the transaction of the change. `hash` is SHA-256 over the previous row's hash and the
-- canonical bytes of this row, so that an edit anywhere breaks the chain from there on. `sequence` has no gaps.
CREATE TABLE audit_entries (
    sequence BIGINT NOT NULL PRIMARY KEY,
    happened_at BIGINT NOT NULL,
    actor_token_id BYTEA CHECK (actor_token_id IS NULL OR length(actor_token_id) = 16),
    actor_name TEXT COLLATE "C" NOT NULL,
    request_id TEXT COLLATE "C",
    action TEXT COLLATE "C" NOT NULL,
    subject_id BYTEA CHECK (subject_id IS NULL OR length(subject_id) = 16),
    before_json TEXT COLLATE "C",
    after_json TEXT COLLATE "C",
    hash BYTEA NOT NULL CHECK (length(hash) = 32)
);

-- The history of one thing is read out of the log.
CREATE INDEX idx_audit_entries_subject_id ON audit_entries (subject_id, sequence) WHERE subject_id IS NOT NULL;

-- Authors of the audit log by name, without reading its rows.
CREATE INDEX idx_audit_entries_actor_name ON audit_entries (actor_name, sequence);

CREATE FUNCTION audit_entries_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_entries is append-only';
END;
$$;

CREATE TRIGGER audit_entries_refuse_change BEFORE UPDATE OR DELETE ON audit_entries
FOR EACH ROW EXECUTE FUNCTION audit_entries_refuse();

CREATE TRIGGER audit_entries_refuse_truncate BEFORE TRUNCATE ON audit_entries
FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_refuse();

-- Where the chain ends. Without it, rows cut off the end would leave a shorter chain that is whole in itself. It also
-- makes an append cost the same at any length.
CREATE TABLE audit_heads (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    entry_count BIGINT NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32)
);

CREATE FUNCTION audit_heads_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_heads keeps its row';
END;
$$;

CREATE TRIGGER audit_heads_refuse_delete BEFORE DELETE ON audit_heads
FOR EACH ROW EXECUTE FUNCTION audit_heads_refuse();

CREATE TRIGGER audit_heads_refuse_truncate BEFORE TRUNCATE ON audit_heads
FOR EACH STATEMENT EXECUTE FUNCTION audit_heads_refuse();

INSERT INTO audit_heads (id, entry_count, hash)
VALUES (1, 0, '\x0000000000000000000000000000000000000000000000000000000000000000');

-- Answers to requests that bore an Idempotency-Key, for a day. The key is kept as its hash; the answer is sealed with a
-- key made of the caller's token, of which the store knows only a hash, so that nothing of it can be read here. Until
-- there is an answer the row says that the request runs, at most until `lease_until`.
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

"""#,
            checksum: "dfc899142d5214283d2589818fd509be1d6acd1d77073840892cf71235cab40a"),
        Migration(
            number: 3, slug: "catalogue",
            sql: #"""
-- The catalogue of services.

-- One monotonic counter for the whole catalogue, bumped in the transaction of each change, so that "what changed since
-- revision n" has one answer. A clock could run backwards or stand still; this cannot. Changes after revision `horizon`
-- are known whole; of earlier deletions the tombstones may be purged.
CREATE TABLE catalogue_counters (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    revision BIGINT NOT NULL,
    horizon BIGINT NOT NULL,
    CHECK (horizon <= revision)
);

-- Servers listen, so that a change of the catalogue is everywhere at once; they look once a second, too.
CREATE FUNCTION catalogue_counters_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('subguard_catalogue', NEW.revision::text);
    RETURN NULL;
END;
$$;

CREATE TRIGGER catalogue_counters_notify AFTER UPDATE OF revision, horizon ON catalogue_counters
FOR EACH ROW EXECUTE FUNCTION catalogue_counters_notify();

INSERT INTO catalogue_counters (id, revision, horizon)
VALUES (1, 0, 0);

-- `sort_name` is the name folded (case, accents), so that lists sort as people read. `search_text` is the folded name,
-- slug and aliases, one a line, for infix search by administrators. `aliases` is a JSON array of strings. The amount is
-- in minor units of its currency.
CREATE TABLE catalogue_items (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    slug TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    sort_name TEXT COLLATE "C" NOT NULL,
    search_text TEXT COLLATE "C" NOT NULL,
    category TEXT COLLATE "C" NOT NULL,
    typical_amount_minor_units BIGINT NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    billing_cycle TEXT COLLATE "C" NOT NULL,
    website TEXT COLLATE "C",
    logo_url TEXT COLLATE "C",
    cancel_url TEXT COLLATE "C",
    notice_days BIGINT,
    aliases TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    revision BIGINT NOT NULL
);

CREATE UNIQUE INDEX idx_catalogue_items_slug ON catalogue_items (slug);

-- What changed since a revision, without reading the whole catalogue.
CREATE INDEX idx_catalogue_items_revision ON catalogue_items (revision);

CREATE INDEX idx_catalogue_items_logo_url ON catalogue_items (logo_url) WHERE logo_url IS NOT NULL;

-- A deleted or merged item leaves its id, so that devices learn of it. `merged_into` is null for a plain deletion.
CREATE TABLE catalogue_tombstones (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    merged_into BYTEA CHECK (merged_into IS NULL OR length(merged_into) = 16),
    revision BIGINT NOT NULL,
    deleted_at BIGINT NOT NULL
);

CREATE INDEX idx_catalogue_tombstones_revision ON catalogue_tombstones (revision);

CREATE INDEX idx_catalogue_tombstones_merged_into ON catalogue_tombstones (merged_into) WHERE merged_into IS NOT NULL;

-- Logo files by their content's hash. `released_at`: since when no item shows it; after a while the file goes.
CREATE TABLE catalogue_logos (
    file_name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    byte_count BIGINT NOT NULL,
    stored_at BIGINT NOT NULL,
    released_at BIGINT
);

-- The contents of logos, so that all servers have them without a folder that they share; a row of `catalogue_logos`
-- comes in the same transaction. In a table of their own, so that whoever lists logos does not read them.
CREATE TABLE catalogue_logo_contents (
    file_name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    content BYTEA NOT NULL
);

ALTER TABLE catalogue_logo_contents ALTER COLUMN content SET STORAGE EXTERNAL;

"""#,
            checksum: "9d0f551dc6d891bc3eadd37a868cee8ca248a7b3244cd5dc10b18b37717920f6"),
        Migration(
            number: 4, slug: "suggestions",
            sql: #"""
-- Services that the community suggests.

-- Moderation works on groups of the same name (case and accents folded). `name` is the first spelling that came.
CREATE TABLE suggestion_groups (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    normalised_name TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
    suggestion_count BIGINT NOT NULL,
    first_seen_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    -- Which item an approved suggestion became, and when it was decided on.
    item_id BYTEA CHECK (item_id IS NULL OR length(item_id) = 16),
    decided_at BIGINT
);

CREATE UNIQUE INDEX idx_suggestion_groups_normalised_name ON suggestion_groups (normalised_name);

CREATE INDEX idx_suggestion_groups_status_suggestion_count ON suggestion_groups (status, suggestion_count, id);

CREATE INDEX idx_suggestion_groups_item_id ON suggestion_groups (item_id) WHERE item_id IS NOT NULL;

-- The newest suggestions of a status, without sorting all of them.
CREATE INDEX idx_suggestion_groups_status_last_seen_at ON suggestion_groups (status, last_seen_at, id);

-- One row a suggestion, only to know its id again when a device sends its queue twice.
CREATE TABLE suggestions (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    group_id BYTEA NOT NULL REFERENCES suggestion_groups (id) ON DELETE CASCADE
);

CREATE INDEX idx_suggestions_group_id ON suggestions (group_id);

"""#,
            checksum: "fed52028d4613ed5bf9265162c5820b55ac7efed4ca09bf54e0fba1c535eb17a"),
        Migration(
            number: 5, slug: "event-log",
            sql: #"""
-- The log of analytics events.

-- Names are stored once: an event row carries a small number instead of up to 27 bytes. Rows are added by the ingest
-- when it first meets a name of the registry, and never renumbered.
CREATE TABLE event_names (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX idx_event_names_name ON event_names (name);

-- The versions that have a code. NULL where a code is free; the version that takes it next is known in events received
-- from `known_from` on, NULL for all.
CREATE TABLE app_versions (
    id BIGINT NOT NULL PRIMARY KEY,
    version TEXT COLLATE "C",
    known_from BIGINT
);

CREATE UNIQUE INDEX idx_app_versions_version ON app_versions (version);

-- One row a commit, numbered as they come. `events` is packed; its first byte tells the layout. `received_at` is the
-- latest of the block, `last_occurred_at` the latest moment of its events.
CREATE TABLE event_blocks (
    id BIGINT NOT NULL PRIMARY KEY,
    received_at BIGINT NOT NULL,
    last_occurred_at BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    events BYTEA NOT NULL
);

CREATE INDEX idx_event_blocks_received_at ON event_blocks (received_at);

ALTER TABLE event_blocks ALTER COLUMN events SET STORAGE EXTERNAL;

-- One row. `last_block_id`: the newest block ever written. The ids of blocks up to `indexed_block_id` are in the runs
-- below. `run_revision` grows whenever the runs change. `id_seed` keys the hashes of the runs' filters.
-- `complete_from`: every event that occurred from then on is still there; null while no block was ever purged.
CREATE TABLE event_log (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    last_block_id BIGINT NOT NULL,
    indexed_block_id BIGINT NOT NULL,
    run_revision BIGINT NOT NULL,
    id_seed BYTEA NOT NULL CHECK (length(id_seed) = 16),
    complete_from BIGINT
);

INSERT INTO event_log (id, last_block_id, indexed_block_id, run_revision, id_seed, complete_from)
VALUES (1, 0, 0, 0, decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), NULL);

-- Sorted runs of ids. `state`: 0 in use, 1 being written from those whose `merged_into` names it, 2 to be removed.
CREATE TABLE event_id_runs (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    level BIGINT NOT NULL,
    state BIGINT NOT NULL,
    merged_into BIGINT,
    newest_received_at BIGINT NOT NULL
);

-- A stretch of a run: chunks numbered in a row from `first_chunk_id`, the first id of each, and a filter that says
-- which ids are certainly not in it.
CREATE TABLE event_id_segments (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    run_id BIGINT NOT NULL,
    id_count BIGINT NOT NULL,
    first_chunk_id BIGINT NOT NULL,
    last_event_id BYTEA NOT NULL CHECK (length(last_event_id) = 16),
    first_event_ids BYTEA NOT NULL,
    filter BYTEA NOT NULL
);

CREATE INDEX idx_event_id_segments_run_id ON event_id_segments (run_id);

ALTER TABLE event_id_segments ALTER COLUMN filter SET STORAGE EXTERNAL;

-- Up to 252 sorted ids of 16 bytes, 4 KiB.
CREATE TABLE event_id_chunks (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    ids BYTEA NOT NULL
);

ALTER TABLE event_id_chunks ALTER COLUMN ids SET STORAGE EXTERNAL;

-- One row for each discard, kept for good. `finished_at` is null while a discard is under way; at most one is.
-- `selection` is JSON. Only blocks up to `through_block_id` are searched; those up to `swept_block_id` are done.
-- `step_count` grows with each transaction, so that a process sees that another one has gone on. `rearmed_thresholds`
-- is a JSON array.
CREATE TABLE event_discards (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    selection TEXT COLLATE "C" NOT NULL,
    actor_name TEXT COLLATE "C" NOT NULL,
    begun_at BIGINT NOT NULL,
    finished_at BIGINT,
    through_block_id BIGINT NOT NULL,
    swept_block_id BIGINT NOT NULL,
    step_count BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    removed_user_count BIGINT NOT NULL,
    reduced_user_count BIGINT NOT NULL,
    users_before BIGINT NOT NULL,
    conversions_before BIGINT NOT NULL,
    subscriptions_before BIGINT NOT NULL,
    rearmed_thresholds TEXT COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX idx_event_discards_under_way ON event_discards ((finished_at IS NULL)) WHERE finished_at IS NULL;

"""#,
            checksum: "951f2f50f86cd316cc7a9c032f9daf31b4276ecf3e2b55cd12524a56e63c24db"),
        Migration(
            number: 6, slug: "figures",
            sql: #"""
-- What is counted from the log of events.

-- How far the log is in the figures. Blocks up to `folded_block_id` are, with their events up to `counted_until`. The
-- fold under way takes the blocks up to `folding_block_id` and events up to `folding_until`; the users whose keys are
-- up to `folded_key` are in their pages already.
CREATE TABLE event_folds (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    folded_block_id BIGINT NOT NULL,
    folding_block_id BIGINT NOT NULL,
    folding_until BIGINT NOT NULL,
    folded_key BIGINT,
    counted_until BIGINT NOT NULL
);

INSERT INTO event_folds (id, folded_block_id, folding_block_id, folding_until, folded_key, counted_until)
VALUES (1, 0, 0, -62135596800000, NULL, -62135596800000);

-- What the steps of a fold have counted, until its last step adds it to the figures.
CREATE TABLE fold_changes (
    number BIGINT NOT NULL PRIMARY KEY,
    changes BYTEA NOT NULL
);

-- Blocks in the figures but for events dated ahead, as a rebuild of the figures leaves them: `counted_until` is the
-- moment up to which they are, `next_at` that of the next one. The next fold copies these events into
-- `deferred_events`.
CREATE TABLE deferred_blocks (
    block_id BIGINT NOT NULL PRIMARY KEY,
    counted_until BIGINT NOT NULL,
    next_at BIGINT NOT NULL
);

-- Events dated ahead, whose blocks are in the figures but for them, in the order in which they become due.
-- `user_hash` is replaced with that of the event in its block; `place` only tells the events of a block apart.
CREATE TABLE deferred_events (
    occurred_at BIGINT NOT NULL,
    block_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    user_hash BYTEA NOT NULL,
    event_name_id BIGINT NOT NULL,
    item_id BYTEA,
    -- The codes of platform and version: 16 times that of the version, and that of the platform.
    segment BIGINT NOT NULL,
    PRIMARY KEY (occurred_at, block_id, place)
);

-- `users` is packed by the server. A page has the users whose keys are `first_key` or more, and less than that of the
-- next page.
CREATE TABLE user_pages (
    first_key BIGINT NOT NULL PRIMARY KEY,
    users BYTEA NOT NULL
) WITH (fillfactor = 50);

ALTER TABLE user_pages ALTER COLUMN users SET STORAGE PLAIN;

INSERT INTO user_pages (first_key, users)
VALUES (-9223372036854775808, '\x010000');

-- What holds for all time: users, users who converted, subscriptions added less removed. One row.
CREATE TABLE figure_totals (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    users BIGINT NOT NULL,
    conversions BIGINT NOT NULL,
    subscriptions BIGINT NOT NULL
);

INSERT INTO figure_totals (id, users, conversions, subscriptions)
VALUES (1, 0, 0, 0);

-- One row a day (days since 1970, UTC), kept for good. `users` through `retention_d30` count users by the day of their
-- signup: all of them, and those who bear the mark. The others count by their own moment: first conversions;
-- subscriptions added less removed; users first seen; users last seen; and the ends of absences less their beginnings,
-- where an absence of the 7 (30) days begins 7 (30) x 24 h after the user left and ends when they return.
CREATE TABLE figure_days (
    day_number BIGINT NOT NULL PRIMARY KEY,
    users BIGINT NOT NULL,
    downloads BIGINT NOT NULL,
    first_subscriptions BIGINT NOT NULL,
    five_subscriptions BIGINT NOT NULL,
    retention_d1 BIGINT NOT NULL,
    retention_d7 BIGINT NOT NULL,
    retention_d30 BIGINT NOT NULL,
    conversions BIGINT NOT NULL,
    subscriptions BIGINT NOT NULL,
    first_seen BIGINT NOT NULL,
    last_seen BIGINT NOT NULL,
    returns_7d BIGINT NOT NULL,
    returns_30d BIGINT NOT NULL
);

-- The counts of figure_days by the hour, of the last weeks.
CREATE TABLE figure_hours (
    hour_number BIGINT NOT NULL PRIMARY KEY,
    users BIGINT NOT NULL,
    downloads BIGINT NOT NULL,
    first_subscriptions BIGINT NOT NULL,
    five_subscriptions BIGINT NOT NULL,
    retention_d1 BIGINT NOT NULL,
    retention_d7 BIGINT NOT NULL,
    retention_d30 BIGINT NOT NULL,
    conversions BIGINT NOT NULL,
    subscriptions BIGINT NOT NULL,
    first_seen BIGINT NOT NULL,
    last_seen BIGINT NOT NULL,
    returns_7d BIGINT NOT NULL,
    returns_30d BIGINT NOT NULL
);

-- What was counted at which moment of an hour, packed, in runs that are merged as they become many.
CREATE TABLE figure_moments (
    hour_number BIGINT NOT NULL,
    number BIGINT NOT NULL,
    change_count BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    changes BYTEA NOT NULL,
    PRIMARY KEY (hour_number, number)
);

-- How the number of users changes who are active in the 1, 7, 28 or 30 days that end on a day: the number itself is the
-- sum over this day and all before.
CREATE TABLE activity_days (
    day_number BIGINT NOT NULL PRIMARY KEY,
    change_1d BIGINT NOT NULL,
    change_7d BIGINT NOT NULL,
    change_28d BIGINT NOT NULL,
    change_30d BIGINT NOT NULL
);

-- How many events of a name occurred on a day (UTC, counted in days since 1970-01-01). These totals outlive the raw
-- events, which are purged after a while.
CREATE TABLE event_days (
    event_name_id BIGINT NOT NULL,
    day_number BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    PRIMARY KEY (event_name_id, day_number)
);

-- How many users of a signup day reached the stages of the funnel, and how many days after the signup, packed by the
-- server. `dimension` is 0 for platforms and 1 for app versions, `segment` the code of one of them. A row counts
-- `day_count` days from `first_day` on: 1, or 16 so that long ranges take few rows.
CREATE TABLE funnel_days (
    dimension BIGINT NOT NULL,
    day_count BIGINT NOT NULL,
    first_day BIGINT NOT NULL,
    segment BIGINT NOT NULL,
    counts BYTEA NOT NULL,
    PRIMARY KEY (dimension, day_count, first_day, segment)
);

-- How often each item was added. The id is what devices say; what is not in the catalogue is counted and never shown.
CREATE TABLE item_additions (
    item_id BYTEA NOT NULL PRIMARY KEY CHECK (length(item_id) = 16),
    addition_count BIGINT NOT NULL
);

-- The ranking as it was computed last; devices and dashboards see one that changes once a day.
CREATE TABLE ranking_entries (
    item_id BYTEA NOT NULL PRIMARY KEY CHECK (length(item_id) = 16),
    addition_count BIGINT NOT NULL
);

CREATE TABLE ranking_refreshes (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    refreshed_at BIGINT NOT NULL,
    -- Every event of the blocks up to this one is in it.
    folded_block_id BIGINT NOT NULL
);

-- The rebuild under way, if any: `run` tells it from others. Until `ended_at` it holds the log as it is, if `seen_at`,
-- its last sign of life, is recent. The numbers are those of published figures, and NULL before. The row goes when
-- everything is cleared up.
CREATE TABLE figure_rebuilds (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    run BYTEA NOT NULL CHECK (length(run) = 16),
    actor_name TEXT COLLATE "C" NOT NULL,
    begun_at BIGINT NOT NULL,
    through_block_id BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    ended_at BIGINT,
    event_count BIGINT,
    users_before BIGINT,
    conversions_before BIGINT,
    subscriptions_before BIGINT,
    users_after BIGINT,
    conversions_after BIGINT,
    subscriptions_after BIGINT
);

-- What a rebuild has computed and not published, or has replaced and not removed; empty otherwise. Columns as in
-- `user_pages` and `figure_moments`.
CREATE TABLE rebuilt_user_pages (
    first_key BIGINT NOT NULL PRIMARY KEY,
    users BYTEA NOT NULL
) WITH (fillfactor = 100);

ALTER TABLE rebuilt_user_pages ALTER COLUMN users SET STORAGE PLAIN;

CREATE TABLE rebuilt_figure_moments (
    hour_number BIGINT NOT NULL,
    number BIGINT NOT NULL,
    change_count BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    changes BYTEA NOT NULL,
    PRIMARY KEY (hour_number, number)
);

-- Devices that asked for their events to be made anonymous, until that is done. The user's row bears `replacement_hash`
-- from the moment when it is set; `swept_block_id` tells up to which block of the event log it stands there, too, and
-- `last_block_id` up to which it has to.
CREATE TABLE analytics_erasures (
    user_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(user_hash) = 32),
    requested_at BIGINT NOT NULL,
    replacement_hash BYTEA CHECK (replacement_hash IS NULL OR length(replacement_hash) = 32),
    swept_block_id BIGINT NOT NULL DEFAULT 0,
    last_block_id BIGINT NOT NULL DEFAULT 0
);

"""#,
            checksum: "8338a98f4501a0e6fd6a8d15365be6f2108896d2f5256cde8d9936dfedcd2622"),
        Migration(
            number: 7, slug: "crashes",
            sql: #"""
-- Crash reports, grouped, and the sessions of releases.

-- A release is stored once. `name` is empty where the sender named none, and `(other)` takes what comes beyond the
-- most.
CREATE TABLE crash_releases (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    rank BIGINT NOT NULL DEFAULT 0,
    marks BIGINT NOT NULL DEFAULT 0,
    marked_day BIGINT NOT NULL DEFAULT 0,
    -- Deleted by an administrator. The row stays while sessions refer to it, so that they no longer count.
    is_deleted BIGINT NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1)),
    -- When the server first heard of the release.
    first_seen_at BIGINT
);

CREATE UNIQUE INDEX idx_crash_releases_name ON crash_releases (name) WHERE is_deleted = 0;

CREATE INDEX idx_crash_releases_rank ON crash_releases (rank);

-- Reports of the same fault. `group_key` is SHA-256 over what makes them the same.
CREATE TABLE crash_groups (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    group_key BYTEA NOT NULL CHECK (length(group_key) = 32),
    title TEXT COLLATE "C" NOT NULL,
    culprit TEXT COLLATE "C",
    platform TEXT COLLATE "C",
    level TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved', 'ignored')),
    event_count BIGINT NOT NULL,
    first_seen_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    -- It grows from group to group.
    number BIGINT NOT NULL DEFAULT 0,
    rank BIGINT NOT NULL DEFAULT 0,
    marks BIGINT NOT NULL DEFAULT 0,
    marked_day BIGINT NOT NULL DEFAULT 0,
    decided_at BIGINT,
    regressed_at BIGINT,
    revision BIGINT NOT NULL DEFAULT 1
);

CREATE UNIQUE INDEX idx_crash_groups_group_key ON crash_groups (group_key);

CREATE INDEX idx_crash_groups_last_seen_at_id ON crash_groups (last_seen_at, id);

CREATE INDEX idx_crash_groups_number ON crash_groups (number);

CREATE INDEX idx_crash_groups_status_rank ON crash_groups (status, rank);

CREATE TABLE crash_group_releases (
    group_id BYTEA NOT NULL REFERENCES crash_groups (id) ON DELETE CASCADE,
    release_id BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    PRIMARY KEY (group_id, release_id)
);

CREATE INDEX idx_crash_group_releases_release_id ON crash_group_releases (release_id);

-- Days (UTC, counted since 1970-01-01) on which the crashes happened.
CREATE TABLE crash_group_days (
    group_id BYTEA NOT NULL REFERENCES crash_groups (id) ON DELETE CASCADE,
    day_number BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    PRIMARY KEY (group_id, day_number)
);

-- The newest few reports of each group, scrubbed, as JSON.
CREATE TABLE crash_samples (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    group_id BYTEA NOT NULL REFERENCES crash_groups (id) ON DELETE CASCADE,
    occurred_at BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL
);

CREATE INDEX idx_crash_samples_group_id ON crash_samples (group_id);

-- Ids of what was stored, so that it counts once however often it is sent. The newest ones are kept, by number.
CREATE TABLE crash_receipts (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    receipt_id BYTEA NOT NULL CHECK (length(receipt_id) = 16)
);

CREATE UNIQUE INDEX idx_crash_receipts_receipt_id ON crash_receipts (receipt_id);

-- Sessions that may still change. A row goes when nothing can change it any more.
CREATE TABLE crash_sessions (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    session_id BYTEA NOT NULL CHECK (length(session_id) = 16),
    release_id BIGINT NOT NULL,
    hour_number BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    has_errors BIGINT NOT NULL
);

CREATE UNIQUE INDEX idx_crash_sessions_session_id ON crash_sessions (session_id);

-- Sessions by the hour (UTC, counted since 1970-01-01T00:00:00Z) in which they started.
CREATE TABLE session_hours (
    hour_number BIGINT NOT NULL,
    release_id BIGINT NOT NULL,
    session_count BIGINT NOT NULL,
    crashed_count BIGINT NOT NULL,
    abnormal_count BIGINT NOT NULL,
    errored_count BIGINT NOT NULL,
    PRIMARY KEY (hour_number, release_id)
);

CREATE INDEX idx_session_hours_release_id ON session_hours (release_id);

-- Sessions of the hours that were purged.
CREATE TABLE session_days (
    day_number BIGINT NOT NULL PRIMARY KEY,
    session_count BIGINT NOT NULL,
    crashed_count BIGINT NOT NULL
);

"""#,
            checksum: "ae8c72f995f6f8a51935e3090d1cb503573fe971f959e46d5c893dcb084ae5cc"),
        Migration(
            number: 8, slug: "alerts",
            sql: #"""
-- Thresholds, alert rules and what is sent because of them.

-- One row for each total that was ever configured, and never removed once it has fired: taking a threshold out of the
-- list and putting it back must not announce it a second time. `user_count` is how many users there were when it fired.
CREATE TABLE alert_thresholds (
    user_threshold BIGINT NOT NULL PRIMARY KEY CHECK (user_threshold > 0),
    is_active BIGINT NOT NULL CHECK (is_active IN (0, 1)),
    fired_at BIGINT,
    user_count BIGINT,
    CHECK ((fired_at IS NULL) = (user_count IS NULL))
);

-- A threshold fires once, unless a discard that is under way takes out the users who reached it.
CREATE FUNCTION alert_thresholds_refuse_second_firing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.fired_at IS NULL AND EXISTS (SELECT 1 FROM event_discards WHERE finished_at IS NULL) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a threshold fires once';
END;
$$;

CREATE TRIGGER alert_thresholds_refuse_second_firing BEFORE UPDATE OF fired_at, user_count ON alert_thresholds
FOR EACH ROW WHEN (OLD.fired_at IS NOT NULL) EXECUTE FUNCTION alert_thresholds_refuse_second_firing();

CREATE FUNCTION alert_thresholds_refuse_forgetting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a threshold that has fired is remembered';
END;
$$;

CREATE TRIGGER alert_thresholds_refuse_forgetting BEFORE DELETE ON alert_thresholds
FOR EACH ROW WHEN (OLD.fired_at IS NOT NULL) EXECUTE FUNCTION alert_thresholds_refuse_forgetting();

INSERT INTO alert_thresholds (user_threshold, is_active)
VALUES (1000, 1), (5000, 1), (10000, 1), (50000, 1), (100000, 1);

-- Grows with every change of the list, for If-Match.
CREATE TABLE alert_threshold_lists (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    revision BIGINT NOT NULL
);

INSERT INTO alert_threshold_lists (id, revision)
VALUES (1, 1);

-- One row a rule. `value_thousandths` is the value that the figure is compared with, `window_length` a text such as
-- 24h, NULL for a figure that is measured at a moment. `revision` grows with every change of the definition, for
-- If-Match. `state` is that of the last measurement, `announced_state` the one that was put in the outbox last: they
-- differ while the rule is muted. Both change in the transaction that puts a message in the outbox, so each crossing is
-- announced once.
CREATE TABLE alert_rules (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT COLLATE "C" NOT NULL,
    figure TEXT COLLATE "C" NOT NULL,
    comparison TEXT COLLATE "C" NOT NULL,
    value_thousandths BIGINT NOT NULL,
    window_length TEXT COLLATE "C",
    minimum_sample BIGINT NOT NULL CHECK (minimum_sample >= 0),
    muted_until BIGINT,
    revision BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'ok', 'firing')),
    announced_state TEXT COLLATE "C" NOT NULL CHECK (announced_state IN ('ok', 'firing')),
    changed_at BIGINT,
    evaluated_at BIGINT,
    measured_thousandths BIGINT,
    measured_sample BIGINT
);

CREATE UNIQUE INDEX idx_alert_rules_name ON alert_rules (name);

-- Grows with every change of the list, for If-Match.
CREATE TABLE alert_rule_lists (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    revision BIGINT NOT NULL
);

INSERT INTO alert_rule_lists (id, revision)
VALUES (1, 1);

-- One row: the Monday of the week in which the last digest was put in the outbox; NULL before the first one.
CREATE TABLE alert_digests (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    sent_week_on BIGINT
);

INSERT INTO alert_digests (id, sent_week_on)
VALUES (1, NULL);

-- One row: the level that was announced last, for all servers of the store.
CREATE TABLE storage_watch (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    level TEXT COLLATE "C" NOT NULL CHECK (level IN ('ok', 'nearly_full', 'full')),
    changed_at BIGINT
);

INSERT INTO storage_watch (id, level, changed_at)
VALUES (1, 'ok', NULL);

-- One row a message and channel. `next_attempt_at` is null when nothing more is to be done. Who works on a row holds a
-- lease; a lease that has run out belongs to a process that died, and the row is anybody's again. `earlier_attempts`
-- are those before the last resend, so that a resend begins the pauses anew and the total stays true. `target` is for
-- people and holds no secret; `is_forced` says that a person asked, so that a disabled channel is tried all the same.
CREATE TABLE alert_deliveries (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('threshold', 'test', 'storage', 'rule', 'digest')),
    user_threshold BIGINT REFERENCES alert_thresholds (user_threshold),
    user_count BIGINT,
    channel TEXT COLLATE "C" NOT NULL,
    target TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'delivered', 'retrying', 'dead')),
    is_forced BIGINT NOT NULL CHECK (is_forced IN (0, 1)),
    attempts BIGINT NOT NULL,
    earlier_attempts BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_attempt_at BIGINT,
    next_attempt_at BIGINT,
    delivered_at BIGINT,
    last_error TEXT COLLATE "C",
    lease_id BYTEA CHECK (lease_id IS NULL OR length(lease_id) = 16),
    lease_until BIGINT,
    storage_level TEXT COLLATE "C" CHECK (storage_level IN ('nearly_full', 'full')),
    storage_reason TEXT COLLATE "C" CHECK (storage_reason IN ('store', 'disk')),
    storage_bytes BIGINT,
    storage_limit_bytes BIGINT,
    -- Set when the threshold of a delivery was re-armed: the delivery stays in the list, and the next firing gets its
    -- own.
    withdrawn_at BIGINT,
    notice TEXT COLLATE "C",
    CHECK ((kind = 'threshold') = (user_threshold IS NOT NULL)),
    CHECK ((state IN ('pending', 'retrying')) = (next_attempt_at IS NOT NULL)),
    CHECK ((kind = 'storage') = (storage_level IS NOT NULL)),
    CHECK ((kind IN ('rule', 'digest')) = (notice IS NOT NULL))
);

CREATE INDEX idx_alert_deliveries_next_attempt_at ON alert_deliveries (next_attempt_at)
WHERE next_attempt_at IS NOT NULL;

CREATE UNIQUE INDEX idx_alert_deliveries_user_threshold_channel ON alert_deliveries (user_threshold, channel)
WHERE user_threshold IS NOT NULL AND withdrawn_at IS NULL;

-- For rules about failed deliveries.
CREATE INDEX idx_alert_deliveries_dead ON alert_deliveries (last_attempt_at) WHERE state = 'dead';

-- Channels that told us not to come again, by the hash of where they lead: another target is another channel.
CREATE TABLE alert_disabled_channels (
    channel TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    target_hash BYTEA NOT NULL CHECK (length(target_hash) = 32),
    disabled_at BIGINT NOT NULL,
    reason TEXT COLLATE "C" NOT NULL
);

"""#,
            checksum: "df48b99493633fe08b9260591d5e68d20fd583f3902b7ba57035a01fdb552f50"),
        Migration(
            number: 9, slug: "accounts",
            sql: #"""
-- Accounts signed in with Apple.

-- Nothing of a person but a number that only this store can make of Apple's: `subject_hash` is HMAC-SHA-256 of Apple's
-- subject under a key in `store_metadata`. `purchase_token` is made of it the same way and goes into purchases at the
-- App Store (appAccountToken); it is the same again when somebody erases the account and comes back, so that what they
-- paid for is not lost.
CREATE TABLE accounts (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    subject_hash BYTEA NOT NULL CHECK (length(subject_hash) = 32),
    purchase_token BYTEA NOT NULL CHECK (length(purchase_token) = 16),
    created_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX idx_accounts_subject_hash ON accounts (subject_hash);

CREATE UNIQUE INDEX idx_accounts_purchase_token ON accounts (purchase_token);

-- One row a sign-in. Revoking it takes its tokens along.
CREATE TABLE account_sessions (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account_id BYTEA NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL
);

CREATE INDEX idx_account_sessions_account_id ON account_sessions (account_id);

-- Access and refresh tokens by the SHA-256 of their text. `generation` counts the refreshes of a session; both tokens
-- of an answer bear the same. `used_at`: when an access token was first used, when a refresh token was spent. A spent
-- refresh token stays until it would have expired, so that one that comes again is known.
CREATE TABLE session_tokens (
    token_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    session_id BYTEA NOT NULL REFERENCES account_sessions (id) ON DELETE CASCADE,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('access', 'refresh')),
    generation BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);

CREATE INDEX idx_session_tokens_session_id ON session_tokens (session_id, generation);

CREATE INDEX idx_session_tokens_expires_at ON session_tokens (expires_at);

-- What may be used once: SHA-256 of identity tokens and of their nonces, and of the ids of Apple's account
-- notifications.
CREATE TABLE spent_proofs (
    proof_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(proof_hash) = 32),
    expires_at BIGINT NOT NULL
);

CREATE INDEX idx_spent_proofs_expires_at ON spent_proofs (expires_at);

"""#,
            checksum: "818e4e1b3b846b6388162b2b5fa3dfc35c9a1344c5f2e2ebc802d4ce92a37fbe"),
        Migration(
            number: 10, slug: "premium",
            sql: #"""
-- What accounts bought in the App Store.

-- One row a purchase: a subscription through all its renewals, or something bought once. `purchase_hash` is
-- HMAC-SHA-256 of Apple's originalTransactionId under the store's key. `account_id` is null while nobody has shown the
-- purchase to this server. The columns through `is_upgraded` are what the latest signed transaction says, the next two
-- what the latest renewal information says; the …_signed_at tell which is the latest.
CREATE TABLE purchases (
    purchase_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(purchase_hash) = 32),
    account_id BYTEA REFERENCES accounts (id) ON DELETE CASCADE,
    product_id TEXT COLLATE "C" NOT NULL,
    is_family_shared BIGINT NOT NULL CHECK (is_family_shared IN (0, 1)),
    purchased_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    is_refund BIGINT NOT NULL CHECK (is_refund IN (0, 1)),
    is_upgraded BIGINT NOT NULL CHECK (is_upgraded IN (0, 1)),
    grace_expires_at BIGINT,
    is_in_billing_retry BIGINT NOT NULL CHECK (is_in_billing_retry IN (0, 1)),
    transaction_signed_at BIGINT NOT NULL,
    renewal_signed_at BIGINT,
    notified_at BIGINT,
    updated_at BIGINT NOT NULL
);

CREATE INDEX idx_purchases_account_id ON purchases (account_id);

CREATE INDEX idx_purchases_updated_at ON purchases (updated_at);

-- Notifications of the App Store, to know one again that is sent twice.
CREATE TABLE app_store_notifications (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    notification_type TEXT COLLATE "C" NOT NULL,
    subtype TEXT COLLATE "C",
    signed_at BIGINT NOT NULL,
    received_at BIGINT NOT NULL
);

CREATE INDEX idx_app_store_notifications_received_at ON app_store_notifications (received_at);

"""#,
            checksum: "c6e821df2be45ce80d5395620fca548c0adcd9bfe6441d17fb1ee68f28cebacc"),
        Migration(
            number: 11, slug: "console",
            sql: #"""
-- Sign-in to the console.

-- One row a session. `secret_hash` is SHA-256 of 256 random bits, which only the browser's cookie holds. The session
-- may do what its token may do at the moment of each request. `last_used_at` is exact to the minute; `confirmed_at` is
-- when the token was entered last.
CREATE TABLE console_sessions (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    secret_hash BYTEA NOT NULL CHECK (length(secret_hash) = 32),
    token_id BYTEA NOT NULL REFERENCES access_tokens (id),
    browser TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX idx_console_sessions_secret_hash ON console_sessions (secret_hash);

CREATE INDEX idx_console_sessions_token_id ON console_sessions (token_id);

-- One row a link that was not used yet. `code_hash` is SHA-256 of the random part of its address.
CREATE TABLE console_links (
    code_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(code_hash) = 32),
    token_id BYTEA NOT NULL REFERENCES access_tokens (id),
    expires_at BIGINT NOT NULL
);

-- What forms of the console did, as JSON, so that every server can undo it. `id` is a hash of the form.
CREATE TABLE console_notices (
    session_id BYTEA NOT NULL REFERENCES console_sessions (id) ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    location TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (session_id, id)
);

-- One row a passkey. It signs in as its token, and is deleted when the token is revoked. `public_key` is COSE as the
-- authenticator sent it; `user_handle` are 32 random bytes, the same for all passkeys of a token; `sign_count` is that
-- of the latest sign-in, 0 for authenticators that do not count; `verifies_user` says whether the authenticator
-- verified its user when the passkey was made.
CREATE TABLE console_passkeys (
    id BYTEA NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    token_id BYTEA NOT NULL REFERENCES access_tokens (id),
    name TEXT COLLATE "C" NOT NULL,
    relying_party TEXT COLLATE "C" NOT NULL,
    credential_id BYTEA NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1023),
    user_handle BYTEA NOT NULL CHECK (length(user_handle) = 32),
    public_key BYTEA NOT NULL,
    sign_count BIGINT NOT NULL,
    verifies_user BIGINT NOT NULL CHECK (verifies_user IN (0, 1)),
    created_at BIGINT NOT NULL,
    last_used_at BIGINT
);

CREATE UNIQUE INDEX idx_console_passkeys_credential_id ON console_passkeys (credential_id);

CREATE INDEX idx_console_passkeys_token_id ON console_passkeys (token_id);

-- One row a challenge that was not answered yet. `challenge_hash` is SHA-256 of its text. `token_id` and `user_handle`
-- belong to a registration; without them, it is that of a sign-in.
CREATE TABLE console_challenges (
    challenge_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(challenge_hash) = 32),
    token_id BYTEA REFERENCES access_tokens (id),
    user_handle BYTEA CHECK (length(user_handle) = 32),
    expires_at BIGINT NOT NULL
);

CREATE INDEX idx_console_challenges_expires_at ON console_challenges (expires_at);

-- One row a sign-in that has not come back from the provider yet. `state_hash` is SHA-256 of the value that travels
-- through the provider, `browser_hash` that of the secret in the browser's cookie; the nonce and the PKCE verifier are
-- derived from both, so that this table alone is of no use. `next` is the page to open afterwards.
CREATE TABLE console_openid_pending (
    state_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(state_hash) = 32),
    browser_hash BYTEA NOT NULL CHECK (length(browser_hash) = 32),
    next TEXT COLLATE "C",
    expires_at BIGINT NOT NULL
);

CREATE INDEX idx_console_openid_pending_expires_at ON console_openid_pending (expires_at);

-- The access token of each person who has signed in. `subject_hash` is SHA-256 of issuer and subject. Nobody knows the
-- secret of such a token: it is only the author and the role of sessions. `grant_hash` is SHA-256 of what gave the role
-- at the last sign-in: issuer, client and rule. Sessions end when the settings have that no more.
CREATE TABLE console_openid_people (
    subject_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(subject_hash) = 32),
    token_id BYTEA NOT NULL REFERENCES access_tokens (id),
    grant_hash BYTEA NOT NULL CHECK (length(grant_hash) = 32)
);

CREATE UNIQUE INDEX idx_console_openid_people_token_id ON console_openid_people (token_id);

"""#,
            checksum: "96fc5f625f0e93e9da2fef3c1833dac45ea095fc50a55d1db1cac5d017b78547"),
        Migration(
            number: 12, slug: "reference-rates",
            sql: #"""
-- The reference rates of the European Central Bank.

-- Exchange rates that the server fetches from `rates_url`: units of a currency for one euro, as decimal text. Days are
-- counted since 1970-01-01.
CREATE TABLE reference_rates (
    day_number BIGINT NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    rate TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (day_number, currency)
);

"""#,
            checksum: "32899eb3c6abd4e5254ae225b5f20500d7730e27aaf832150b110230b9e53b53"),
        Migration(
            number: 13, slug: "event-sink",
            sql: #"""
-- How far the copy of the log in ClickHouse has come.

-- One row once a server has had a sink. Blocks up to `cursor_block_id` were sent. `next_user_number` is that of the
-- next user without one. `revision` grows when a user gets another hash. `table_number` is that of the table in
-- ClickHouse. `seen_at`: when a server with a sink last looked; while that is recent, blocks behind the cursor stay.
CREATE TABLE event_sinks (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    cursor_block_id BIGINT NOT NULL,
    next_user_number BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    table_number BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

-- The ledger: of each range of blocks the events of one week for one shard, written before they are sent. Sums are kept
-- modulo 2^64. `week` is the number of its Monday, in days since 1970-01-01; `sent_at` is NULL until the shard has
-- them.
CREATE TABLE event_sink_parts (
    table_number BIGINT NOT NULL,
    range_number BIGINT NOT NULL,
    shard BIGINT NOT NULL,
    week BIGINT NOT NULL,
    shard_count BIGINT NOT NULL,
    first_block_id BIGINT NOT NULL,
    last_block_id BIGINT NOT NULL,
    event_count BIGINT NOT NULL,
    moment_sum BIGINT NOT NULL,
    received_sum BIGINT NOT NULL,
    user_sum BIGINT NOT NULL,
    id_sum BIGINT NOT NULL,
    text_sum BIGINT NOT NULL,
    sent_at BIGINT,
    PRIMARY KEY (table_number, range_number, shard, week)
);

CREATE INDEX idx_event_sink_parts_unsent ON event_sink_parts (range_number) WHERE sent_at IS NULL;

-- The numbers that stand for users in ClickHouse. Who asks to be forgotten gets another hash here; the number stays.
CREATE TABLE event_sink_users (
    user_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(user_hash) = 32),
    number BIGINT NOT NULL
);

-- The user of a number, for events that are read from ClickHouse.
CREATE UNIQUE INDEX idx_event_sink_users_number ON event_sink_users (number);

"""#,
            checksum: "65a069c03eb8af4e210100d6055b16b176762c02e6672aa70ab5f8ccd8e63ba2"),
        Migration(
            number: 14, slug: "sandbox-purchases",
            sql: #"""
-- Oldest reader: 13
-- Where the App Store made a purchase: for customers, or for testers without money.

ALTER TABLE purchases ADD COLUMN environment TEXT COLLATE "C" NOT NULL DEFAULT 'production'
    CHECK (environment IN ('production', 'sandbox'));

"""#,
            checksum: "fc796a17794f1254288f5627d6c62ae2e6e5cc4dd2752d958684167780fb531e"),
        Migration(
            number: 15, slug: "probe-of-a-batch",
            sql: #"""
-- Oldest reader: 13
-- The readiness check writes as much as a batch of events: one row would still fit on a disk that has no room for one.

ALTER TABLE health_probe ADD COLUMN ballast BYTEA;

"""#,
            checksum: "1fade1f5327197ed3f53559bb0dc2bcf039bccb9f9136d7fa7b926b679e21034"),
        Migration(
            number: 16, slug: "alert-receivers",
            sql: #"""
-- Oldest reader: 13
-- Several receivers of each channel. `target_hash` says for which of them a delivery is, by the hash of its address; NULL
-- is any receiver of the channel, as before.

ALTER TABLE alert_deliveries ADD COLUMN target_hash BYTEA
    CHECK (target_hash IS NULL OR length(target_hash) = 32);

DROP INDEX idx_alert_deliveries_user_threshold_channel;

CREATE UNIQUE INDEX idx_alert_deliveries_user_threshold_target
ON alert_deliveries (user_threshold, channel, COALESCE(target_hash, '\x'::BYTEA))
WHERE user_threshold IS NOT NULL AND withdrawn_at IS NULL;

-- Takes the place of `alert_disabled_channels`, which has one receiver of each channel and is for older programs.
CREATE TABLE alert_disabled_targets (
    target_hash BYTEA NOT NULL PRIMARY KEY CHECK (length(target_hash) = 32),
    disabled_at BIGINT NOT NULL,
    reason TEXT COLLATE "C" NOT NULL
);

INSERT INTO alert_disabled_targets (target_hash, disabled_at, reason)
SELECT target_hash, disabled_at, reason FROM alert_disabled_channels;

"""#,
            checksum: "86b5883285e17d8d00ffff7e031f89fac21bebba573fe549bf545e4a8d0f22fc"),
        Migration(
            number: 17, slug: "crash-symbols",
            sql: #"""
-- Oldest reader: 13
-- Names of functions, as operators upload them for an image, and the groups of crashes that they make one.

-- Addresses count as in the list; the image begins at `base`. A file that is being received is not complete.
CREATE TABLE crash_symbol_files (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    debug_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    architecture TEXT COLLATE "C",
    format TEXT COLLATE "C" NOT NULL,
    base BIGINT NOT NULL,
    has_underscores BIGINT NOT NULL CHECK (has_underscores IN (0, 1)),
    function_count BIGINT NOT NULL,
    part_count BIGINT NOT NULL,
    byte_count BIGINT NOT NULL,
    stored_bytes BIGINT NOT NULL,
    uploaded_at BIGINT NOT NULL,
    uploaded_by TEXT COLLATE "C" NOT NULL,
    is_complete BIGINT NOT NULL DEFAULT 0 CHECK (is_complete IN (0, 1))
);

CREATE UNIQUE INDEX idx_crash_symbol_files_debug_id ON crash_symbol_files (debug_id) WHERE is_complete = 1;

-- Functions in the order of their addresses, compressed. Each part of a file is sorted by itself.
CREATE TABLE crash_symbol_pages (
    file_id BIGINT NOT NULL REFERENCES crash_symbol_files (id) ON DELETE CASCADE,
    part BIGINT NOT NULL,
    first_address BIGINT NOT NULL,
    body BYTEA NOT NULL,
    PRIMARY KEY (file_id, part, first_address)
);

-- SHA-256 over what makes reports the same once functions have names; NULL without names.
ALTER TABLE crash_groups ADD COLUMN symbol_key BYTEA CHECK (symbol_key IS NULL OR length(symbol_key) = 32);

-- The group that counts this one's reports too, because names made them one; NULL for a group of its own.
ALTER TABLE crash_groups ADD COLUMN merged_into BYTEA;

-- Names do not make it one with others again: an administrator has parted them.
ALTER TABLE crash_groups ADD COLUMN is_parted BIGINT NOT NULL DEFAULT 0 CHECK (is_parted IN (0, 1));

CREATE INDEX idx_crash_groups_symbol_key ON crash_groups (symbol_key) WHERE symbol_key IS NOT NULL;

CREATE INDEX idx_crash_groups_merged_into ON crash_groups (merged_into) WHERE merged_into IS NOT NULL;

"""#,
            checksum: "445ff7a8ffd165902f115fdabf4d7ff49e96c3237a61275e71c4d4b7663d404f"),
        Migration(
            number: 18, slug: "token-families",
            sql: #"""
-- Oldest reader: 13
-- A token and all that replaced it. At most two of a family are valid at a time, and revoking one revokes all.

-- The first token of the family; NULL for a token that replaced none.
ALTER TABLE access_tokens ADD COLUMN family_id BYTEA CHECK (family_id IS NULL OR length(family_id) = 16);

CREATE INDEX idx_access_tokens_family_id ON access_tokens (family_id) WHERE family_id IS NOT NULL;

"""#,
            checksum: "b4cd94ee516559492f9f5db065b0417b4adc5041df756a18bc092d891cc4621f"),
        Migration(
            number: 19, slug: "report-zones",
            sql: #"""
-- Oldest reader: 13
-- The time zones in which days of the figures are cut; no row for UTC.

-- `first_day` is counted from the epoch, and begins at `starts_at`. Days before it keep the cut of the row before.
CREATE TABLE report_zones (
    starts_at BIGINT NOT NULL PRIMARY KEY,
    zone TEXT NOT NULL,
    first_day BIGINT NOT NULL
);

"""#,
            checksum: "ad151bb0507a9a4c7b8d396a745e88769a51d4f45460076dd6291364e3a00092"),
        Migration(
            number: 20, slug: "recounts",
            sql: #"""
-- Oldest reader: 13
-- Counting days anew in another time zone where raw events were purged.

-- Nothing is counted until it ends, because it changes what is stored instead of replacing it.
ALTER TABLE figure_rebuilds ADD COLUMN holds_counting BIGINT NOT NULL DEFAULT 0 CHECK (holds_counting IN (0, 1));

"""#,
            checksum: "d79b1b283c5b0e278fac7be173337168dbae57641cbcd3403640a68933ab11c1"),
        Migration(
            number: 21, slug: "deferred-users",
            sql: #"""
-- Oldest reader: 13
-- Events dated ahead by their user, so that an erasure finds those of a device without reading all.

CREATE INDEX idx_deferred_events_user_hash ON deferred_events (user_hash);

"""#,
            checksum: "26c8d41f2f1a7ffbe398df5cb1664ccd985d84e4903436e0c79d07096bc59cee"),
        Migration(
            number: 22, slug: "granted-premium",
            sql: #"""
-- Oldest reader: 13
-- Premium that the operator gave to an account, until the end of a day in UTC.

CREATE TABLE premium_grants (
    account_id BYTEA NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    -- Days since 1970-01-01.
    until_on BIGINT NOT NULL,
    note TEXT COLLATE "C",
    granted_at BIGINT NOT NULL
);

"""#,
            checksum: "eeaaacfd6a7fd94f906963d7925ce9d3cce0c6fd2160b298d8c2c9834f8a672b"),
        Migration(
            number: 23, slug: "distinct-items",
            sql: #"""
-- Oldest reader: 13
-- Pairs of items that look alike and that an operator declared to be different services.

CREATE TABLE catalogue_distinct_pairs (
    first_id BYTEA NOT NULL CHECK (length(first_id) = 16),
    second_id BYTEA NOT NULL CHECK (length(second_id) = 16),
    decided_at BIGINT NOT NULL,
    PRIMARY KEY (first_id, second_id)
);

CREATE INDEX idx_catalogue_distinct_pairs_second_id ON catalogue_distinct_pairs (second_id);

"""#,
            checksum: "5af8915baf77bd63e7ab190da268f7ca9fff8071ff6f3ef691e5551eb03f7270"),
        Migration(
            number: 24, slug: "failed-jobs",
            sql: #"""
-- Oldest reader: 13
-- When the last run of a job failed; NULL after one that did not.

ALTER TABLE job_leases ADD COLUMN failed_at BIGINT;

"""#,
            checksum: "d9e4bc2f153343d451296f77c87418e138ce8a154fe5616bc3bf7598b5dc383c"),
        Migration(
            number: 25, slug: "repeated-erasures",
            sql: #"""
-- Oldest reader: 13
-- When a device asked again to make its events anonymous, while the sweep for its first request ran: what it reported
-- meanwhile lies beyond that sweep. NULL if it did not. A program that does not know the column loses the second
-- request.

ALTER TABLE analytics_erasures ADD COLUMN repeated_at BIGINT;

"""#,
            checksum: "a49689bfebda065dbbf9349af53322f6bd929cbfda4eb33c8a8dd13cdfa82829"),
        Migration(
            number: 26, slug: "revoked-tokens",
            sql: #"""
-- Oldest reader: 13
-- Tokens that are revoked whatever the time is. Without this, `revoked_at` is the end of a replaced token's grace, or a
-- revocation by a program that does not know the column.

ALTER TABLE access_tokens ADD COLUMN is_revoked BIGINT NOT NULL DEFAULT 0 CHECK (is_revoked IN (0, 1));

"""#,
            checksum: "8092666e62d0853a83350b3c1e0db989138f75abd56731aabc7969c5225b222c"),
        Migration(
            number: 27, slug: "claims-of-changes",
            sql: #"""
-- Oldest reader: 13
-- The claim of an Idempotency-Key under which a change was made; NULL without one. Clients choose `request_id` and may
-- use one twice, so it cannot tell whether a request was carried out. Not part of the hash.

ALTER TABLE audit_entries ADD COLUMN claim_id TEXT;

"""#,
            checksum: "169e81ca443fe9669aaaa8501d95bce7f81f39e49a4027f6fe6369d3d935b12d"),
        Migration(
            number: 28, slug: "bounds",
            sql: #"""
-- Oldest reader: 13
-- Bounds of what would go on: of a search in the audit log, and of the replacements of a token.

-- The length of the audit log when the request began; its change comes after it. NULL of a program that does not know
-- the column.
ALTER TABLE idempotent_answers ADD COLUMN audit_count BIGINT;

-- The expiry of the token that created this one, which no replacement outlives. NULL without one.
ALTER TABLE access_tokens ADD COLUMN latest_end BIGINT;

"""#,
            checksum: "98e731fe6a99cc1646a0e84dd036b54a9b295cec227a848f2bafded6a60827c0"),
        Migration(
            number: 29, slug: "changed-users",
            sql: #"""
-- Oldest reader: 13
-- A fold that was prepared in advance is void once anything but a fold has changed stored users.

-- Increases with each erasure, discard and rebuild that changes stored users or deferred events.
ALTER TABLE event_folds ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;

"""#,
            checksum: "fed8515675e055163ed34495a89e1879c175826eded8cf2ca8ce89a7c8ad891f"),
    ]
}
