"""The device's engine on a large database: all common reads and writes, and opening it."""

import json
import statistics
import subprocess

from measuring import building
from measuring.report import Table

SUBSCRIPTIONS = 10_000
LEDGER_ROWS_EACH = 20
READ_GOAL_MS = 10
WRITE_GOAL_MS = 5
OPEN_GOAL_MS = 50
READS = ["list", "totals", "pending", "score", "widget", "forecast", "remind"]
WRITES = ["add", "edit", "acknowledge"]


def engine(stage):
    table = Table(
        f"The engine with {SUBSCRIPTIONS:,} subscriptions and {SUBSCRIPTIONS * LEDGER_ROWS_EACH:,} ledger rows",
        {"milliseconds": ("ms", 2), "slowest": ("slowest ms", 2)},
        "next_day is the first call of a day, which enters the billing days that have passed")
    binary = building.release_binary("engine-bench")
    for number in range(stage.options.rounds):
        folder = stage.folder / f"engine-{number}"
        folder.mkdir()
        done = subprocess.run(
            [binary, "--folder", folder, "--subscriptions", str(SUBSCRIPTIONS), "--history", str(LEDGER_ROWS_EACH)],
            stdout=subprocess.PIPE, text=True, check=True)
        for name, values in sorted(json.loads(done.stdout).items()):
            table.add(name, milliseconds=statistics.median(values), slowest=max(values))
    for names, goal in ((READS, READ_GOAL_MS), (WRITES, WRITE_GOAL_MS), (["open"], OPEN_GOAL_MS)):
        for name in names:
            table.hold(f"{name} in ms", table.median(name, "milliseconds"), goal, at_least=False, unit=" ms")
    return [table]
