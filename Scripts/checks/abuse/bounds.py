"""What an attack may cost, and how a measurement is judged. KB are 1,000 bytes, MB 1,000,000."""

import dataclasses

CPU_MS_PER_KB = 5.0  # processor time of the server for each KB that a client sends
ANSWER_BYTES_PER_BYTE = 20.0  # bytes that the server sends for each byte that it receives
DISK_BYTES_PER_GET = 3_000.0  # what the server writes to its disk for a GET, in a burst from one client
PEAK_MB = 300.0  # resident memory of the server under 64 hostile clients
HONEST_GET_MS = 100.0  # a catalogue request of another client meanwhile, 95 of 100

# A request has a fixed cost, and an answer a fixed size, however small the request is.
LEAST_KB = 1.0
FREE_ANSWER_BYTES = 4_096


@dataclasses.dataclass(frozen=True)
class Row:
    """One measurement: a body that was sent to a route with a credential, `count` times on one connection."""

    route: str
    body: str
    credential: str
    status: str
    sent: int
    received: int
    cpu_ms: float
    count: int = 1
    # A successful GET answers with content that everybody may read; its size is bounded by the page, not the request.
    is_content: bool = False
    # Written to the disk, where it was measured: a GET should change nothing.
    disk_bytes: int = 0

    @property
    def cpu_ms_per_kb(self):
        return self.cpu_ms / max(self.sent / 1000, LEAST_KB * self.count)

    @property
    def answer_ratio(self):
        answered = max(0, self.received - FREE_ANSWER_BYTES * self.count)
        return answered / max(self.sent, LEAST_KB * 1000 * self.count)

    def breaches(self):
        found = []
        if self.cpu_ms_per_kb > CPU_MS_PER_KB:
            found.append(f"{self.cpu_ms_per_kb:.1f} ms CPU per KB, more than {CPU_MS_PER_KB:g}")
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
    """What 64 hostile clients did to the server, and to an honest one beside them."""

    name: str
    peak_mb: float
    waits_ms: list
    refusals: list  # what an honest client was refused, with the status

    @property
    def usual_wait_ms(self):
        ordered = sorted(self.waits_ms)
        return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))] if ordered else float("inf")

    def breaches(self):
        found = []
        if self.peak_mb > PEAK_MB:
            found.append(f"{self.peak_mb:,.0f} MB of memory, more than {PEAK_MB:g}")
        if self.usual_wait_ms > HONEST_GET_MS:
            found.append(f"an honest GET waited {self.usual_wait_ms:,.0f} ms, more than {HONEST_GET_MS:g}")
        if self.refusals:
            found.append(f"{len(self.refusals)} honest requests failed, the first with {self.refusals[0]}")
        return found
