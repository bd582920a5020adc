// Measures appending with SQLite alone: one thread, one prepared statement, no index but the key, transactions of a
// fixed size. This is the ceiling for storing events in SQLite with the same durability.
//
//   append-events FILE EVENTS-PER-TRANSACTION SECONDS
//
// Rows have the same size as ours: a random key of 16 bytes, four integers, properties of a device as text. WAL,
// synchronous=FULL. Prints one line of JSON.

#define _GNU_SOURCE
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char properties[] =
    "{\"app_version\":\"2.4.1\",\"locale\":\"fr_FR\",\"os_version\":\"18.1.1\",\"platform\":\"ios\"}";

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint64_t state;

// SplitMix64
static uint64_t next_random(void) {
    uint64_t mixed = state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

static sqlite3 *store;

static void check(int status, const char *what) {
    if (status == SQLITE_OK || status == SQLITE_DONE || status == SQLITE_ROW) return;
    fprintf(stderr, "append-events: %s: %s\n", what, sqlite3_errmsg(store));
    exit(1);
}

static void execute(const char *sql) { check(sqlite3_exec(store, sql, NULL, NULL, NULL), sql); }

int main(int count, char **arguments) {
    int per_transaction = count == 4 ? atoi(arguments[2]) : 0;
    double seconds = count == 4 ? atof(arguments[3]) : 0;
    if (per_transaction < 1 || seconds <= 0) {
        fprintf(stderr, "usage: append-events FILE EVENTS-PER-TRANSACTION SECONDS\n");
        return 64;
    }
    check(sqlite3_open(arguments[1], &store), "open");
    execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    execute(
        "CREATE TABLE events (id BLOB NOT NULL PRIMARY KEY, event_name_id INTEGER NOT NULL, user_id INTEGER NOT NULL,"
        " occurred_at INTEGER NOT NULL, received_at INTEGER NOT NULL, properties TEXT) STRICT");
    sqlite3_stmt *insert;
    check(
        sqlite3_prepare_v2(store, "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", -1, &insert, NULL), "prepare");
    state = (uint64_t)(now() * 1e9);
    long long events = 0, commits = 0;
    double begun = now(), end = begun + seconds, last = begun;
    while (last < end) {
        execute("BEGIN IMMEDIATE");
        for (int index = 0; index < per_transaction; index++) {
            uint64_t id[2] = {next_random(), next_random()};
            check(sqlite3_bind_blob(insert, 1, id, sizeof id, SQLITE_TRANSIENT), "bind");
            check(sqlite3_bind_int64(insert, 2, (sqlite3_int64)(id[0] % 10)), "bind");
            check(sqlite3_bind_int64(insert, 3, (sqlite3_int64)(id[1] % 10000)), "bind");
            check(sqlite3_bind_int64(insert, 4, 1763700000000 + events), "bind");
            check(sqlite3_bind_int64(insert, 5, 1763700000000 + events), "bind");
            check(sqlite3_bind_text(insert, 6, properties, sizeof properties - 1, SQLITE_STATIC), "bind");
            check(sqlite3_step(insert), "insert");
            check(sqlite3_reset(insert), "reset");
            events++;
        }
        execute("COMMIT");
        commits++;
        last = now();
    }
    sqlite3_finalize(insert);
    sqlite3_close(store);
    printf("{\"events\": %lld, \"commits\": %lld, \"seconds\": %.6f}\n", events, commits, last - begun);
    return 0;
}
