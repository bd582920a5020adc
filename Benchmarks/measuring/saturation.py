"""Rounds of saturating load that alternate between servers: rate, latencies and the server's CPU time."""

import dataclasses
import resource
import statistics

from measuring import processes
from measuring.load import CONNECTIONS, saturate
from measuring.report import Table

COLUMNS = {
    "rate": ("requests/s", 0), "p50_us": ("p50 us", 0), "p90_us": ("p90 us", 0), "p99_us": ("p99 us", 0),
    "cpu_us": ("CPU us/req", 2), "user_us": ("of it user", 2), "load_cpu_us": ("load us/req", 2)}
WARM_UP_SECONDS = 1
WORTH_A_REMARK_CORES = 0.1


@dataclasses.dataclass
class Contender:
    row: str
    server: object
    path: str
    headers: dict = dataclasses.field(default_factory=dict)
    scheme: str = "http"
    connections: int = CONNECTIONS

    def run(self, seconds):
        port = self.server.tls_port if self.scheme == "https" else self.server.port
        return saturate(port, self.path, seconds, self.headers, self.scheme, self.connections)


def compete(title, contenders, options, note=""):
    """A table of `options.rounds` rounds. Each measurement has its own warm-up."""
    table = Table(title, COLUMNS, note)
    foreign = []
    for _ in range(options.rounds):
        for contender in contenders:
            contender.run(WARM_UP_SECONDS)
            figures, others = _measure(contender, options.seconds)
            table.add(contender.row, **figures)
            foreign.append(others / options.seconds)
    for row, figures in table.rows.items():
        if sum(figures["errors"]):
            table.remarks.append(f"{row}: {sum(figures['errors'])} errors")
    if (share := statistics.median(foreign)) > WORTH_A_REMARK_CORES:
        table.remarks.append(f"disturbed: other programs took {share:.2f} cores meanwhile")
    return table


def _measure(contender, seconds):
    """The results of one run, and the CPU seconds used by other programs."""
    busy, load_before = processes.machine_busy_seconds(), _children_seconds()
    user_before, system_before = contender.server.cpu_seconds()
    outcome = contender.run(seconds)
    user, system = contender.server.cpu_seconds()
    user, system, load = user - user_before, system - system_before, _children_seconds() - load_before
    others = max(0, processes.machine_busy_seconds() - busy - user - system - load)
    microseconds = 1e6 / outcome.requests
    return {
        "rate": outcome.rate, "p50_us": outcome.p50_us, "p90_us": outcome.p90_us, "p99_us": outcome.p99_us,
        "cpu_us": (user + system) * microseconds, "user_us": user * microseconds, "load_cpu_us": load * microseconds,
        "errors": outcome.errors}, others


def _children_seconds():
    """CPU time of ended load tools."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
