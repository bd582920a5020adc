"""The time from process start to the first catalogue response, and the memory used when idle."""

import sys
import time

from measuring import processes
from measuring.report import Table
from measuring.servers import fetch

FIRST_ANSWER_GOAL_MS = 150
IDLE_MEMORY_GOAL_MB = 40
IDLE_SECONDS = 1.0  # between the first response and the memory measurement
STARTS_PER_ROUND = 2


def start(stage):
    table = Table(
        "A start on a migrated store with the starter catalogue",
        {"first_answer": ("to answer ms", 1), "idle": ("idle MB", 1), "peak": ("peak MB", 1)})
    _measure(stage)  # reads the binary from disk
    for _ in range(stage.options.rounds * STARTS_PER_ROUND):
        table.add("subguardd", **_measure(stage))
    table.hold("start to first answer in ms", table.median("subguardd", "first_answer"), FIRST_ANSWER_GOAL_MS,
               at_least=False, unit=" ms")
    table.hold("resident memory idle in MB", table.median("subguardd", "idle"), IDLE_MEMORY_GOAL_MB, at_least=False,
               unit=" MB")
    return [table]


def _measure(stage):
    server = stage.subguard()
    begun = time.monotonic()
    with server:
        # Polling is cheap: a refused connection costs a few microseconds.
        _, _, body = fetch(server.port, "/api/v1/catalogue?limit=1")
        answered = time.monotonic()
        if b'"slug"' not in body:
            sys.exit("error: bench: the catalogue is empty, the figures would be too good")
        time.sleep(IDLE_SECONDS)
        pid = server.process.pid
        return {
            "first_answer": (answered - begun) * 1000, "idle": processes.memory_mb(pid),
            "peak": processes.memory_mb(pid, "VmHWM")}
