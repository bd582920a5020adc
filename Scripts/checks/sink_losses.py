"""What only ClickHouse has must not be lost: a rebuild refuses to adopt a loss, takes the events of a restored database
from the right table, and runs alone; retention removes whole weeks only; the tables of others are left alone, and what
is not ClickHouse gets no events. Used by the check `sink`."""

import contextlib
import datetime
import pathlib
import shutil
import sqlite3
import subprocess
import time

import harness
from harness import Receiver, Refusal, eventually, expect
from sink_history import DAY
from sink_server import ask_database, change, expect_verified, schedule

RETENTION_DAYS = 20
REBUILDS = 3  # of two at a time


def refused(server, words, *arguments):
    """What a command that must fail says; it must have these words."""
    done = server.attempt(*arguments)
    said = done.stdout + done.stderr
    expect(done.returncode == 1 and words in said, f"{' '.join(arguments)}: status {done.returncode}: {said[:1500]}")
    return said


@contextlib.contextmanager
def setting(server, name, value):
    name = f"SUBGUARD_{name}"
    before = server.environment.get(name)
    server.environment[name] = str(value)
    try:
        yield
    finally:
        server.environment.pop(name)
        if before is not None:
            server.environment[name] = before


def count(node):
    return int(node.rows("SELECT count() FROM subguard.events")[0][0])


def expect_same(server, node, rows, case):
    expect(count(node) == rows, f"{case}: {count(node)} events instead of {rows}")
    expect_verified(server)


def leave_others_alone(server, node, tell):
    url = server.environment["SUBGUARD_EVENT_SINK_URL"]
    node.ask("CREATE DATABASE IF NOT EXISTS others")
    node.ask("CREATE TABLE others.users (name String) ENGINE = TinyLog")
    node.ask("INSERT INTO others.users VALUES ('Ada')")
    start, _, database = url.rpartition("/")
    with setting(server, "EVENT_SINK_URL", f"{start}/{database.replace('subguard', 'others', 1)}"):
        refused(server, "others.users is a table of another program", "sink", "migrate")
    expect(node.ask("SELECT name FROM others.users").strip() == "Ada", "the table of another program is gone")
    stranger = harness.Server(server.binary, server.folder / "second", name="second", catalogue=False)
    for name in ("EVENT_SINK_URL", "EVENT_SINK_PASSWORD_FILE", "ALERTS_CA_FILE"):
        if f"SUBGUARD_{name}" in server.environment:
            stranger.environment[f"SUBGUARD_{name}"] = server.environment[f"SUBGUARD_{name}"]
    stranger.prepare()
    for command in ("migrate", "rebuild", "status"):
        refused(stranger, "another database of SubGuard", "sink", command)
    tell("tables of others were left alone")


def send_nothing_to_others(server, tell):
    for body in (b"<html>It works!</html>", b""):
        receiver = Receiver(lambda handler, _, body=body: (200, body, {}))
        with contextlib.closing(receiver), setting(
                server, "EVENT_SINK_URL", f"clickhouse://127.0.0.1:{receiver.port}/subguard?tls=off"):
            refused(server, "is not ClickHouse", "sink", "status")
            refused(server, "is not ClickHouse", "sink", "migrate")
    tell("another server is not taken for ClickHouse")


def export_without_clickhouse(server, is_purged, tell):
    """Only what the log no longer has is asked for."""
    port = harness.free_port()
    with setting(server, "EVENT_SINK_URL", f"clickhouse://127.0.0.1:{port}/subguard?tls=off"):
        of_log = server.run("events", "export", "--log-only")
        if is_purged:
            refused(server, "--log-only leaves out what only ClickHouse has", "events", "export")
        else:
            expect(server.run("events", "export") == of_log != "", "an export of what the log has needs ClickHouse")
    tell(f"an export {'names' if is_purged else 'does not need'} a ClickHouse that is away")


def find_missing_views(server, node, tell):
    for statement in ("DROP TABLE subguard.ranking", "CREATE VIEW subguard.ranking AS SELECT 1 AS item FROM "
                      "(SELECT 1 FROM subguard.event_rows_77)"):
        with contextlib.suppress(Refusal):  # a current engine looks for the table at once
            node.ask(statement)
        for command in ("verify", "status"):
            refused(server, "subguard.ranking", "sink", command)
    server.run("sink", "migrate")
    expect_verified(server)
    tell("missing views were found and mended")


