"""The database of a server and its commands `sink`, as the parts of the check `sink` use them."""

import contextlib
import sqlite3

from harness import expect


def ask_database(server, sql):
    """The rows of a query, which also PostgreSQL understands."""
    if server.database:
        return [tuple(int(cell) for cell in line.split("|")) for line in server.database.ask(sql).splitlines()]
    with contextlib.closing(sqlite3.connect(f"file:{server.store}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def change(server, *statements):
    with contextlib.closing(sqlite3.connect(server.store, timeout=30)) as connection, connection:
        for statement, values in statements:
            connection.execute(statement, values)


def schedule(server, job, moment):
    change(server, ("INSERT INTO job_leases (job, due_at) VALUES (?, ?) "
                    "ON CONFLICT (job) DO UPDATE SET due_at = excluded.due_at", (job, moment)))


def verify(server):
    done = server.attempt("sink", "verify")
    return done.returncode, done.stdout + done.stderr


def expect_verified(server):
    status, words = verify(server)
    expect(status == 0 and "no differences" in words, f"sink verify: {words[:2000]}")
    return words.splitlines()[-2]
