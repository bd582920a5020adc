"""Bounds on the cost of an attack, and how measurements are judged. KB are 1,000 bytes, MB 1,000,000."""

import dataclasses
import json
import time

# CPU time of the server per KB sent by a client, where the yardstick takes its usual time; more on a slower machine.
CPU_MS_PER_KB = 5.0
USUAL_YARDSTICK_MS = 2.5
ANSWER_BYTES_PER_BYTE = 20.0  # bytes sent by the server per byte received
DISK_BYTES_PER_GET = 3_000.0  # bytes written to disk per GET, in a burst from one client
# Reads that leave a row in the audit log; only owners may make them.
AUDITED_GETS = {"GET /api/v1/admin/events/export"}
PEAK_MB = 300.0  # resident memory of the server with 64 hostile clients
KEPT_MB = 20.0  # a minute after the connections of holders have ended, more than before
HONEST_GET_MS = 100.0  # p95 of catalogue requests of another client meanwhile

# Requests smaller than this count as this size, because every request and response has a fixed cost.
LEAST_KB = 1.0
FREE_ANSWER_BYTES = 4_096

YARDSTICK = json.dumps([{"name": f"café {number}", "amount": number * 1.25, "tags": ["a", None, True]}
                        for number in range(3_000)])


def slowness():
    """How much slower this machine is at the moment than where CPU_MS_PER_KB was chosen, at least 1. The yardstick is
    Python's json reading a text of 216 KB; a shared machine may change its speed twofold within minutes."""
    best = float("inf")
    for _ in range(3):
        before = time.thread_time()
        json.loads(YARDSTICK)
        best = min(best, time.thread_time() - before)
    return max(1.0, best * 1000 / USUAL_YARDSTICK_MS)


@dataclasses.dataclass(frozen=True)
class Row:
    """One measurement: a body sent to a route with a credential, `count` times on one connection."""

    route: str
    body: str
    credential: str
    status: str
    sent: int
    received: int
    cpu_ms: float
    count: int = 1
    # A successful GET returns public content, whose size is bounded by the page rather than by the request.
    is_content: bool = False
    # Bytes written to disk, if measured: a GET should write nothing.
    disk_bytes: int = 0
    # Of the machine, just after the request (see above).
    slowness: float = 1.0

    @property
    def cpu_ms_per_kb(self):
        return self.cpu_ms / max(self.sent / 1000, LEAST_KB * self.count)

    @property
    def cpu_excess(self):
        """CPU time in multiples of the bound."""
        return self.cpu_ms_per_kb / (CPU_MS_PER_KB * self.slowness)

    @property
    def answer_ratio(self):
        answered = max(0, self.received - FREE_ANSWER_BYTES * self.count)
        return answered / max(self.sent, LEAST_KB * 1000 * self.count)

    def breaches(self):
        found = []
        if self.cpu_excess > 1:
            found.append(f"{self.cpu_ms_per_kb:.1f} ms CPU per KB, more than {CPU_MS_PER_KB * self.slowness:.1f}")
        if self.answer_ratio > ANSWER_BYTES_PER_BYTE and not self.is_content:
            found.append(f"{self.answer_ratio:,.0f} answer bytes per request byte, more than {ANSWER_BYTES_PER_BYTE:g}")
        if self.disk_bytes / self.count > DISK_BYTES_PER_GET:
            found.append(f"{self.disk_bytes / self.count:,.0f} bytes written to the disk for a GET, "
                         f"more than {DISK_BYTES_PER_GET:,.0f}")
        if not self.status:
            found.append("no answer")
        return found


@dataclasses.dataclass(frozen=True)
class Crowd:
    """The effect of 64 hostile clients on the server and on an honest client."""

    name: str
    peak_mb: float
    waits_ms: list
    refusals: list  # rejected requests of the honest client, with status
    # Of the machine, just after the crowd: the honest client shares its processors.
    slowness: float = 1.0

    @property
    def usual_wait_ms(self):
        ordered = sorted(self.waits_ms)
        return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))] if ordered else float("inf")

    def breaches(self):
        found = []
        if self.peak_mb > PEAK_MB:
            found.append(f"{self.peak_mb:,.0f} MB of memory, more than {PEAK_MB:g}")
        if self.usual_wait_ms > HONEST_GET_MS * self.slowness:
            found.append(f"an honest GET waited {self.usual_wait_ms:,.0f} ms, more than "
                         f"{HONEST_GET_MS * self.slowness:,.0f}")
        if self.refusals:
            found.append(f"{len(self.refusals)} honest requests failed, the first with {self.refusals[0]}")
        return found


@dataclasses.dataclass(frozen=True)
class Holding(Crowd):
    """The effect of thousands of connections with something unfinished."""

    before_mb: float = 0.0
    after_mb: float = 0.0

    def breaches(self):
        found = super().breaches()
        if self.after_mb > self.before_mb + KEPT_MB:
            found.append(f"{self.after_mb:,.0f} MB of memory a minute later, more than {KEPT_MB:g} over the "
                         f"{self.before_mb:,.0f} before")
        return found