def forget_in_log(server):
    """Takes the older half of the blocks from the log, as a purge does. Returns the first block that stays."""
    ids = [row[0] for row in ask_database(server, "SELECT id FROM event_blocks ORDER BY id")]
    first = ids[len(ids) // 2]
    if server.database:
        server.database.ask(f"DELETE FROM event_blocks WHERE id < {first}")
    else:
        change(server, ("DELETE FROM event_blocks WHERE id < ?", (first,)))
    return first


def table_of(server):
    return next(line.split(": ")[1] for line in server.attempt("sink", "status").stdout.splitlines()
                if line.startswith("table: "))


def rebuild_after_purge(server, node, rows, tell):
    said = server.run("sink", "rebuild")
    expect(" and 0 of the old table" not in said, said)
    expect_same(server, node, rows, "a rebuild after a purge")
    tell(said.strip())


def refuse_losses(server, node, tell):
    rows = count(node)
    first = forget_in_log(server)
    rebuild_after_purge(server, node, rows, tell)
    table = table_of(server)
    week, lost = node.rows(
        f"SELECT toMonday(day) AS week, count() FROM subguard.{table} FINAL WHERE block < {first} "
        "GROUP BY week ORDER BY count() DESC LIMIT 1")[0]
    node.ask(f"ALTER TABLE subguard.{table} DROP PARTITION '{week}'")
    left = count(node)
    said = refused(server, "nothing was changed", "sink", "rebuild")
    expect(week in said and table_of(server) == table and count(node) == left, f"a refused rebuild: {said}")
    server.run("sink", "rebuild", "--accept-differences")
    expect_verified(server)
    expect(count(node) < rows, f"a rebuild that accepts a loss: {count(node)} events")
    tell(f"a rebuild refused the loss of {lost} events of the week of {week} until it was accepted")


def restore_older_backup(server, node, tell):
    rows = count(node)
    number = int(table_of(server).rpartition("_")[2])
    kept = server.folder / "kept-before-rebuild.sqlite"
    with (contextlib.closing(sqlite3.connect(server.store)) as source,
          contextlib.closing(sqlite3.connect(kept)) as target):
        source.backup(target)
    server.run("sink", "rebuild")
    for suffix in ("-wal", "-shm"):
        pathlib.Path(f"{server.store}{suffix}").unlink(missing_ok=True)
    shutil.copyfile(kept, server.store)
    refused(server, "--from NUMBER", "sink", "rebuild")
    after = int(node.rows(f"SELECT count() FROM subguard.event_rows_{number + 1} FINAL")[0][0])
    expect(after == rows, f"a refused rebuild left {after} of {rows} events")
    server.run("sink", "rebuild", "--from", str(number + 1))
    expect_same(server, node, rows, "a rebuild from a table of after the backup")
    tell(f"the events of event_rows_{number + 1} were kept when an older database was restored")


def rebuild_twice_at_once(server, node, tell):
    rows = count(node)
    statuses = []
    for _ in range(REBUILDS):
        both = []
        for _ in range(2):
            both.append(subprocess.Popen([server.binary, "sink", "rebuild"], env=server.environment, cwd=server.folder,
                                         text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
            time.sleep(0.08)
        for process in both:
            said = process.communicate()[0]
            statuses.append(process.returncode)
            expect(process.returncode == 0 or "another rebuild runs" in said, said)
        expect_same(server, node, rows, "two rebuilds at once")
    expect(0 in statuses, "no rebuild succeeded")
    tell(f"of two rebuilds at a time {statuses.count(0)} of {len(statuses)} ran")


def drop_old_weeks(server, node, tell):
    """Expects a server that does not run."""
    today = datetime.datetime.now(datetime.timezone.utc).date()
    day = today - datetime.timedelta(days=RETENTION_DAYS)
    limit = day - datetime.timedelta(days=day.weekday())

    def weeks():
        return [row[0] for row in node.rows("SELECT DISTINCT toMonday(day) AS week FROM subguard.events ORDER BY week")]

    before = weeks()
    expect(before[0] < str(limit) < before[-1], f"weeks: {before}, limit {limit}")
    with setting(server, "SINK_RETENTION_DAYS", RETENTION_DAYS):
        if server.database:
            server.database.ask("DELETE FROM job_leases WHERE job = 'event sink retention'")
        else:
            schedule(server, "event sink retention", int(time.time() * 1000) - DAY // 24)
        server.start().wait_until_ready()
        try:
            eventually(lambda: weeks()[0] >= str(limit), "old weeks are dropped", 150, 0.5)
            expect(weeks() == [week for week in before if week >= str(limit)], f"weeks: {weeks()} of {before}")
            expect_verified(server)
        finally:
            server.stop()
    tell(f"{len(before) - len(weeks())} weeks before {limit} were dropped, {len(weeks())} are left")


def check_losses(server, node, is_purged, tell):
    """A single server of ClickHouse. Begins with a server that runs, and ends with one that does not."""
    leave_others_alone(server, node, tell)
    find_missing_views(server, node, tell)
    server.stop()
    send_nothing_to_others(server, tell)
    export_without_clickhouse(server, is_purged, tell)
    refuse_losses(server, node, tell)
    restore_older_backup(server, node, tell)
    rebuild_twice_at_once(server, node, tell)
    drop_old_weeks(server, node, tell)


def check_losses_of_cluster(server, node, tell):
    """Several servers of ClickHouse, without one of SubGuard that runs."""
    rows = count(node)
    forget_in_log(server)
    rebuild_after_purge(server, node, rows, tell)
    drop_old_weeks(server, node, tell)
