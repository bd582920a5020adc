// swift-format-ignore-file
// Made by Scripts/generate from Migrations/sqlite. Do not edit.

package import SQLDatabase

/// The schema of an SQLite store, as it is in `Migrations/sqlite`.
package enum SQLiteMigrations {
    package static let all: [Migration] = [
        Migration(
            number: 1, slug: "store",
            sql: #"""
-- What the store knows about itself.
--
-- Conventions of every table here: STRICT, so that a column holds the type it says; snake_case plurals; instants are
-- whole milliseconds since 1970-01-01T00:00:00Z in INTEGER columns named …_at; ids are the 16 bytes of a UUID.

-- `epoch`: 8 random bytes made on first open. They mark this very store, so that a sync token or an ETag given out by
-- another one (a restored copy, a fresh installation) is recognised as foreign.
CREATE TABLE store_metadata (
    key TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

-- Readiness really writes: one row, overwritten, so that probing never grows the store.
CREATE TABLE health_probe (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    write_count INTEGER NOT NULL,
    probed_at INTEGER
) STRICT;

INSERT INTO health_probe (id, write_count, probed_at)
VALUES (1, 0, NULL);

-- Work that recurs and that one server does for all: one row a job. Whoever finds a job due takes the lease, does the
-- work and says when it is due again. A lease that has run out belongs to a process that died, and the job is anybody's
-- again.
CREATE TABLE job_leases (
    job TEXT NOT NULL PRIMARY KEY,
    due_at INTEGER NOT NULL,
    lease_id BLOB CHECK (lease_id IS NULL OR length(lease_id) = 16),
    lease_until INTEGER,
    CHECK ((lease_id IS NULL) = (lease_until IS NULL))
) STRICT, WITHOUT ROWID;

-- When each kind of data was last purged, for the privacy page.
CREATE TABLE retention_runs (
    subject TEXT NOT NULL PRIMARY KEY,
    ran_at INTEGER NOT NULL,
    removed_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

"""#,
            checksum: "77c1f0216f9b910650cd9156e07afa0e2811072d54036f1ae6896c0b8e119c23"),
        Migration(
            number: 2, slug: "access",
            sql: #"""
-- Who may change things, and the record of who did.

-- Roles of the operator's own. The built-in ones are in the program and never here. `permissions` are their names on
-- the wire, in the order of the program's table, parted by blanks.
CREATE TABLE access_roles (
    name TEXT NOT NULL PRIMARY KEY,
    permissions TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The secret itself is never stored, only its SHA-256. The hint is the first characters of the token, enough to tell
-- two apart in a list and far too little to guess the rest. Revoked and expired rows stay: the audit log names them.
CREATE TABLE access_tokens (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    hint TEXT NOT NULL,
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;

CREATE UNIQUE INDEX idx_access_tokens_secret_hash ON access_tokens (secret_hash);

-- One row a change, written in the transaction of the change. `hash` is SHA-256 over the previous row's hash and the
-- canonical bytes of this row, so that an edit anywhere breaks the chain from there on. `sequence` has no gaps.
CREATE TABLE audit_entries (
    sequence INTEGER NOT NULL PRIMARY KEY,
    happened_at INTEGER NOT NULL,
    actor_token_id BLOB CHECK (actor_token_id IS NULL OR length(actor_token_id) = 16),
    actor_name TEXT NOT NULL,
    request_id TEXT,
    action TEXT NOT NULL,
    subject_id BLOB CHECK (subject_id IS NULL OR length(subject_id) = 16),
    before_json TEXT,
    after_json TEXT,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- The history of one thing is read out of the log.
CREATE INDEX idx_audit_entries_subject_id ON audit_entries (subject_id, sequence) WHERE subject_id IS NOT NULL;

-- Authors of the audit log by name, without reading its rows.
CREATE INDEX idx_audit_entries_actor_name ON audit_entries (actor_name, sequence);

CREATE TRIGGER audit_entries_refuse_update BEFORE UPDATE ON audit_entries
BEGIN
    SELECT RAISE(ABORT, 'audit_entries is append-only');
END;

CREATE TRIGGER audit_entries_refuse_delete BEFORE DELETE ON audit_entries
BEGIN
    SELECT RAISE(ABORT, 'audit_entries is append-only');
END;

-- INSERT OR REPLACE deletes the old row without asking the trigger above.
CREATE TRIGGER audit_entries_refuse_replace BEFORE INSERT ON audit_entries
WHEN EXISTS (SELECT 1 FROM audit_entries WHERE sequence = NEW.sequence)
BEGIN
    SELECT RAISE(ABORT, 'audit_entries is append-only');
END;

-- Where the chain ends. Without it, rows cut off the end would leave a shorter chain that is whole in itself. It also
-- makes an append cost the same at any length.
CREATE TABLE audit_heads (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    entry_count INTEGER NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TRIGGER audit_heads_refuse_delete BEFORE DELETE ON audit_heads
BEGIN
    SELECT RAISE(ABORT, 'audit_heads keeps its row');
END;

INSERT INTO audit_heads (id, entry_count, hash)
VALUES (1, 0, X'0000000000000000000000000000000000000000000000000000000000000000');

-- Answers to requests that bore an Idempotency-Key, for a day. The key is kept as its hash; the answer is sealed with a
-- key made of the caller's token, of which the store knows only a hash, so that nothing of it can be read here. Until
-- there is an answer the row says that the request runs, at most until `lease_until`.
CREATE TABLE idempotent_answers (
    token_id BLOB NOT NULL CHECK (length(token_id) = 16),
    key_hash BLOB NOT NULL CHECK (length(key_hash) = 32),
    fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
    request_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    sealed_answer BLOB,
    PRIMARY KEY (token_id, key_hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_idempotent_answers_started_at ON idempotent_answers (started_at);

"""#,
            checksum: "e75e39ad0cf2a24ccf65cd9334f12b11e679d7449efc73749f5ad1b7a586bd60"),
        Migration(
            number: 3, slug: "catalogue",
            sql: #"""
-- The catalogue of services.

-- One monotonic counter for the whole catalogue, bumped in the transaction of each change, so that "what changed since
-- revision n" has one answer. A clock could run backwards or stand still; this cannot. Changes after revision `horizon`
-- are known whole; of earlier deletions the tombstones may be purged.
CREATE TABLE catalogue_counters (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL,
    horizon INTEGER NOT NULL,
    CHECK (horizon <= revision)
) STRICT;

INSERT INTO catalogue_counters (id, revision, horizon)
VALUES (1, 0, 0);

-- `sort_name` is the name folded (case, accents), so that lists sort as people read. `search_text` is the folded name,
-- slug and aliases, one a line, for infix search by administrators. `aliases` is a JSON array of strings. The amount is
-- in minor units of its currency.
CREATE TABLE catalogue_items (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    search_text TEXT NOT NULL,
    category TEXT NOT NULL,
    typical_amount_minor_units INTEGER NOT NULL,
    currency TEXT NOT NULL,
    billing_cycle TEXT NOT NULL,
    website TEXT,
    logo_url TEXT,
    cancel_url TEXT,
    notice_days INTEGER,
    aliases TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    revision INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_catalogue_items_slug ON catalogue_items (slug);

-- What changed since a revision, without reading the whole catalogue.
CREATE INDEX idx_catalogue_items_revision ON catalogue_items (revision);

CREATE INDEX idx_catalogue_items_logo_url ON catalogue_items (logo_url) WHERE logo_url IS NOT NULL;

-- A deleted or merged item leaves its id, so that devices learn of it. `merged_into` is null for a plain deletion.
CREATE TABLE catalogue_tombstones (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    merged_into BLOB CHECK (merged_into IS NULL OR length(merged_into) = 16),
    revision INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_catalogue_tombstones_revision ON catalogue_tombstones (revision);

CREATE INDEX idx_catalogue_tombstones_merged_into ON catalogue_tombstones (merged_into) WHERE merged_into IS NOT NULL;

-- Logo files by their content's hash. `released_at`: since when no item shows it; after a while the file goes.
CREATE TABLE catalogue_logos (
    file_name TEXT NOT NULL PRIMARY KEY,
    byte_count INTEGER NOT NULL,
    stored_at INTEGER NOT NULL,
    released_at INTEGER
) STRICT, WITHOUT ROWID;

-- The contents of logos, for stores without a folder beside them. An SQLite store has one, which its backups hold, so
-- this table stays empty here; it is here so that both databases have the same tables.
CREATE TABLE catalogue_logo_contents (
    file_name TEXT NOT NULL PRIMARY KEY,
    content BLOB NOT NULL
) STRICT;

"""#,
            checksum: "fe4addb37fb291ad9514fc7ebf3d60a1c90b64d2d8369eb1f97feb018d13ea64"),
        Migration(
            number: 4, slug: "suggestions",
            sql: #"""
-- Services that the community suggests.

-- Moderation works on groups of the same name (case and accents folded). `name` is the first spelling that came.
CREATE TABLE suggestion_groups (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    normalised_name TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
    suggestion_count INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    -- Which item an approved suggestion became, and when it was decided on.
    item_id BLOB CHECK (item_id IS NULL OR length(item_id) = 16),
    decided_at INTEGER
) STRICT;

CREATE UNIQUE INDEX idx_suggestion_groups_normalised_name ON suggestion_groups (normalised_name);

CREATE INDEX idx_suggestion_groups_status_suggestion_count ON suggestion_groups (status, suggestion_count, id);

CREATE INDEX idx_suggestion_groups_item_id ON suggestion_groups (item_id) WHERE item_id IS NOT NULL;

-- The newest suggestions of a status, without sorting all of them.
CREATE INDEX idx_suggestion_groups_status_last_seen_at ON suggestion_groups (status, last_seen_at, id);

-- One row a suggestion, only to know its id again when a device sends its queue twice.
CREATE TABLE suggestions (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    group_id BLOB NOT NULL REFERENCES suggestion_groups (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX idx_suggestions_group_id ON suggestions (group_id);

"""#,
            checksum: "be0b33ba0a50c52f0def694b5801052ee1b00691346b17d8c4b738335e92783b"),
        Migration(
            number: 5, slug: "event-log",
            sql: #"""
-- The log of analytics events.

-- Names are stored once: an event row carries a small number instead of up to 27 bytes. Rows are added by the ingest
-- when it first meets a name of the registry, and never renumbered.
CREATE TABLE event_names (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_event_names_name ON event_names (name);

-- The versions that have a code. NULL where a code is free; the version that takes it next is known in events received
-- from `known_from` on, NULL for all.
CREATE TABLE app_versions (
    id INTEGER NOT NULL PRIMARY KEY,
    version TEXT,
    known_from INTEGER
) STRICT;

CREATE UNIQUE INDEX idx_app_versions_version ON app_versions (version);

-- One row a commit, numbered as they come. `events` is packed; its first byte tells the layout. `received_at` is the
-- latest of the block, `last_occurred_at` the latest moment of its events.
CREATE TABLE event_blocks (
    id INTEGER NOT NULL PRIMARY KEY,
    received_at INTEGER NOT NULL,
    last_occurred_at INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    events BLOB NOT NULL
) STRICT;

CREATE INDEX idx_event_blocks_received_at ON event_blocks (received_at);

-- One row. `last_block_id`: the newest block ever written. The ids of blocks up to `indexed_block_id` are in the runs
-- below. `run_revision` grows whenever the runs change. `id_seed` keys the hashes of the runs' filters.
-- `complete_from`: every event that occurred from then on is still there; null while no block was ever purged.
CREATE TABLE event_log (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    last_block_id INTEGER NOT NULL,
    indexed_block_id INTEGER NOT NULL,
    run_revision INTEGER NOT NULL,
    id_seed BLOB NOT NULL CHECK (length(id_seed) = 16),
    complete_from INTEGER
) STRICT;

INSERT INTO event_log (id, last_block_id, indexed_block_id, run_revision, id_seed, complete_from)
VALUES (1, 0, 0, 0, randomblob(16), NULL);

-- Sorted runs of ids. `state`: 0 in use, 1 being written from those whose `merged_into` names it, 2 to be removed.
CREATE TABLE event_id_runs (
    id INTEGER NOT NULL PRIMARY KEY,
    level INTEGER NOT NULL,
    state INTEGER NOT NULL,
    merged_into INTEGER,
    newest_received_at INTEGER NOT NULL
) STRICT;

-- A stretch of a run: chunks numbered in a row from `first_chunk_id`, the first id of each, and a filter that says
-- which ids are certainly not in it.
CREATE TABLE event_id_segments (
    id INTEGER NOT NULL PRIMARY KEY,
    run_id INTEGER NOT NULL,
    id_count INTEGER NOT NULL,
    first_chunk_id INTEGER NOT NULL,
    last_event_id BLOB NOT NULL CHECK (length(last_event_id) = 16),
    first_event_ids BLOB NOT NULL,
    filter BLOB NOT NULL
) STRICT;

CREATE INDEX idx_event_id_segments_run_id ON event_id_segments (run_id);

-- Up to 252 sorted ids of 16 bytes, which fill a page of 4 KiB.
CREATE TABLE event_id_chunks (
    id INTEGER NOT NULL PRIMARY KEY,
    ids BLOB NOT NULL
) STRICT;

-- One row for each discard, kept for good. `finished_at` is null while a discard is under way; at most one is.
-- `selection` is JSON. Only blocks up to `through_block_id` are searched; those up to `swept_block_id` are done.
-- `step_count` grows with each transaction, so that a process sees that another one has gone on. `rearmed_thresholds`
-- is a JSON array.
CREATE TABLE event_discards (
    id INTEGER NOT NULL PRIMARY KEY,
    selection TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    finished_at INTEGER,
    through_block_id INTEGER NOT NULL,
    swept_block_id INTEGER NOT NULL,
    step_count INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    removed_user_count INTEGER NOT NULL,
    reduced_user_count INTEGER NOT NULL,
    users_before INTEGER NOT NULL,
    conversions_before INTEGER NOT NULL,
    subscriptions_before INTEGER NOT NULL,
    rearmed_thresholds TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_event_discards_under_way ON event_discards ((finished_at IS NULL)) WHERE finished_at IS NULL;

"""#,
            checksum: "d11dc2ea4c2adddc0c59ed6187bc865144fdb5ac36a4b773668d1c3030703d12"),
        Migration(
            number: 6, slug: "figures",
            sql: #"""
-- What is counted from the log of events.

-- How far the log is in the figures. Blocks up to `folded_block_id` are, with their events up to `counted_until`. The
-- fold under way takes the blocks up to `folding_block_id` and events up to `folding_until`; the users whose keys are
-- up to `folded_key` are in their pages already.
CREATE TABLE event_folds (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    folded_block_id INTEGER NOT NULL,
    folding_block_id INTEGER NOT NULL,
    folding_until INTEGER NOT NULL,
    folded_key INTEGER,
    counted_until INTEGER NOT NULL
) STRICT;

INSERT INTO event_folds (id, folded_block_id, folding_block_id, folding_until, folded_key, counted_until)
VALUES (1, 0, 0, -62135596800000, NULL, -62135596800000);

-- What the steps of a fold have counted, until its last step adds it to the figures.
CREATE TABLE fold_changes (
    number INTEGER NOT NULL PRIMARY KEY,
    changes BLOB NOT NULL
) STRICT;

-- Blocks in the figures but for events dated ahead, as a rebuild of the figures leaves them: `counted_until` is the
-- moment up to which they are, `next_at` that of the next one. The next fold copies these events into
-- `deferred_events`.
CREATE TABLE deferred_blocks (
    block_id INTEGER NOT NULL PRIMARY KEY,
    counted_until INTEGER NOT NULL,
    next_at INTEGER NOT NULL
) STRICT;

-- Events dated ahead, whose blocks are in the figures but for them, in the order in which they become due.
-- `user_hash` is replaced with that of the event in its block; `place` only tells the events of a block apart.
CREATE TABLE deferred_events (
    occurred_at INTEGER NOT NULL,
    block_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    user_hash BLOB NOT NULL,
    event_name_id INTEGER NOT NULL,
    item_id BLOB,
    -- The codes of platform and version: 16 times that of the version, and that of the platform.
    segment INTEGER NOT NULL,
    PRIMARY KEY (occurred_at, block_id, place)
) STRICT, WITHOUT ROWID;

-- `users` is packed by the server. A page has the users whose keys are `first_key` or more, and less than that of the
-- next page.
CREATE TABLE user_pages (
    first_key INTEGER NOT NULL PRIMARY KEY,
    users BLOB NOT NULL
) STRICT;

INSERT INTO user_pages (first_key, users)
VALUES (-9223372036854775808, X'010000');

-- What holds for all time: users, users who converted, subscriptions added less removed. One row.
CREATE TABLE figure_totals (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    users INTEGER NOT NULL,
    conversions INTEGER NOT NULL,
    subscriptions INTEGER NOT NULL
) STRICT;

INSERT INTO figure_totals (id, users, conversions, subscriptions)
VALUES (1, 0, 0, 0);

-- One row a day (days since 1970, UTC), kept for good. `users` through `retention_d30` count users by the day of their
-- signup: all of them, and those who bear the mark. The others count by their own moment: first conversions;
-- subscriptions added less removed; users first seen; users last seen; and the ends of absences less their beginnings,
-- where an absence of the 7 (30) days begins 7 (30) x 24 h after the user left and ends when they return.
CREATE TABLE figure_days (
    day_number INTEGER NOT NULL PRIMARY KEY,
    users INTEGER NOT NULL,
    downloads INTEGER NOT NULL,
    first_subscriptions INTEGER NOT NULL,
    five_subscriptions INTEGER NOT NULL,
    retention_d1 INTEGER NOT NULL,
    retention_d7 INTEGER NOT NULL,
    retention_d30 INTEGER NOT NULL,
    conversions INTEGER NOT NULL,
    subscriptions INTEGER NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    returns_7d INTEGER NOT NULL,
    returns_30d INTEGER NOT NULL
) STRICT;

-- The counts of figure_days by the hour, of the last weeks.
CREATE TABLE figure_hours (
    hour_number INTEGER NOT NULL PRIMARY KEY,
    users INTEGER NOT NULL,
    downloads INTEGER NOT NULL,
    first_subscriptions INTEGER NOT NULL,
    five_subscriptions INTEGER NOT NULL,
    retention_d1 INTEGER NOT NULL,
    retention_d7 INTEGER NOT NULL,
    retention_d30 INTEGER NOT NULL,
    conversions INTEGER NOT NULL,
    subscriptions INTEGER NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    returns_7d INTEGER NOT NULL,
    returns_30d INTEGER NOT NULL
) STRICT;

-- What was counted at which moment of an hour, packed, in runs that are merged as they become many.
CREATE TABLE figure_moments (
    hour_number INTEGER NOT NULL,
    number INTEGER NOT NULL,
    change_count INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    changes BLOB NOT NULL,
    PRIMARY KEY (hour_number, number)
) STRICT;

-- How the number of users changes who are active in the 1, 7, 28 or 30 days that end on a day: the number itself is the
-- sum over this day and all before.
CREATE TABLE activity_days (
    day_number INTEGER NOT NULL PRIMARY KEY,
    change_1d INTEGER NOT NULL,
    change_7d INTEGER NOT NULL,
    change_28d INTEGER NOT NULL,
    change_30d INTEGER NOT NULL
) STRICT;

-- How many events of a name occurred on a day (UTC, counted in days since 1970-01-01). These totals outlive the raw
-- events, which are purged after a while.
CREATE TABLE event_days (
    event_name_id INTEGER NOT NULL,
    day_number INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    PRIMARY KEY (event_name_id, day_number)
) STRICT;

-- How many users of a signup day reached the stages of the funnel, and how many days after the signup, packed by the
-- server. `dimension` is 0 for platforms and 1 for app versions, `segment` the code of one of them. A row counts
-- `day_count` days from `first_day` on: 1, or 16 so that long ranges take few rows.
CREATE TABLE funnel_days (
    dimension INTEGER NOT NULL,
    day_count INTEGER NOT NULL,
    first_day INTEGER NOT NULL,
    segment INTEGER NOT NULL,
    counts BLOB NOT NULL,
    PRIMARY KEY (dimension, day_count, first_day, segment)
) STRICT, WITHOUT ROWID;

-- How often each item was added. The id is what devices say; what is not in the catalogue is counted and never shown.
CREATE TABLE item_additions (
    item_id BLOB NOT NULL PRIMARY KEY CHECK (length(item_id) = 16),
    addition_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The ranking as it was computed last; devices and dashboards see one that changes once a day.
CREATE TABLE ranking_entries (
    item_id BLOB NOT NULL PRIMARY KEY CHECK (length(item_id) = 16),
    addition_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE ranking_refreshes (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    refreshed_at INTEGER NOT NULL,
    -- Every event of the blocks up to this one is in it.
    folded_block_id INTEGER NOT NULL
) STRICT;

-- The rebuild under way, if any: `run` tells it from others. Until `ended_at` it holds the log as it is, if `seen_at`,
-- its last sign of life, is recent. The numbers are those of published figures, and NULL before. The row goes when
-- everything is cleared up.
CREATE TABLE figure_rebuilds (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    run BLOB NOT NULL CHECK (length(run) = 16),
    actor_name TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    through_block_id INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    ended_at INTEGER,
    event_count INTEGER,
    users_before INTEGER,
    conversions_before INTEGER,
    subscriptions_before INTEGER,
    users_after INTEGER,
    conversions_after INTEGER,
    subscriptions_after INTEGER
) STRICT;

-- What a rebuild has computed and not published, or has replaced and not removed; empty otherwise. Columns as in
-- `user_pages` and `figure_moments`, with which they change names when a rebuild is published.
CREATE TABLE rebuilt_user_pages (
    first_key INTEGER NOT NULL PRIMARY KEY,
    users BLOB NOT NULL
) STRICT;

CREATE TABLE rebuilt_figure_moments (
    hour_number INTEGER NOT NULL,
    number INTEGER NOT NULL,
    change_count INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    changes BLOB NOT NULL,
    PRIMARY KEY (hour_number, number)
) STRICT;

-- Devices that asked for their events to be made anonymous, until that is done. The user's row bears `replacement_hash`
-- from the moment when it is set; `swept_block_id` tells up to which block of the event log it stands there, too, and
-- `last_block_id` up to which it has to.
CREATE TABLE analytics_erasures (
    user_hash BLOB NOT NULL PRIMARY KEY CHECK (length(user_hash) = 32),
    requested_at INTEGER NOT NULL,
    replacement_hash BLOB CHECK (replacement_hash IS NULL OR length(replacement_hash) = 32),
    swept_block_id INTEGER NOT NULL DEFAULT 0,
    last_block_id INTEGER NOT NULL DEFAULT 0
) STRICT;

"""#,
            checksum: "ef0ea762eb7b28dffd176008a1b18585dc4d531302d5ba217a5355298f0747f6"),
        Migration(
            number: 7, slug: "crashes",
            sql: #"""
-- Crash reports, grouped, and the sessions of releases.

-- A release is stored once. `name` is empty where the sender named none, and `(other)` takes what comes beyond the
-- most.
CREATE TABLE crash_releases (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    rank INTEGER NOT NULL DEFAULT 0,
    marks INTEGER NOT NULL DEFAULT 0,
    marked_day INTEGER NOT NULL DEFAULT 0,
    -- Deleted by an administrator. The row stays while sessions refer to it, so that they no longer count.
    is_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1)),
    -- When the server first heard of the release.
    first_seen_at INTEGER
) STRICT;

CREATE UNIQUE INDEX idx_crash_releases_name ON crash_releases (name) WHERE is_deleted = 0;

CREATE INDEX idx_crash_releases_rank ON crash_releases (rank);

-- `number` grows from group to group.
CREATE TABLE crash_groups (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    group_key BLOB NOT NULL CHECK (length(group_key) = 32),
    title TEXT NOT NULL,
    culprit TEXT,
    platform TEXT,
    level TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved', 'ignored')),
    event_count INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    number INTEGER NOT NULL DEFAULT 0,
    rank INTEGER NOT NULL DEFAULT 0,
    marks INTEGER NOT NULL DEFAULT 0,
    marked_day INTEGER NOT NULL DEFAULT 0,
    decided_at INTEGER,
    regressed_at INTEGER,
    revision INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE UNIQUE INDEX idx_crash_groups_group_key ON crash_groups (group_key);

CREATE INDEX idx_crash_groups_last_seen_at_id ON crash_groups (last_seen_at, id);

CREATE INDEX idx_crash_groups_number ON crash_groups (number);

CREATE INDEX idx_crash_groups_status_rank ON crash_groups (status, rank);

CREATE TABLE crash_group_releases (
    group_id BLOB NOT NULL REFERENCES crash_groups (id) ON DELETE CASCADE,
    release_id INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    PRIMARY KEY (group_id, release_id)
) STRICT;

-- The reports of each release, without reading the rows of all groups.
CREATE INDEX idx_crash_group_releases_release_id_event_count ON crash_group_releases (release_id, event_count);

-- Days (UTC, counted since 1970-01-01) on which the crashes happened.
CREATE TABLE crash_group_days (
    group_id BLOB NOT NULL REFERENCES crash_groups (id) ON DELETE CASCADE,
    day_number INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    PRIMARY KEY (group_id, day_number)
) STRICT;

-- The newest few reports of each group, scrubbed, as JSON.
CREATE TABLE crash_samples (
    id INTEGER NOT NULL PRIMARY KEY,
    group_id BLOB NOT NULL REFERENCES crash_groups (id) ON DELETE CASCADE,
    occurred_at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE INDEX idx_crash_samples_group_id ON crash_samples (group_id);

-- Ids of what was stored, so that it counts once however often it is sent. The newest ones are kept, by number.
CREATE TABLE crash_receipts (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    receipt_id BLOB NOT NULL CHECK (length(receipt_id) = 16)
) STRICT;

CREATE UNIQUE INDEX idx_crash_receipts_receipt_id ON crash_receipts (receipt_id);

-- Sessions that may still change. A row goes when nothing can change it any more.
CREATE TABLE crash_sessions (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    session_id BLOB NOT NULL CHECK (length(session_id) = 16),
    release_id INTEGER NOT NULL,
    hour_number INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    has_errors INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_crash_sessions_session_id ON crash_sessions (session_id);

-- Sessions by the hour (UTC, counted since 1970-01-01T00:00:00Z) in which they started.
CREATE TABLE session_hours (
    hour_number INTEGER NOT NULL,
    release_id INTEGER NOT NULL,
    session_count INTEGER NOT NULL,
    crashed_count INTEGER NOT NULL,
    abnormal_count INTEGER NOT NULL,
    errored_count INTEGER NOT NULL,
    PRIMARY KEY (hour_number, release_id)
) STRICT;

CREATE INDEX idx_session_hours_release_id ON session_hours (release_id);

-- Sessions of the hours that were purged.
CREATE TABLE session_days (
    day_number INTEGER NOT NULL PRIMARY KEY,
    session_count INTEGER NOT NULL,
    crashed_count INTEGER NOT NULL
) STRICT;

"""#,
            checksum: "22b5cd29cf354cefa07f8183c9c3f81bdf334b8e693426a63638a3e26fbaedc5"),
        Migration(
            number: 8, slug: "alerts",
            sql: #"""
-- Thresholds, alert rules and what is sent because of them.

-- One row for each total that was ever configured, and never removed once it has fired: taking a threshold out of the
-- list and putting it back must not announce it a second time. `user_count` is how many users there were when it fired.
CREATE TABLE alert_thresholds (
    user_threshold INTEGER NOT NULL PRIMARY KEY CHECK (user_threshold > 0),
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
    fired_at INTEGER,
    user_count INTEGER,
    CHECK ((fired_at IS NULL) = (user_count IS NULL))
) STRICT;

CREATE TRIGGER alert_thresholds_refuse_forgetting BEFORE DELETE ON alert_thresholds WHEN OLD.fired_at IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a threshold that has fired is remembered');
END;

CREATE TRIGGER alert_thresholds_refuse_second_firing BEFORE UPDATE OF fired_at, user_count ON alert_thresholds
WHEN OLD.fired_at IS NOT NULL
    AND (NEW.fired_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM event_discards WHERE finished_at IS NULL))
BEGIN
    SELECT RAISE(ABORT, 'a threshold fires once');
END;

INSERT INTO alert_thresholds (user_threshold, is_active)
VALUES (1000, 1), (5000, 1), (10000, 1), (50000, 1), (100000, 1);

-- Grows with every change of the list, for If-Match.
CREATE TABLE alert_threshold_lists (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
) STRICT;

INSERT INTO alert_threshold_lists (id, revision)
VALUES (1, 1);

-- One row a rule. `value_thousandths` is the value that the figure is compared with, `window_length` a text such as
-- 24h, NULL for a figure that is measured at a moment. `revision` grows with every change of the definition, for
-- If-Match. `state` is that of the last measurement, `announced_state` the one that was put in the outbox last: they
-- differ while the rule is muted. Both change in the transaction that puts a message in the outbox, so each crossing is
-- announced once.
CREATE TABLE alert_rules (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    figure TEXT NOT NULL,
    comparison TEXT NOT NULL,
    value_thousandths INTEGER NOT NULL,
    window_length TEXT,
    minimum_sample INTEGER NOT NULL CHECK (minimum_sample >= 0),
    muted_until INTEGER,
    revision INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'ok', 'firing')),
    announced_state TEXT NOT NULL CHECK (announced_state IN ('ok', 'firing')),
    changed_at INTEGER,
    evaluated_at INTEGER,
    measured_thousandths INTEGER,
    measured_sample INTEGER
) STRICT;

CREATE UNIQUE INDEX idx_alert_rules_name ON alert_rules (name);

-- Grows with every change of the list, for If-Match.
CREATE TABLE alert_rule_lists (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    revision INTEGER NOT NULL
) STRICT;

INSERT INTO alert_rule_lists (id, revision)
VALUES (1, 1);

-- One row: the Monday of the week in which the last digest was put in the outbox; NULL before the first one.
CREATE TABLE alert_digests (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    sent_week_on INTEGER
) STRICT;

INSERT INTO alert_digests (id, sent_week_on)
VALUES (1, NULL);

-- One row: the level that was announced last, for all servers of the store.
CREATE TABLE storage_watch (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    level TEXT NOT NULL CHECK (level IN ('ok', 'nearly_full', 'full')),
    changed_at INTEGER
) STRICT;

INSERT INTO storage_watch (id, level, changed_at)
VALUES (1, 'ok', NULL);

-- One row a message and channel. `next_attempt_at` is NULL when nothing more is to be done. Who works on a row holds a
-- lease on it. `notice` is JSON: what a message about a rule, or a digest, says.
CREATE TABLE alert_deliveries (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    kind TEXT NOT NULL CHECK (kind IN ('threshold', 'test', 'storage', 'rule', 'digest')),
    user_threshold INTEGER REFERENCES alert_thresholds (user_threshold),
    user_count INTEGER,
    channel TEXT NOT NULL,
    target TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'retrying', 'dead')),
    is_forced INTEGER NOT NULL CHECK (is_forced IN (0, 1)),
    attempts INTEGER NOT NULL,
    earlier_attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_attempt_at INTEGER,
    next_attempt_at INTEGER,
    delivered_at INTEGER,
    last_error TEXT,
    lease_id BLOB CHECK (lease_id IS NULL OR length(lease_id) = 16),
    lease_until INTEGER,
    storage_level TEXT CHECK (storage_level IN ('nearly_full', 'full')),
    storage_reason TEXT CHECK (storage_reason IN ('store', 'disk')),
    storage_bytes INTEGER,
    storage_limit_bytes INTEGER,
    withdrawn_at INTEGER,
    notice TEXT,
    CHECK ((kind = 'threshold') = (user_threshold IS NOT NULL)),
    CHECK ((kind = 'storage') = (storage_level IS NOT NULL)),
    CHECK ((kind IN ('rule', 'digest')) = (notice IS NOT NULL)),
    CHECK ((state IN ('pending', 'retrying')) = (next_attempt_at IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX idx_alert_deliveries_user_threshold_channel ON alert_deliveries (user_threshold, channel)
WHERE user_threshold IS NOT NULL AND withdrawn_at IS NULL;

CREATE INDEX idx_alert_deliveries_next_attempt_at ON alert_deliveries (next_attempt_at)
WHERE next_attempt_at IS NOT NULL;

-- For rules about failed deliveries.
CREATE INDEX idx_alert_deliveries_dead ON alert_deliveries (last_attempt_at) WHERE state = 'dead';

-- Channels that told us not to come again, by the hash of where they lead: another target is another channel.
CREATE TABLE alert_disabled_channels (
    channel TEXT NOT NULL PRIMARY KEY,
    target_hash BLOB NOT NULL CHECK (length(target_hash) = 32),
    disabled_at INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;

"""#,
            checksum: "f426d1c678316f988ba371f953dc17bb0be181dfa2493bc63cdb5015b3b92200"),
        Migration(
            number: 9, slug: "accounts",
            sql: #"""
-- Accounts signed in with Apple.

-- Nothing of a person but a number that only this store can make of Apple's: `subject_hash` is HMAC-SHA-256 of Apple's
-- subject under a key in `store_metadata`. `purchase_token` is made of it the same way and goes into purchases at the
-- App Store (appAccountToken); it is the same again when somebody erases the account and comes back, so that what they
-- paid for is not lost.
CREATE TABLE accounts (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    subject_hash BLOB NOT NULL CHECK (length(subject_hash) = 32),
    purchase_token BLOB NOT NULL CHECK (length(purchase_token) = 16),
    created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_accounts_subject_hash ON accounts (subject_hash);

CREATE UNIQUE INDEX idx_accounts_purchase_token ON accounts (purchase_token);

-- One row a sign-in. Revoking it takes its tokens along.
CREATE TABLE account_sessions (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    account_id BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_account_sessions_account_id ON account_sessions (account_id);

-- Access and refresh tokens by the SHA-256 of their text. `generation` counts the refreshes of a session; both tokens
-- of an answer bear the same. `used_at`: when an access token was first used, when a refresh token was spent. A spent
-- refresh token stays until it would have expired, so that one that comes again is known.
CREATE TABLE session_tokens (
    token_hash BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    session_id BLOB NOT NULL REFERENCES account_sessions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
    generation INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;

CREATE INDEX idx_session_tokens_session_id ON session_tokens (session_id, generation);

CREATE INDEX idx_session_tokens_expires_at ON session_tokens (expires_at);

-- What may be used once: SHA-256 of identity tokens and of their nonces, and of the ids of Apple's account
-- notifications.
CREATE TABLE spent_proofs (
    proof_hash BLOB NOT NULL PRIMARY KEY CHECK (length(proof_hash) = 32),
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_spent_proofs_expires_at ON spent_proofs (expires_at);

"""#,
            checksum: "35c54565ef3235e035527c0b8f1be1fe79df226b5b80576e1385b41e56dd951a"),
        Migration(
            number: 10, slug: "premium",
            sql: #"""
-- What accounts bought in the App Store.

-- One row a purchase: a subscription through all its renewals, or something bought once. `purchase_hash` is
-- HMAC-SHA-256 of Apple's originalTransactionId under the store's key. `account_id` is null while nobody has shown the
-- purchase to this server. The columns through `is_upgraded` are what the latest signed transaction says, the next two
-- what the latest renewal information says; the …_signed_at tell which is the latest.
CREATE TABLE purchases (
    purchase_hash BLOB NOT NULL PRIMARY KEY CHECK (length(purchase_hash) = 32),
    account_id BLOB REFERENCES accounts (id) ON DELETE CASCADE,
    product_id TEXT NOT NULL,
    is_family_shared INTEGER NOT NULL CHECK (is_family_shared IN (0, 1)),
    purchased_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    is_refund INTEGER NOT NULL CHECK (is_refund IN (0, 1)),
    is_upgraded INTEGER NOT NULL CHECK (is_upgraded IN (0, 1)),
    grace_expires_at INTEGER,
    is_in_billing_retry INTEGER NOT NULL CHECK (is_in_billing_retry IN (0, 1)),
    transaction_signed_at INTEGER NOT NULL,
    renewal_signed_at INTEGER,
    notified_at INTEGER,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_purchases_account_id ON purchases (account_id);

CREATE INDEX idx_purchases_updated_at ON purchases (updated_at);

-- Notifications of the App Store, to know one again that is sent twice.
CREATE TABLE app_store_notifications (
    id TEXT NOT NULL PRIMARY KEY,
    notification_type TEXT NOT NULL,
    subtype TEXT,
    signed_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_app_store_notifications_received_at ON app_store_notifications (received_at);

"""#,
            checksum: "2f0f4d84820fe0c56f36fa5901df6fbff21e3d8091f755565a0252cd43ff6bc5"),
        Migration(
            number: 11, slug: "console",
            sql: #"""
-- Sign-in to the console.

-- One row a session. `secret_hash` is SHA-256 of 256 random bits, which only the browser's cookie holds. The session
-- may do what its token may do at the moment of each request. `last_used_at` is exact to the minute; `confirmed_at` is
-- when the token was entered last.
CREATE TABLE console_sessions (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
    token_id BLOB NOT NULL REFERENCES access_tokens (id),
    browser TEXT,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    confirmed_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX idx_console_sessions_secret_hash ON console_sessions (secret_hash);

CREATE INDEX idx_console_sessions_token_id ON console_sessions (token_id);

-- One row a link that was not used yet. `code_hash` is SHA-256 of the random part of its address.
CREATE TABLE console_links (
    code_hash BLOB NOT NULL PRIMARY KEY CHECK (length(code_hash) = 32),
    token_id BLOB NOT NULL REFERENCES access_tokens (id),
    expires_at INTEGER NOT NULL
) STRICT;

-- What forms of the console did, as JSON, so that every server can undo it. `id` is a hash of the form.
CREATE TABLE console_notices (
    session_id BLOB NOT NULL REFERENCES console_sessions (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    location TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, id)
) STRICT;

-- One row a passkey. It signs in as its token, and is deleted when the token is revoked. `public_key` is COSE as the
-- authenticator sent it; `user_handle` are 32 random bytes, the same for all passkeys of a token; `sign_count` is that
-- of the latest sign-in, 0 for authenticators that do not count; `verifies_user` says whether the authenticator
-- verified its user when the passkey was made.
CREATE TABLE console_passkeys (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    token_id BLOB NOT NULL REFERENCES access_tokens (id),
    name TEXT NOT NULL,
    relying_party TEXT NOT NULL,
    credential_id BLOB NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1023),
    user_handle BLOB NOT NULL CHECK (length(user_handle) = 32),
    public_key BLOB NOT NULL,
    sign_count INTEGER NOT NULL,
    verifies_user INTEGER NOT NULL CHECK (verifies_user IN (0, 1)),
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
) STRICT;

CREATE UNIQUE INDEX idx_console_passkeys_credential_id ON console_passkeys (credential_id);

CREATE INDEX idx_console_passkeys_token_id ON console_passkeys (token_id);

-- One row a challenge that was not answered yet. `challenge_hash` is SHA-256 of its text. `token_id` and `user_handle`
-- belong to a registration; without them, it is that of a sign-in.
CREATE TABLE console_challenges (
    challenge_hash BLOB NOT NULL PRIMARY KEY CHECK (length(challenge_hash) = 32),
    token_id BLOB REFERENCES access_tokens (id),
    user_handle BLOB CHECK (length(user_handle) = 32),
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_console_challenges_expires_at ON console_challenges (expires_at);

-- One row a sign-in that has not come back from the provider yet. `state_hash` is SHA-256 of the value that travels
-- through the provider, `browser_hash` that of the secret in the browser's cookie; the nonce and the PKCE verifier are
-- derived from both, so that this table alone is of no use. `next` is the page to open afterwards.
CREATE TABLE console_openid_pending (
    state_hash BLOB NOT NULL PRIMARY KEY CHECK (length(state_hash) = 32),
    browser_hash BLOB NOT NULL CHECK (length(browser_hash) = 32),
    next TEXT,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idx_console_openid_pending_expires_at ON console_openid_pending (expires_at);

-- The access token of each person who has signed in. `subject_hash` is SHA-256 of issuer and subject. Nobody knows the
-- secret of such a token: it is only the author and the role of sessions. `grant_hash` is SHA-256 of what gave the role
-- at the last sign-in: issuer, client and rule. Sessions end when the settings have that no more.
CREATE TABLE console_openid_people (
    subject_hash BLOB NOT NULL PRIMARY KEY CHECK (length(subject_hash) = 32),
    token_id BLOB NOT NULL REFERENCES access_tokens (id),
    grant_hash BLOB NOT NULL CHECK (length(grant_hash) = 32)
) STRICT;

CREATE UNIQUE INDEX idx_console_openid_people_token_id ON console_openid_people (token_id);

"""#,
            checksum: "41e4b30311d4e47c6dcb42c8fb267ed3ec4a05f581de73ff80e8a621b149309d"),
        Migration(
            number: 12, slug: "reference-rates",
            sql: #"""
-- The reference rates of the European Central Bank.

-- Exchange rates that the server fetches from `rates_url`: units of a currency for one euro, as decimal text. Days are
-- counted since 1970-01-01.
CREATE TABLE reference_rates (
    day_number INTEGER NOT NULL,
    currency TEXT NOT NULL,
    rate TEXT NOT NULL,
    PRIMARY KEY (day_number, currency)
) STRICT, WITHOUT ROWID;

"""#,
            checksum: "66409474cb42ffef9552823d0e35d92fd64ad17a2cc3cde9b6011b42194f90b0"),
        Migration(
            number: 13, slug: "event-sink",
            sql: #"""
-- How far the copy of the log in ClickHouse has come.

-- One row once a server has had a sink. Blocks up to `cursor_block_id` were sent. `next_user_number` is that of the
-- next user without one. `revision` grows when a user gets another hash. `table_number` is that of the table in
-- ClickHouse. `seen_at`: when a server with a sink last looked; while that is recent, blocks behind the cursor stay.
CREATE TABLE event_sinks (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    cursor_block_id INTEGER NOT NULL,
    next_user_number INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    table_number INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT;

-- The ledger: of each range of blocks the events of one week for one shard, written before they are sent. Sums are kept
-- modulo 2^64. `week` is the number of its Monday, in days since 1970-01-01; `sent_at` is NULL until the shard has
-- them.
CREATE TABLE event_sink_parts (
    table_number INTEGER NOT NULL,
    range_number INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    week INTEGER NOT NULL,
    shard_count INTEGER NOT NULL,
    first_block_id INTEGER NOT NULL,
    last_block_id INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    moment_sum INTEGER NOT NULL,
    received_sum INTEGER NOT NULL,
    user_sum INTEGER NOT NULL,
    id_sum INTEGER NOT NULL,
    text_sum INTEGER NOT NULL,
    sent_at INTEGER,
    PRIMARY KEY (table_number, range_number, shard, week)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_event_sink_parts_unsent ON event_sink_parts (range_number) WHERE sent_at IS NULL;

-- The numbers that stand for users in ClickHouse. Who asks to be forgotten gets another hash here; the number stays.
CREATE TABLE event_sink_users (
    user_hash BLOB NOT NULL PRIMARY KEY CHECK (length(user_hash) = 32),
    number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The user of a number, for events that are read from ClickHouse.
CREATE UNIQUE INDEX idx_event_sink_users_number ON event_sink_users (number);

"""#,
            checksum: "0d7c04fef8a698969708dc75080323a1f02ee841781ae87bb0088deb1bfdc765"),
        Migration(
            number: 14, slug: "sandbox-purchases",
            sql: #"""
-- Oldest reader: 13
-- Where the App Store made a purchase: for customers, or for testers without money.

ALTER TABLE purchases ADD COLUMN environment TEXT NOT NULL DEFAULT 'production'
    CHECK (environment IN ('production', 'sandbox'));

"""#,
            checksum: "1aaa8a947e26f37ea96a227400f2bd6d01023244d27f80572f7b938435059d96"),
        Migration(
            number: 15, slug: "probe-of-a-batch",
            sql: #"""
-- Oldest reader: 13
-- The readiness check writes as much as a batch of events: one row would still fit on a disk that has no room for one.

ALTER TABLE health_probe ADD COLUMN ballast BLOB;

"""#,
            checksum: "1214f539eecf799da48f5f8f4b3f6c85af8a141f4c135488266ba37244b74247"),
        Migration(
            number: 16, slug: "alert-receivers",
            sql: #"""
-- Oldest reader: 13
-- Several receivers of each channel. `target_hash` says for which of them a delivery is, by the hash of its address; NULL
-- is any receiver of the channel, as before.

ALTER TABLE alert_deliveries ADD COLUMN target_hash BLOB
    CHECK (target_hash IS NULL OR length(target_hash) = 32);

DROP INDEX idx_alert_deliveries_user_threshold_channel;

CREATE UNIQUE INDEX idx_alert_deliveries_user_threshold_target
ON alert_deliveries (user_threshold, channel, COALESCE(target_hash, X''))
WHERE user_threshold IS NOT NULL AND withdrawn_at IS NULL;

-- Takes the place of `alert_disabled_channels`, which has one receiver of each channel and is for older programs.
CREATE TABLE alert_disabled_targets (
    target_hash BLOB NOT NULL PRIMARY KEY CHECK (length(target_hash) = 32),
    disabled_at INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;

INSERT INTO alert_disabled_targets (target_hash, disabled_at, reason)
SELECT target_hash, disabled_at, reason FROM alert_disabled_channels;

"""#,
            checksum: "38c05122ad0bcc772751f7e166be76b87c3c7a529376f4918ad4ab8e993b7dc3"),
        Migration(
            number: 17, slug: "crash-symbols",
            sql: #"""
-- Oldest reader: 13
-- Names of functions, as operators upload them for an image, and the groups of crashes that they make one.

-- Addresses count as in the list; the image begins at `base`. A file that is being received is not complete.
CREATE TABLE crash_symbol_files (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    debug_id TEXT NOT NULL,
    name TEXT NOT NULL,
    architecture TEXT,
    format TEXT NOT NULL,
    base INTEGER NOT NULL,
    has_underscores INTEGER NOT NULL CHECK (has_underscores IN (0, 1)),
    function_count INTEGER NOT NULL,
    part_count INTEGER NOT NULL,
    byte_count INTEGER NOT NULL,
    stored_bytes INTEGER NOT NULL,
    uploaded_at INTEGER NOT NULL,
    uploaded_by TEXT NOT NULL,
    is_complete INTEGER NOT NULL DEFAULT 0 CHECK (is_complete IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX idx_crash_symbol_files_debug_id ON crash_symbol_files (debug_id) WHERE is_complete = 1;

-- Functions in the order of their addresses, compressed. Each part of a file is sorted by itself.
CREATE TABLE crash_symbol_pages (
    file_id INTEGER NOT NULL REFERENCES crash_symbol_files (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    first_address INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (file_id, part, first_address)
) STRICT;

-- SHA-256 over what makes reports the same once functions have names; NULL without names.
ALTER TABLE crash_groups ADD COLUMN symbol_key BLOB CHECK (symbol_key IS NULL OR length(symbol_key) = 32);

-- The group that counts this one's reports too, because names made them one; NULL for a group of its own.
ALTER TABLE crash_groups ADD COLUMN merged_into BLOB;

-- Names do not make it one with others again: an administrator has parted them.
ALTER TABLE crash_groups ADD COLUMN is_parted INTEGER NOT NULL DEFAULT 0 CHECK (is_parted IN (0, 1));

CREATE INDEX idx_crash_groups_symbol_key ON crash_groups (symbol_key) WHERE symbol_key IS NOT NULL;

CREATE INDEX idx_crash_groups_merged_into ON crash_groups (merged_into) WHERE merged_into IS NOT NULL;

"""#,
            checksum: "243bf5c349c0f28172d07fb7aac1f1ad08a99e23cc32ad02cd98f96e9a550783"),
        Migration(
            number: 18, slug: "token-families",
            sql: #"""
-- Oldest reader: 13
-- A token and all that replaced it. At most two of a family are valid at a time, and revoking one revokes all.

-- The first token of the family; NULL for a token that replaced none.
ALTER TABLE access_tokens ADD COLUMN family_id BLOB CHECK (family_id IS NULL OR length(family_id) = 16);

CREATE INDEX idx_access_tokens_family_id ON access_tokens (family_id) WHERE family_id IS NOT NULL;

"""#,
            checksum: "f0e76dfb33bd622be726750abb6ea2ed28805c8ea8b66b438b7349270545ecbe"),
        Migration(
            number: 19, slug: "report-zones",
            sql: #"""
-- Oldest reader: 13
-- The time zones in which days of the figures are cut; no row for UTC.

-- `first_day` is counted from the epoch, and begins at `starts_at`. Days before it keep the cut of the row before.
CREATE TABLE report_zones (
    starts_at INTEGER NOT NULL PRIMARY KEY,
    zone TEXT NOT NULL,
    first_day INTEGER NOT NULL
) STRICT;

"""#,
            checksum: "c8fb7280d648c46d9f03edf2edf4420ee226538403eaf006cea49a09c0040468"),
        Migration(
            number: 20, slug: "recounts",
            sql: #"""
-- Oldest reader: 13
-- Counting days anew in another time zone where raw events were purged.

-- Nothing is counted until it ends, because it changes what is stored instead of replacing it.
ALTER TABLE figure_rebuilds ADD COLUMN holds_counting INTEGER NOT NULL DEFAULT 0 CHECK (holds_counting IN (0, 1));

"""#,
            checksum: "5923abdb07bdaf7a9fc91be81d84dde0b18b2e7402bda745edc3a5d273c82c25"),
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
    account_id BLOB NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    -- Days since 1970-01-01.
    until_on INTEGER NOT NULL,
    note TEXT,
    granted_at INTEGER NOT NULL
) STRICT;

"""#,
            checksum: "672f753be44e5f3c544c49b0e8be61da653fbbb9749ad69a31c3c8d3fb07ed8e"),
        Migration(
            number: 23, slug: "distinct-items",
            sql: #"""
-- Oldest reader: 13
-- Pairs of items that look alike and that an operator declared to be different services.

CREATE TABLE catalogue_distinct_pairs (
    first_id BLOB NOT NULL CHECK (length(first_id) = 16),
    second_id BLOB NOT NULL CHECK (length(second_id) = 16),
    decided_at INTEGER NOT NULL,
    PRIMARY KEY (first_id, second_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_catalogue_distinct_pairs_second_id ON catalogue_distinct_pairs (second_id);

"""#,
            checksum: "b07d6aa8762009e8d3809f64cbe993526c51d5983be14998c971dbebb6e26fff"),
        Migration(
            number: 24, slug: "failed-jobs",
            sql: #"""
-- Oldest reader: 13
-- When the last run of a job failed; NULL after one that did not.

ALTER TABLE job_leases ADD COLUMN failed_at INTEGER;

"""#,
            checksum: "c7fd7049921753776ea0605d3733279f50021a3a5ea48c48accbf05bfb88f220"),
        Migration(
            number: 25, slug: "repeated-erasures",
            sql: #"""
-- Oldest reader: 13
-- When a device asked again to make its events anonymous, while the sweep for its first request ran: what it reported
-- meanwhile lies beyond that sweep. NULL if it did not. A program that does not know the column loses the second
-- request.

ALTER TABLE analytics_erasures ADD COLUMN repeated_at INTEGER;

"""#,
            checksum: "cc142da0ce80503c379c6c9a3f0fee24e6bcc2db01c5e3d88a0b29d53d69b6a3"),
        Migration(
            number: 26, slug: "revoked-tokens",
            sql: #"""
-- Oldest reader: 13
-- Tokens that are revoked whatever the time is. Without this, `revoked_at` is the end of a replaced token's grace, or a
-- revocation by a program that does not know the column.

ALTER TABLE access_tokens ADD COLUMN is_revoked INTEGER NOT NULL DEFAULT 0 CHECK (is_revoked IN (0, 1));

"""#,
            checksum: "01aadd4725e415162548f78f3e022ab1234d77ed48fc6d1b8b9f59e1637a8c82"),
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
ALTER TABLE idempotent_answers ADD COLUMN audit_count INTEGER;

-- The expiry of the token that created this one, which no replacement outlives. NULL without one.
ALTER TABLE access_tokens ADD COLUMN latest_end INTEGER;

"""#,
            checksum: "c6a0fd4b6fff21153621e79cbf4198953a1bff1bbe268e821e37b827b657dba0"),
        Migration(
            number: 29, slug: "changed-users",
            sql: #"""
-- Oldest reader: 13
-- A fold that was prepared in advance is void once anything but a fold has changed stored users.

-- Increases with each erasure, discard and rebuild that changes stored users or deferred events.
ALTER TABLE event_folds ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

"""#,
            checksum: "598eb595bfd255c283243a7194d1a6ec4342becf64a90a2fa186f6b338c150cb"),
    ]
}
