"""Ten thousand keep-alive connections: idle, and with 1,000 requests per second."""

import resource
import sys
import time

from measuring.load import PacedLoad
from measuring.report import Table
from measuring.tail import add_paced, hold_no_faults

CONNECTIONS = 10_000
SPARE_DESCRIPTORS = 200
REQUESTS_PER_SECOND = 1_000
SOURCES = 20  # number of client addresses
SETTLE_SECONDS = 2
BUSY_COLUMNS = {
    "p50": ("p50 ms", 2), "p90": ("p90 ms", 2), "p99": ("p99 ms", 2), "p999": ("p99.9 ms", 2), "most": ("most ms", 2),
    "faults": ("faults", 0), "memory": ("memory MB", 1)}


def idle(stage):
    _require_descriptors()
    options = stage.options
    waiting = Table(
        f"{CONNECTIONS:,} connections, idle after one request each",
        {"empty": ("before MB", 1), "memory": ("memory MB", 1), "each": ("bytes each", 0)})
    busy = Table(
        f"{CONNECTIONS:,} connections, {REQUESTS_PER_SECOND:,} requests/s in turn", BUSY_COLUMNS,
        "latency from when a request was due")
    for _ in range(options.rounds):
        for make in (stage.subguard, stage.nginx):
            with make() as server:
                empty = server.memory_mb()
                with PacedLoad(
                        stage.load_tool, server.port, "/healthz", CONNECTIONS, sources=SOURCES) as load:
                    time.sleep(SETTLE_SECONDS)
                    memory = server.memory_mb()
                    if load.outcome()["closed"]:
                        waiting.remarks.append(f"{server.name} closed connections")
                waiting.add(
                    server.name, empty=empty, memory=memory, each=(memory - empty) * 1_000_000 / CONNECTIONS)
            with make() as server:
                _add_busy_round(busy, stage, server)
    waiting.hold("memory in MB", waiting.median("subguardd", "memory"), 100, at_least=False, unit=" MB")
    busy.hold("p99 in ms", busy.median("subguardd", "p99"), 20, at_least=False, unit=" ms")
    hold_no_faults(busy)
    busy.hold("memory in MB, the most that was seen", max(busy.rows["subguardd"]["memory"]), 200, at_least=False,
              unit=" MB")
    return [waiting, busy]


def _add_busy_round(table, stage, server):
    with PacedLoad(
            stage.load_tool, server.port, "/healthz", CONNECTIONS, REQUESTS_PER_SECOND,
            # long enough for a request on each connection
            max(stage.options.seconds, CONNECTIONS / REQUESTS_PER_SECOND), sources=SOURCES) as load:
        most = server.memory_mb()
        while load.is_running():
            time.sleep(0.2)
            most = max(most, server.memory_mb())
        add_paced(table, server.name, load.outcome(), memory=most)


def _require_descriptors():
    """Servers inherit the limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = CONNECTIONS + SPARE_DESCRIPTORS
    if hard != resource.RLIM_INFINITY and hard < needed:
        sys.exit(f"error: bench: {CONNECTIONS:,} connections need {needed:,} descriptors, the limit is {hard:,}: "
                 f"ulimit -Hn {needed} as root, or LimitNOFILE")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
