"""Analytics batches of new users only: the rate, beside Hummingbird, and how long the figures take to be complete."""

import statistics
import sys
import tempfile
import threading
import time

from measuring import ingest
from measuring.report import Table

# The load tool picks a user at random for each event: hardly any twice.
ALL_NEW = ("--users", "100000000")
PEER_GOAL = 10
EMPTY_SETTLE_SECONDS = 1
FULL_SETTLE_SECONDS = 3
STORED_USERS = 5_000_000
READ_PAUSE_SECONDS = 0.1

COLUMNS = {
    "rate": ("events/s", 0), "cpu_us": ("CPU us/event", 2), "users": ("users", 0), "settled": ("complete in s", 2),
    "read_p50": ("read p50 ms", 2), "read_most": ("read most ms", 2), "complete": ("complete %", 0),
    "faults": ("faults", 0)}


def newcomers(stage):
    """Each round begins with new files; the contenders alternate. With --full also beside 5 million stored users."""
    table = Table(
        f"analytics of new users only, batches of {ingest.BATCH}, {ingest.CONNECTIONS} connections, empty store",
        COLUMNS,
        "closed loop; ids v4; `complete in s`: from the last answer until a dashboard is complete; reads: a dashboard "
        f"every {READ_PAUSE_SECONDS} s meanwhile")
    for _ in range(stage.options.rounds):
        with tempfile.TemporaryDirectory(dir=stage.folder) as folder, ingest.subguard(stage, folder) as server:
            table.add("subguardd", **_flood(stage, server, ingest.analyst_token(server)))
        with tempfile.TemporaryDirectory(dir=stage.folder) as folder, ingest.hummingbird(stage, folder) as server:
            table.add("hummingbird", **_flood(stage, server))
    table.hold(
        "events/s, subguardd / hummingbird", table.ratio("subguardd", "hummingbird", "rate"), PEER_GOAL, unit=" x")
    table.hold(
        "complete in s", table.median("subguardd", "settled"), EMPTY_SETTLE_SECONDS, at_least=False, unit=" s")
    table.hold("failed or unanswered, in all rounds", sum(table.rows["subguardd"]["faults"]), 0, at_least=False)
    if stage.options.full:
        with tempfile.TemporaryDirectory(dir=stage.folder) as folder, ingest.subguard(stage, folder) as server:
            token = ingest.analyst_token(server)
            _fill(stage, server, token)
            table.add("5 million stored", **_flood(stage, server, token))
        table.hold(
            "complete in s, 5 million stored", table.median("5 million stored", "settled"), FULL_SETTLE_SECONDS,
            at_least=False, unit=" s")
    return [table]


def _fill(stage, server, token):
    users = 0
    while users < STORED_USERS:
        figures = ingest.load(stage, server.port, 10, "--closed", *ALL_NEW, sizes=1000)
        if figures["failure"]:
            sys.exit(f"error: bench: filling stopped: {figures['failure']}")
        users, _ = ingest.wait_until_complete(server, token)
        print(f"  {users:,} users", file=sys.stderr)


class _Reader(threading.Thread):
    """Reads the dashboard again and again."""

    def __init__(self, server, token):
        super().__init__()
        self.server, self.token = server, token
        self.stopped = threading.Event()
        self.milliseconds, self.complete = [], []

    def run(self):
        while not self.stopped.wait(READ_PAUSE_SECONDS):
            begun = time.monotonic()
            dashboard = ingest.dashboard(self.server, self.token)
            self.milliseconds.append((time.monotonic() - begun) * 1000)
            self.complete.append(dashboard["complete"])


def _flood(stage, server, token=None):
    before = sum(server.cpu_seconds())
    reader = _Reader(server, token) if token else None
    if reader:
        reader.start()
    figures = ingest.load(stage, server.port, stage.options.seconds, "--closed", *ALL_NEW)
    if reader:
        reader.stopped.set()
        reader.join()
    stored = figures["events"]["accepted"]["server"]
    if not stored or figures["disagreements"]:
        sys.exit(f"error: bench: {server.name}: {figures['failure']}")
    row = {"rate": figures["accepted_events_per_second"], "faults": ingest.faults(figures)}
    if reader:
        row["users"], row["settled"] = ingest.wait_until_complete(server, token)
        row["read_p50"], row["read_most"] = statistics.median(reader.milliseconds), max(reader.milliseconds)
        row["complete"] = 100 * statistics.mean(reader.complete)
    return row | {"cpu_us": (sum(server.cpu_seconds()) - before) * 1e6 / stored}
