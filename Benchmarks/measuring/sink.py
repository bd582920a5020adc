"""The event sink: events/s from a filled database to a real ClickHouse beside it, the processor time and memory of
subguardd meanwhile, acceptance at the same time, and the lag under a steady load."""

import contextlib
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from measuring import processes
from measuring.building import ROOT
from measuring.ingest import fill, load, saturate, settle, subguard
from measuring.report import Table
from measuring.servers import unused_port

sys.path.insert(0, str(ROOT / "Scripts/checks"))
from clickhouse import Node  # noqa: E402

STORED, STORED_QUICKLY = 2_000_000, 100_000
RATE_GOAL = 200_000
MEMORY_GOAL_MB = 300
ACCEPTANCE_GOAL = 0.8
LAG_GOAL_SECONDS = 5
PACED_EVENTS = 10_000  # a second
PACED_SECONDS = 30
VIEWS = ("events", "users", "funnel", "cohorts", "active_users", "ranking", "additions")


def sink(stage):
    history = Table(
        "a filled database sent to ClickHouse 18.16 beside it",
        {"events": ("events", 0), "seconds": ("s", 1), "rate": ("events/s", 0), "cpu_us": ("CPU us/event", 2),
         "peer_us": ("ClickHouse us", 2), "memory": ("most MB", 0), "bytes": ("bytes/event", 1)},
        "200,000 users over 60 days; `most MB`: VmHWM of subguardd; `bytes/event`: in ClickHouse, on disk")
    queries = Table("in ClickHouse there", {"seconds": ("s", 2)})
    acceptance = Table(
        "acceptance with and without the sink, which sends meanwhile what is accepted",
        {"rate": ("events/s", 0), "p99": ("p99 ms", 2), "cpu_us": ("CPU us/event", 2), "sent": ("sent events/s", 0)},
        "closed loop; subguardd, ClickHouse and the load share the cores")
    lag = Table(
        f"lag at {PACED_EVENTS:,} events/s", {"p50": ("p50 s", 2), "most": ("most s", 2), "sent": ("events/s", 0)})
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=stage.folder))
        # ClickHouse runs as another user, who must reach its own folder below this one.
        for path in (pathlib.Path(stage.folder), pathlib.Path(folder)):
            path.chmod(0o755)
        ports = {name: unused_port() for name in ("http", "tcp", "interserver")}
        node = Node(pathlib.Path(folder), "127.0.0.1", ports).start()
        stack.callback(node.kill)
        node.wait_until_ready()
        server = subguard(stage, folder)
        with server:
            fill(stage, server, stage.options.full or (STORED_QUICKLY if stage.options.quick else STORED))
            settle(server)
        without = server.settings
        with_sink = {**without, "EVENT_SINK_URL": f"clickhouse://subguard@127.0.0.1:{ports['http']}/subguard?tls=off"}
        server.settings = with_sink
        subprocess.run([stage.binary, "sink", "migrate"], env=server.environment(), check=True,
            stdout=subprocess.DEVNULL)
        _send_history(history, server, node)
        _time_queries(queries, server, node)
        for _ in range(stage.options.rounds):
            for name, chosen in (("without", without), ("with", with_sink)):
                server.settings = chosen
                with server:
                    _accept(acceptance, stage, server, name)
                    if name == "with":
                        _wait_until_sent(server)
        with server:
            _follow(lag, stage, server)
    history.hold("events/s from the filled database", history.median("subguardd", "rate"), RATE_GOAL)
    history.hold("most memory in MB", history.median("subguardd", "memory"), MEMORY_GOAL_MB, at_least=False, unit=" MB")
    acceptance.hold("events/s, with / without", acceptance.ratio("with", "without", "rate"), ACCEPTANCE_GOAL, unit=" x")
    lag.hold("most lag in s", lag.median("subguardd", "most"), LAG_GOAL_SECONDS, at_least=False, unit=" s")
    return [history, queries, acceptance, lag]


def _wait_until_sent(server):
    settle(server)
    while server.metric("subguard_event_sink_waiting_blocks"):
        time.sleep(0.1)


def _send_history(table, server, node):
    """Starts the server, which then has everything to send."""
    busy = sum(processes.cpu_seconds([node.process.pid]))
    begun = time.monotonic()
    with server:
        _wait_until_sent(server)
        seconds = time.monotonic() - begun
        events = server.metric("subguard_event_sink_events_total")
        memory = processes.memory_mb(server.process.pid, "VmHWM")
        cpu = sum(server.cpu_seconds())
    busy = sum(processes.cpu_seconds([node.process.pid])) - busy
    stored = int(node.ask("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'subguard'"))
    table.add(
        "subguardd", events=events, seconds=seconds, rate=events / seconds, cpu_us=cpu * 1e6 / events,
        peer_us=busy * 1e6 / events, memory=memory, bytes=stored / events)


def _time_queries(table, server, node):
    for view in VIEWS:
        begun = time.monotonic()
        read_view(node, view)
        table.add(view, seconds=time.monotonic() - begun)
    begun = time.monotonic()
    subprocess.run([server.binary, "sink", "verify"], env=server.environment(), check=True, stdout=subprocess.DEVNULL)
    table.add("sink verify", seconds=time.monotonic() - begun)


def read_view(node, view):
    """Reads each column of a view."""
    columns = node.rows(f"SELECT name FROM system.columns WHERE database = 'subguard' AND table = '{view}'")
    greatest = ", ".join(f"max({name})" for name, in columns)
    node.ask(f"SELECT count(), {greatest} FROM subguard.{view}")


def _accept(table, stage, server, name):
    sent = server.metric("subguard_event_sink_events_total") if name == "with" else 0
    begun = time.monotonic()
    figures, _ = saturate(stage, server)
    seconds = time.monotonic() - begun
    row = {key: figures[key] for key in ("rate", "p99", "cpu_us")}
    if name == "with":
        row["sent"] = (server.metric("subguard_event_sink_events_total") - sent) / seconds
    table.add(name, **row)


def _follow(table, stage, server):
    """Samples the lag while a steady load arrives; the first seconds are left out."""
    seconds = 5 if stage.options.quick else PACED_SECONDS
    found = {}
    loading = threading.Thread(target=lambda: found.update(
        load(stage, server.port, seconds, "--rate", str(PACED_EVENTS), "--warm-up", "3s")))
    loading.start()
    time.sleep(4)
    lags = []
    while loading.is_alive():
        lags.append(server.metric("subguard_event_sink_lag_seconds"))
        time.sleep(0.2)
    loading.join()
    table.add("subguardd", p50=statistics.median(lags), most=max(lags), sent=found["accepted_events_per_second"])
