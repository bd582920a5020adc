"""Analytics batches: compared with Hummingbird, GRDB and JSONDecoder, with SQLite alone, and on a large database."""

import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from measuring import building, processes
from measuring.report import Table
from measuring.saturation import WORTH_A_REMARK_CORES
from measuring.servers import Hummingbird, SubGuard, fetch

CONNECTIONS = 16
BATCH = 100
PATH_EVENTS = "events.sqlite"
PEER_GOAL = 10
SQLITE_GOAL = 0.5
P99_GOAL_MS = 20
BYTES_GOAL = 120
FULL_STORE_SHARE = 0.8
READ_GOAL_MS = 10
START_GOAL_SECONDS = 1
READS = ("dashboard", "funnel", "cohorts")
READ_TIMES = 20
REBUILD_GOAL = 300_000

RATE_COLUMNS = {
    "rate": ("events/s", 0), "p50": ("p50 ms", 2), "p99": ("p99 ms", 2), "cpu_us": ("CPU us/event", 2),
    "load_cores": ("load cores", 2), "bytes": ("bytes/event", 0), "faults": ("faults", 0)}
PACED_COLUMNS = {
    "sent": ("events/s", 0), "p50": ("p50 ms", 2), "p90": ("p90 ms", 2), "p99": ("p99 ms", 2), "p999": ("p99.9 ms", 2),
    "most": ("most ms", 2), "faults": ("faults", 0)}


def ingest(stage):
    return [*_empty_store(stage), *(_full_store(stage) if stage.options.full else [])]


def _empty_store(stage):
    """Each round begins with new files; the contenders alternate."""
    options = stage.options
    rates = Table(
        f"POST /api/v1/analytics, batches of {BATCH}, {CONNECTIONS} connections, empty store", RATE_COLUMNS,
        "closed loop; synchronous=FULL everywhere; ids v4; all events with properties; every answer checked")
    paced = Table(
        "the same at half of its own rate, open loop", PACED_COLUMNS, "latency from when a batch was due")
    foreign = []
    for _ in range(options.rounds):
        for name, make in (("subguardd", subguard), ("hummingbird", hummingbird)):
            with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
                server = make(stage, folder)
                empty = _size(folder)
                with server:
                    row, others = saturate(stage, server)
                    stored = row.pop("stored")
                    foreign.append(others)
                    if name == "subguardd":
                        figures = _pace(stage, server, row["rate"] / 2)
                        stored += figures.pop("stored")
                        paced.add(name, **figures)
                # Stopping merges the write-ahead log into the file.
                rates.add(name, **row, bytes=(_size(folder) - empty) / stored)
        rates.add("SQLite alone", rate=_append(stage))
    if (share := statistics.median(foreign)) > WORTH_A_REMARK_CORES:
        rates.remarks.append(f"disturbed: other programs took {share:.2f} cores meanwhile")
    rates.remarks.append(
        f"SQLite alone: transactions of {BATCH * CONNECTIONS} events, the most that group commit can join, one thread, "
        "no index but the ids'")
    rates.hold("events/s, subguardd / hummingbird", rates.ratio("subguardd", "hummingbird", "rate"), PEER_GOAL,
        unit=" x")
    rates.hold("events/s, subguardd / SQLite alone", rates.ratio("subguardd", "SQLite alone", "rate"), SQLITE_GOAL,
               unit=" x")
    rates.hold("bytes on disk an event", rates.median("subguardd", "bytes"), BYTES_GOAL, at_least=False)
    rates.hold("failed or unanswered, in all rounds", sum(rates.rows["subguardd"]["faults"]), 0, at_least=False)
    paced.hold("p99 in ms", paced.median("subguardd", "p99"), P99_GOAL_MS, at_least=False, unit=" ms")
    paced.hold("failed or unanswered, in all rounds", sum(paced.rows["subguardd"]["faults"]), 0, at_least=False)
    return [rates, paced]


