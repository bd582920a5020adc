"""Latency at a constant rate: 70 % of the rate that the same server has just reached under saturation."""

import contextlib

from measuring.calls import CATALOGUE
from measuring.load import CONNECTIONS, PacedLoad, saturate
from measuring.report import Table

SHARE = 0.7
GOAL_MS = 5
COLUMNS = {
    "maximum": ("maximum/s", 0), "rate": ("sent/s", 0), "p50": ("p50 ms", 2), "p90": ("p90 ms", 2),
    "p99": ("p99 ms", 2), "p999": ("p99.9 ms", 2), "most": ("most ms", 2), "p99_from_sent": ("p99 sent ms", 2),
    "faults": ("faults", 0)}


def tail(stage):
    options = stage.options
    tables = []
    with contextlib.ExitStack() as running:
        servers = [running.enter_context(server) for server in (stage.subguard(), stage.nginx())]
        for path in ("/healthz", CATALOGUE):
            table = Table(
                f"GET {path} at {SHARE:.0%} of the server's own maximum, {CONNECTIONS} connections", COLUMNS,
                "latency from when a request was due; p99 sent: from when it was sent")
            for _ in range(options.rounds):
                for server in servers:
                    maximum = saturate(server.port, path, options.seconds).rate
                    sent = maximum * SHARE
                    with PacedLoad(stage.load_tool, server.port, path, CONNECTIONS, sent, options.seconds) as load:
                        add_paced(table, server.name, load.outcome(), maximum=maximum, rate=sent)
            table.hold("p99 in ms", table.median("subguardd", "p99"), GOAL_MS, at_least=False, unit=" ms")
            hold_no_faults(table)
            tables.append(table)
    return tables


def hold_no_faults(table):
    """Latencies do not include unanswered requests, so there must be none."""
    table.hold("requests lost or failed, connections closed, in all rounds", sum(table.rows["subguardd"]["faults"]), 0,
               at_least=False)


def add_paced(table, row, outcome, **more):
    figures = {name: outcome["from_due_us"][name] / 1000 for name in ("p50", "p90", "p99", "p999")}
    table.add(
        row, **figures, most=outcome["from_due_us"]["max"] / 1000,
        p99_from_sent=outcome["from_sent_us"]["p99"] / 1000,
        faults=outcome["unanswered"] + outcome["closed"] + outcome["wrong"], **more)
