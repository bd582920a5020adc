"""Lets the server purge what ClickHouse has, and holds that nothing is lost by it: not an event that waits to be sent,
and no figure, exported line or count. A copy of the database that keeps everything says what they must be. Used by the
check `sink`."""

import contextlib
import sqlite3
import time

import harness
from harness import eventually, expect
from sink_explorer import compare_counts, compare_exports, exports_of, without_sink
from sink_figures import Figures
from sink_history import DAY, Sending
from sink_server import change, schedule

RETENTION_DAYS = 7
LATE_EVENTS = 1200
# The first purge is 300 s after the start of a server, and the schedule is looked at once a minute.
PURGE_SECONDS = 400
JOBS = ("event purge", "event block joining")  # joining would give events other numbers of blocks


def forget_ranking(server):
    """The next reader of the ranking takes another."""
    statement = f"UPDATE ranking_refreshes SET refreshed_at = refreshed_at - {2 * DAY}"
    if server.database:
        server.database.ask(statement)
    else:
        change(server, (statement, ()))


def blocks(server):
    """The numbers of events of the blocks, by id."""
    with contextlib.closing(sqlite3.connect(server.store, timeout=30)) as connection:
        return dict(connection.execute("SELECT id, event_count FROM event_blocks ORDER BY id"))


def hold_jobs(server):
    """Nothing is purged and no block joined for a day."""
    for job in JOBS:
        schedule(server, job, int(time.time() * 1000) + DAY)


def copy_of(server):
    """A server without the sink and with the default retention, on a copy of the database."""
    twin = without_sink(server, "kept")
    del twin.environment["SUBGUARD_ANALYTICS_RETENTION_DAYS"]
    twin.environment["SUBGUARD_DATABASE_URL"] = f"sqlite:{twin.store}"
    with contextlib.closing(sqlite3.connect(server.store)) as source, \
            contextlib.closing(sqlite3.connect(twin.store)) as target:
        source.backup(target)
    return twin.start().wait_until_ready()


def purged(server, since):
    """A row with the number of events that the purge removed; None until it has run."""
    server.expect_alive()
    with contextlib.closing(sqlite3.connect(server.store, timeout=30)) as connection:
        return connection.execute(
            "SELECT removed_count FROM retention_runs WHERE subject = 'event_blocks' AND ran_at >= ?",
            (since,)).fetchone()


def compare_all_figures(server, twin, token):
    """Windows end at the moment of reading, so the same moment is tried for again."""
    def differing():
        found, wanted = (Figures(each, token, None).everything() for each in (server, twin))
        return [path for path in wanted if wanted[path] != found[path]], wanted

    differences = []
    for _ in range(5):
        differences, everything = differing()
        if not differences:
            return sum(text.count(":") for text in everything.values())
    raise harness.Refusal(f"figures changed by the purge: {differences[:10]}")


def purge(server, token, node, history, has_arrived, tell):
    """Returns a server on the copy. At the end ClickHouse is back, and has everything."""
    last_sent = max(blocks(server))
    node.kill()
    Sending(server.port, history.late_batches(LATE_EVENTS)).wait()
    eventually(lambda: Figures(server, token, None).read("dashboard")["complete"], "the figures are complete")
    before = blocks(server)
    old = [block for block in before if block <= last_sent // 2]
    waiting = [block for block in before if block > last_sent]
    expect(old and waiting, f"{len(old)} old blocks, {len(waiting)} that wait")
    # Both take the ranking when it is read after the purge.
    forget_ranking(server)
    twin = copy_of(server)
    # A purge looks at this column only; the times of the events are in the packed blocks.
    change(server, ("UPDATE event_blocks SET received_at = received_at - ? WHERE id <= ? OR id > ?",
                    ((RETENTION_DAYS + 1) * DAY, last_sent // 2, last_sent)))
    began = time.monotonic()
    released = int(time.time() * 1000)
    schedule(server, "event purge", 0)
    count, = eventually(lambda: purged(server, released), "the server purges", PURGE_SECONDS, 0.5)
    after = blocks(server)
    expect(all(after.get(block) == before[block] for block in waiting), "the purge took events that were not sent")
    expect(after.keys() == before.keys() - set(old), f"not the {len(old)} old blocks were purged: {sorted(after)[:20]}")
    expect(count == sum(before[block] for block in old), f"the purge removed {count} events")
    tell(f"{count} events were purged after {time.monotonic() - began:.0f} s, "
         f"and {sum(before[block] for block in waiting)} as old were not, which wait for ClickHouse")
    tell(f"{compare_all_figures(server, twin, token)} values of figures are the same as without the purge")
    expect(not has_arrived(server), "nothing waits for ClickHouse")
    node.start().wait_until_ready()
    eventually(lambda: has_arrived(server), "everything is in ClickHouse", 180, 0.5)
    return twin


def compare_after_purge(server, twin, token, history, tell):
    tell(f"{compare_exports(server, exports_of(twin))} exported lines are the same as without the purge")
    tell(f"{compare_counts(server, token, history, twin)} cells of the event explorer, too")
