"""Hold subguard-load against a server of known delay, a second load program and HdrHistogram's own library: the same
percentiles at a constant rate, also while the server stands still, and histograms that the library reads.

Usage: Scripts/check load-tool [-- SECONDS]      (SECONDS of each run, 10 by default)
"""

import asyncio
import json
import math
import subprocess
import sys
import threading
import time

from hdrh.histogram import HdrHistogram
from harness import debug_binary, expect, main, say

RATE = 200  # requests a second
CONNECTIONS = 64
PERCENTILES = {"p50": 50, "p90": 90, "p95": 95, "p99": 99, "p999": 99.9, "max": 100}
NEAR_SHARE, NEAR_MS = 0.1, 8  # how much two programs may differ on a machine that does other things


def usual_delay(number):
    """Of each fifty requests one takes 200 ms, four take 80 ms and the others 20 ms."""
    return 0.2 if number % 50 == 49 else 0.08 if number % 10 == 9 else 0.02


class Stub:
    """Answers each request after a delay that follows from its number; stands still for a second from `stop_at`."""

    def __init__(self, delay, status=lambda number: 200, stop_at=None):
        self.delay, self.status, self.stop_at, self.count = delay, status, stop_at, 0
        self.began = None
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=256), self.loop).result()
        self.port = server.sockets[0].getsockname()[1]

    def restart(self):
        self.count, self.began = 0, None

    async def serve(self, reader, writer):
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                number, self.count = self.count, self.count + 1
                self.began = self.began or time.monotonic()
                if self.stop_at is not None and 0 <= (now := time.monotonic() - self.began - self.stop_at) < 1:
                    await asyncio.sleep(1 - now)
                await asyncio.sleep(self.delay(number))
                writer.write(b"HTTP/1.1 %d X\r\nContent-Length: 2\r\n\r\n{}" % self.status(number))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


async def second_program(port, seconds):
    """An independent constant-rate load: milliseconds from when each request was due."""
    free, latencies = asyncio.Queue(), []
    for _ in range(CONNECTIONS):
        free.put_nowait(await asyncio.open_connection("127.0.0.1", port))

    async def call(due):
        reader, writer = await free.get()
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await reader.readuntil(b"{}")
        latencies.append((asyncio.get_running_loop().time() - due) * 1000)
        free.put_nowait((reader, writer))

    start, calls = asyncio.get_running_loop().time() + 0.1, []
    for number in range(RATE * seconds):
        due = start + number / RATE
        await asyncio.sleep(max(0, due - asyncio.get_running_loop().time()))
        calls.append(asyncio.create_task(call(due)))
    await asyncio.gather(*calls)
    latencies.sort()
    return {name: latencies[max(0, math.ceil(len(latencies) * percent / 100) - 1)]
            for name, percent in PERCENTILES.items()}


def load(folder, stub, seconds, *more):
    """(exit status, figures, what was written on standard error) of one run of subguard-load."""
    stub.restart()
    path = folder / "load.json"
    done = subprocess.run(
        [debug_binary("subguard-load"), "--url", f"http://127.0.0.1:{stub.port}", "--profile", "catalogue",
         "--connections", str(CONNECTIONS), "--request-rate", str(RATE), "--warm-up", "0s", "--duration", f"{seconds}s",
         "--json", str(path), *more], capture_output=True, text=True, check=False)
    return done.returncode, json.loads(path.read_text(encoding="utf-8")), done.stderr


def expect_near(name, ours, theirs):
    expect(abs(ours - theirs) <= max(NEAR_MS, NEAR_SHARE * theirs),
        f"{name}: {ours:.1f} ms, but {theirs:.1f} ms elsewhere")


def compare(title, folder, stub, seconds):
    """The latencies of both programs, in milliseconds, after a comparison of their percentiles."""
    status, figures, errors = load(folder, stub, seconds)
    expect(status == 0 and figures["requests"] == RATE * seconds, f"{title}: status {status}: {errors}")
    stub.restart()
    others = asyncio.run(second_program(stub.port, seconds))
    due = {name: figures["from_due_us"][name] / 1000 for name in PERCENTILES}
    say(f"{title:14} " + "  ".join(f"{name} {due[name]:.1f} and {others[name]:.1f} ms" for name in due))
    # Not p90, which lies between two of the known delays.
    for name in ("p50", "p95", "p99"):
        expect_near(f"{title}, {name}", due[name], others[name])
    return figures, due


def expect_readable(latencies):
    """HdrHistogram's own library reads the histogram and finds the same percentiles, to three digits."""
    histogram = HdrHistogram.decode(latencies["histogram"])
    expect(histogram.total_count == latencies["count"], f"{histogram.total_count} of {latencies['count']} values")
    for name, percent in PERCENTILES.items():
        value = histogram.get_value_at_percentile(percent)
        expect(abs(value - latencies[name]) <= latencies[name] / 1000 + 1,
            f"{name}: {latencies[name]} us, read as {value} us")
    expect(abs(histogram.get_mean_value() - latencies["mean"]) <= latencies["mean"] / 1000 + 1, "the mean differs")


def check(folder):
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    stub = Stub(usual_delay)
    figures, due = compare("known delays", folder, stub, seconds)
    for name, delay in (("p50", 20), ("p95", 80), ("p99", 200), ("max", 200)):
        expect(due[name] >= delay, f"{name} is {due[name]} ms, less than the server takes")
        if name != "max":  # which one disturbance decides
            expect_near(f"known delays, {name}", due[name], delay)
    expect(abs(figures["requests_per_second"] - RATE) <= RATE / 100, f"{figures['requests_per_second']} requests/s")
    found = [figures["from_due_us"], figures["from_sent_us"]]
    found += [latencies for route in figures["routes"].values() for latencies in route["classes"].values()]
    for latencies in found:
        expect_readable(latencies)

    expect(load(folder, stub, 3, "--p99", "300ms", "--p95", "120ms")[0] == 0, "bounds that are kept fail a run")
    status, _, errors = load(folder, stub, 3, "--p99", "150ms")
    expect(status == 1 and errors.startswith("--p99: "), f"status {status}: {errors}")
    refusing = Stub(lambda _: 0.001, status=lambda number: 503 if number % 100 == 99 else 200)
    expect(load(folder, refusing, 3, "--refused", "1%")[0] == 0, "refusals within the allowance fail a run")
    status, _, errors = load(folder, refusing, 3)
    expect(status == 1 and errors == "--refused: more than 0: 503: 6\n", f"status {status}: {errors}")

    figures, due = compare("a standstill", folder, Stub(lambda _: 0.005, stop_at=seconds / 2), seconds)
    late = HdrHistogram.decode(figures["from_due_us"]["histogram"])
    late = sum(step.count_at_value_iterated_to for step in late.get_recorded_iterator()
        if step.value_iterated_to > 500_000)
    expect(late >= 0.9 * RATE / 2, f"only {late} of {RATE / 2:.0f} requests that were due are charged half a second")
    expect(due["max"] >= 900, f"the longest wait is {due['max']} ms")
    return f"{len(found)} histograms are read by HdrHistogram's library, and two programs agree"


main("load-tool", check)
