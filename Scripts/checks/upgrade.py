"""Check that servers of two neighbouring releases run on one PostgreSQL, under constant load and behind HAProxy. Three
servers run while the schema becomes that of a release to come: every table gets another column, and there is a new
table and a new index. They must go on, say so in /readyz, and restart one by one. Then a migration that excludes them
must stop them with a reason. Prints what was sent, acknowledged, stored and counted, and the longest silence.

With --before, the servers first run the program of the release before, and are replaced one by one by the present one,
whose first server migrates the database.

Usage: Scripts/check upgrade [-- [--before BINARY] [--goal SECONDS] [BINARY]]
"""

import argparse
import os
import time
import uuid

from database import Database
from harness import debug_binary, eventually, expect, main, say, status_of
from load import Load, account, end, make_server, proxy

LANE = "SELECT pg_advisory_xact_lock(1398096455, 1465010516)"


def last_migration(database):
    return int(database.ask("SELECT max(number) FROM schema_migrations"))


def migrate(database, slug, statements, oldest_reader):
    """As the first server of a release to come does it: one transaction under the lock of all writers."""
    number = last_migration(database) + 1
    sql = "; ".join(["SET LOCAL lock_timeout = '2s'", *statements, f"""
        INSERT INTO schema_migrations (number, slug, checksum, applied_at, oldest_reader)
        VALUES ({number}, '{slug}', 'of a release to come', '2027-01-01T00:00:00Z', {oldest_reader})"""])
    database.ask(f"BEGIN; {LANE}; {sql}; COMMIT")
    return number


def expand(database):
    """A statement that lists no columns, or asks for all of them, fails on such a schema."""
    known = last_migration(database)
    tables = database.ask(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'").split()
    began = time.monotonic()
    for table in tables:
        migrate(database, f"column-{table.replace('_', '-')}", [f"ALTER TABLE {table} ADD COLUMN of_the_future BIGINT"],
                known)
    migrate(database, "table", ["CREATE TABLE things_of_the_future (id BIGINT NOT NULL PRIMARY KEY)"], known)
    migrate(database, "index", ["CREATE INDEX idx_of_the_future ON event_days (of_the_future)"], known)
    say(f"{last_migration(database) - known} migrations of a release to come: {time.monotonic() - began:.1f} s")


def state_of(server):
    """What /readyz says about the schema."""
    status, body, _ = server.json("GET", "/readyz")
    return body["checks"]["migrations"] if status == 200 else body["detail"]


def require_service(server, token):
    """What a server does beside taking events: reads, a change, and what looks at the schema itself."""
    for method, path, body, wanted in (
            ("GET", "/api/v1/admin/dashboard", None, 200), ("GET", "/api/v1/admin/funnel", None, 200),
            ("GET", "/api/v1/privacy", None, 200), ("GET", "/api/v1/catalogue", None, 200),
            ("GET", "/api/v1/admin/audit", None, 200), ("GET", "/metrics", None, 200),
            ("POST", "/api/v1/suggestions", {"id": str(uuid.uuid4()), "name": "Ciné"}, 202)):
        status, content, _ = server.call(method, path, body, token=token)
        expect(status == wanted, f"{method} {path} was answered {status} by {server.name}: {content[:300]}")
    for command in (("migrate",), ("audit", "verify"), ("events", "export")):
        server.run(*command)


def replace(servers, binary, load):
    """One by one, as an operator does."""
    for server in servers:
        server.stop()
        server.binary = binary
        server.start()
        eventually(server.is_ready, f"{server.name} is back")
        load.goes_on(f"{server.name} replaced")


def require_refusal(database, servers):
    migrate(database, "contract", ["DROP TABLE things_of_the_future"], last_migration(database) + 1)
    for server in servers:
        eventually(lambda: status_of(server.port) == 503, f"{server.name} says that it is not ready")
        expect("A newer version has migrated the database" in state_of(server), state_of(server))
        server.stop()
        done = server.attempt("serve")
        expect(done.returncode != 0 and "use a newer program" in done.stderr, f"{done.returncode}: {done.stderr}")
    say(f"excluded by a migration: {done.stderr.strip()}")


def check(folder):
    parser = argparse.ArgumentParser()
    parser.add_argument("--before", type=os.path.abspath)
    parser.add_argument("--goal", type=float, default=15)
    parser.add_argument("binary", nargs="?", type=os.path.abspath)
    options = parser.parse_args()
    binary = options.binary or debug_binary("subguardd")
    database = haproxy = load = None
    try:
        database = Database(folder)
        servers = [make_server(options.before or binary, database.url, folder, number) for number in (1, 2, 3)]
        eventually(lambda: all(server.is_ready() for server in servers), "all servers are ready")
        token = servers[0].token()
        port, haproxy = proxy(folder, servers)
        load = Load(port)
        load.goes_on("undisturbed")
        began = time.monotonic()
        if options.before:
            known = last_migration(database)
            replace(servers[:1], binary, load)
            say(f"migrated from {known} to {last_migration(database)} beside two servers of the release before")
            newer = "newer" if last_migration(database) > known else "ok"
            # The answer may be a second old.
            eventually(lambda: [state_of(server) for server in servers] == ["ok", newer, newer],
                       "/readyz says that the schema is newer")
            require_service(servers[1], token)
            load.goes_on("two releases on one schema")
            replace(servers[1:], binary, load)
        expand(database)
        load.goes_on("on the schema of a release to come")
        time.sleep(2)
        for server in servers:
            expect(state_of(server) == "newer", f"/readyz of {server.name}: {state_of(server)}")
            require_service(server, token)
        replace(servers, binary, load)
        silence = load.silence(began)
        say(f"longest silence: {silence:.1f} s")
        load.end()
        account(database, servers, load, last_migration(database))
        require_refusal(database, servers)
        expect(silence <= options.goal, f"a silence of {silence:.1f} s")
    finally:
        end(load, haproxy, database)
    return f"servers of two releases ran on one schema, longest silence {silence:.1f} s"


main("upgrade", check)