def _full_store(stage):
    """Fills a database with timestamps over 60 days and 200,000 users, then measures as before."""
    table = Table(
        f"{stage.options.full:,} stored events, random v4 ids",
        RATE_COLUMNS | {"filled": ("filled in s", 0), "memory": ("memory MB", 0)})
    reads = Table("reads there, one after the other", {"p50": ("p50 ms", 2), "most": ("most ms", 2)})
    rebuild = Table(
        "figures rebuild there, beside the idle server",
        {"events": ("events", 0), "users": ("users", 0), "seconds": ("s", 1), "rate": ("events/s", 0)})
    restart = Table(
        "start there, after kill -9 under load", {"ready": ("ready in s", 2), "settled": ("complete in s", 2)},
        "`ready in s`: until /readyz answers 200; `complete in s`: from then until a dashboard is complete")
    with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
        server = subguard(stage, folder)
        with server:
            empty, _ = saturate(stage, server)
            stored = empty.pop("stored")
            table.add("empty", **empty)
            settle(server)
            filled, seconds = fill(stage, server, stage.options.full)
            settle(server)
            full, _ = saturate(stage, server)
            stored += filled + full.pop("stored")
            full["memory"] = server.memory_mb()
            token = analyst_token(server)
            settle(server)
            for read in READS:
                _time_reads(reads, server.port, read, token)
            _rebuild(rebuild, server)
        table.add("full", **full, filled=seconds, bytes=_size(folder) / stored)
        with server:
            restart.add("subguardd", **_start_after_kill(stage, server, token))
    restart.hold("ready in s", restart.median("subguardd", "ready"), START_GOAL_SECONDS, at_least=False, unit=" s")
    table.hold("events/s, full / empty", table.ratio("full", "empty", "rate"), FULL_STORE_SHARE, unit=" x")
    return [table, reads, rebuild, restart]


def _start_after_kill(stage, server, token):
    load(stage, server.port, 2, "--closed", "--users", "200000", "--days", "60", sizes=1000)
    server.process.kill()
    server.process.wait()
    begun = time.monotonic()
    # Ended by the `with` block of the caller, as the process before would have been.
    server.__enter__()
    while fetch(server.port, "/readyz")[0] != 200:
        time.sleep(0.001)
    ready = time.monotonic() - begun
    return {"ready": ready, "settled": wait_until_complete(server, token)[1]}


