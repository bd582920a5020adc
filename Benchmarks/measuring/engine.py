"""The device's engine on a large database: the questions, beside a script with Python's sqlite3 on the same file;
writes, opening, and taking back a large import."""

import json
import statistics
import subprocess

from measuring import building, engine_peer
from measuring.report import Table

SUBSCRIPTIONS = 10_000
LEDGER_ROWS_EACH = 20
PEER_CALLS = 3
READ_GOAL_MS = 10
WRITE_GOAL_MS = 5
OPEN_GOAL_MS = 50
IMPORT_GOAL_MS = 1000
READS = [*engine_peer.QUESTIONS, "home_annual", "home_year", "balances", "remind", "widget_opening"]
WRITES = ["add", "edit", "acknowledge"]
IMPORTS = ["undo_import", "redo_import"]


def engine(stage):
    table = Table(
        f"The engine with {SUBSCRIPTIONS:,} subscriptions and {SUBSCRIPTIONS * LEDGER_ROWS_EACH:,} ledger rows",
        {"milliseconds": ("ms", 2), "slowest": ("slowest ms", 2), "python": ("python ms", 2)},
        "next_day is the first call of a day, which enters the billing days that have passed; python is a script with "
        "sqlite3 on the same file")
    binary = building.release_binary("engine-bench")
    for index in range(stage.options.rounds):
        folder = stage.folder / f"engine-{index}"
        folder.mkdir()
        done = subprocess.run(
            [binary, "--folder", folder, "--subscriptions", str(SUBSCRIPTIONS), "--history", str(LEDGER_ROWS_EACH)],
            stdout=subprocess.PIPE, text=True, check=True)
        for name, values in sorted(json.loads(done.stdout).items()):
            table.add(name, milliseconds=statistics.median(values), slowest=max(values))
        for name, values in engine_peer.measure(folder / "bench.sqlite", PEER_CALLS).items():
            table.add(name, python=statistics.median(values))
    goals = ((READS, READ_GOAL_MS), (WRITES, WRITE_GOAL_MS), (["open"], OPEN_GOAL_MS), (IMPORTS, IMPORT_GOAL_MS))
    for names, goal in goals:
        for name in names:
            table.hold(f"{name} in ms", table.median(name, "milliseconds"), goal, at_least=False, unit=" ms")
    return [table]