def analyst_token(server):
    return subprocess.run(
        [server.binary, "token", "create", "--role", "analyst", "--name", "bench"], env=server.environment(),
        check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def dashboard(server, token):
    status, _, body = fetch(server.port, "/api/v1/admin/dashboard", {"Authorization": f"Bearer {token}"})
    if status != 200:
        sys.exit(f"error: bench: the dashboard answers {status}")
    return json.loads(body)


def wait_until_complete(server, token):
    """Waits until the dashboard is complete. Returns the number of users, and the seconds that took."""
    begun = time.monotonic()
    while not (figures := dashboard(server, token))["complete"]:
        pass
    return figures["total_users"]["value"], time.monotonic() - begun


def _rebuild(table, server):
    """Computes all figures again, and holds the rate that the command prints."""
    done = subprocess.run(
        [server.binary, "figures", "rebuild"], env=server.environment(), check=True, stdout=subprocess.PIPE, text=True)
    found = re.match(r"rebuilt from (\d+) events, (\d+) users in ([\d.]+) s: (\d+) events/s\n", done.stdout)
    if not found:
        sys.exit(f"error: bench: figures rebuild: {done.stdout}")
    events, users, seconds, rate = map(float, found.groups())
    table.add("subguardd", events=events, users=users, seconds=seconds, rate=rate)
    table.hold("events/s of figures rebuild", rate, REBUILD_GOAL)


def fill(stage, server, events):
    """Adds at least so many events. Returns how many were added, and the seconds that took."""
    begun = time.monotonic()
    stored = 0
    while stored < events:
        figures = load(stage, server.port, 20, "--closed", "--users", "200000", "--days", "60", sizes=1000)
        if figures["failure"] or not figures["events"]["accepted"]["server"]:
            sys.exit(f"error: bench: filling stopped: {figures['failure']}")
        stored += figures["events"]["accepted"]["server"]
        print(f"  {stored:,} events after {time.monotonic() - begun:,.0f} s", file=sys.stderr)
    return stored, time.monotonic() - begun


def settle(server):
    """Waits until all events sent before are counted."""
    while server.metric("subguard_event_log_unfolded_events"):
        time.sleep(0.2)


def _time_reads(table, port, read, token):
    times = []
    for _ in range(READ_TIMES):
        begun = time.monotonic()
        status, _, _ = fetch(port, f"/api/v1/admin/{read}", {"Authorization": f"Bearer {token}"})
        if status != 200:
            table.remarks.append(f"{read}: not measured, status {status}")
            return
        times.append((time.monotonic() - begun) * 1000)
    table.add(read, p50=statistics.median(times), most=max(times))
    table.hold(f"{read} in ms", table.median(read, "p50"), READ_GOAL_MS, at_least=False, unit=" ms")


def subguard(stage, folder):
    settings = {} if stage.options.loops is None else {"LOOPS": str(stage.options.loops)}
    server = SubGuard(stage.binary, folder, settings)
    subprocess.run([stage.binary, "migrate"], env=server.environment(), check=True, stdout=subprocess.DEVNULL)
    return server


def hummingbird(stage, folder):
    return Hummingbird(
        building.peer_binary("hummingbird-peer"), folder, stage.store, events=pathlib.Path(folder) / PATH_EVENTS)


def load(stage, port, seconds, *more, sizes=BATCH):
    with tempfile.NamedTemporaryFile(dir=stage.folder, suffix=".json") as file:
        done = subprocess.run(
            [stage.load_program, "--url", f"http://127.0.0.1:{port}", "--connections", str(CONNECTIONS), "--duration",
             f"{seconds}s", "--batch-sizes", str(sizes), "--json", file.name,
             "--errors", "100%", "--refused", "100%",  # counted by faults()
             *([] if "--warm-up" in more else ["--warm-up", "0s"]), *more],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        text = pathlib.Path(file.name).read_text()
        if not text:
            sys.exit(f"error: bench: subguard-load: {done.stdout}")
        return json.loads(text)


def saturate(stage, server):
    """The results of a closed loop, and the cores used by other programs."""
    seconds = stage.options.seconds
    before, busy, begun = sum(server.cpu_seconds()), processes.machine_busy_seconds(), time.monotonic()
    figures = load(stage, server.port, seconds, "--closed", "--warm-up", "1s")
    cpu, elapsed = sum(server.cpu_seconds()) - before, time.monotonic() - begun
    others = max(0, processes.machine_busy_seconds() - busy - cpu - figures["load_tool_cores"] * elapsed) / elapsed
    stored = figures["events"]["accepted"]["server"]
    if not stored or figures["disagreements"]:
        sys.exit(f"error: bench: {server.name}: {figures['failure']}")
    return {
        "rate": figures["accepted_events_per_second"], "p50": figures["from_sent_us"]["p50"] / 1000,
        "p99": figures["from_sent_us"]["p99"] / 1000, "cpu_us": cpu * 1e6 / stored,
        "load_cores": figures["load_tool_cores"], "faults": faults(figures), "stored": stored}, others


def _pace(stage, server, rate):
    figures = load(stage, server.port, stage.options.seconds, "--rate", f"{rate:.1f}", "--warm-up", "1s")
    due = figures["from_due_us"]
    return {
        "sent": figures["accepted_events_per_second"],
        **{name: due[name] / 1000 for name in ("p50", "p90", "p99", "p999")},
        "most": due["max"] / 1000, "faults": faults(figures), "stored": figures["events"]["accepted"]["server"]}


def faults(figures):
    return sum(figures["errors"].values()) + sum(
        count for status, count in figures["statuses"].items() if status != "202")


def _append(stage):
    with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
        done = subprocess.run(
            [building.append_tool(), f"{folder}/{PATH_EVENTS}", str(BATCH * CONNECTIONS), str(stage.options.seconds)],
            check=True, stdout=subprocess.PIPE, text=True)
    figures = json.loads(done.stdout)
    return figures["events"] / figures["seconds"]


def _size(folder):
    """Total size of the databases in the folder, in bytes."""
    return sum(path.stat().st_size for path in pathlib.Path(folder).glob("*.sqlite"))
