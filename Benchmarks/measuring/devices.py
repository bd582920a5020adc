"""Ten thousand concurrent devices that behave like the client, simulated by subguard-load."""

import json
import os
import subprocess
import sys
import tempfile

from measuring.report import Table
from measuring.servers import SubGuard

DEVICES = 10_000
QUICK_DEVICES = 500
DAYS = 16
SECONDS_PER_DAY = 10
QUICK_SECONDS_PER_DAY = 0.5
SEED = 20_261_121
CATALOGUE_P99_GOAL_MS = 100
TEN_MILLION = 10_000_000
SECONDS_PER_CALENDAR_DAY = 86_400
PEAK_FACTOR = 3  # the busiest hour relative to the mean: people use their phones in the morning and in the evening
BUSY_SHARE = 0.7  # of a core, at the peak


def devices(stage):
    """Runs once, on its own database: a run takes minutes, and its percentiles are over several hundred thousand
    calls."""
    quick = stage.options.quick
    count = QUICK_DEVICES if quick else DEVICES
    seconds = DAYS * (QUICK_SECONDS_PER_DAY if quick else SECONDS_PER_DAY)
    calls = Table(
        f"{count:,} devices on {count:,} connections, {DAYS} days in {seconds:g} s",
        {"requests": ("requests", 0), "p50": ("p50 ms", 2), "p90": ("p90 ms", 2), "p99": ("p99 ms", 2),
         "max": ("most ms", 2)}, "latency from when a device wanted to ask, connecting included")
    cost = Table(
        "A device and day, and what 10 million devices would need",
        {"requests": ("requests", 3), "cpu": ("CPU us", 1), "received": ("bytes to it", 0), "sent": ("bytes from", 0),
         "stored": ("stored bytes", 1), "cores": ("cores 10M", 2)},
        "cores at a peak of 3 times the mean, 70 % busy")
    with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
        server = SubGuard(stage.binary, folder).prepare()
        with server:
            figures, errors = _load(stage, server, count, seconds)
    for name, call in figures["routes"].items():
        calls.add(name, requests=call["requests"],
                  **{key: call["latency_us"][key] / 1000 for key in ("p50", "p90", "p99", "max")})
    day = figures["device_day"]
    cores = day["processor_us"] / 1e6 * TEN_MILLION / SECONDS_PER_CALENDAR_DAY * PEAK_FACTOR / BUSY_SHARE
    cost.add("subguardd", requests=day["requests"], cpu=day["processor_us"], received=day["bytes_received"],
             sent=day["bytes_sent"], stored=day["store_bytes"], cores=cores)
    calls.remarks += [*figures["failures"], *errors]
    calls.hold("connections at once", figures["most_connected"], count)
    calls.hold("p99 of the catalogue in ms", figures["catalogue_p99_us"] / 1000, CATALOGUE_P99_GOAL_MS,
               at_least=False, unit=" ms")
    calls.hold("errors", sum(figures["errors"].values()), 0, at_least=False)
    calls.hold("events lost or miscounted", figures["events"]["lost"] + figures["events"]["miscounts"], 0,
               at_least=False)
    calls.hold("figures of the dashboard that differ", _differences(figures["dashboard"]), 0, at_least=False)
    return [calls, cost]


def _load(stage, server, count, seconds):
    """The results and messages of the load tool."""
    token = subprocess.run(
        [server.binary, "token", "create", "--role", "analyst", "--name", "bench"], env=server.environment(),
        stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    path = server.folder / "devices.json"
    done = subprocess.run(
        [stage.load_program, "--url", f"http://127.0.0.1:{server.port}", "--devices", str(count), "--days", str(DAYS),
         "--duration", f"{seconds}s", "--seed", str(SEED), "--server-pid", str(server.process.pid), "--server-store",
         server.store, "--json", path],
        env={**os.environ, "SUBGUARD_TOKEN": token}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if not path.exists():
        sys.exit(f"error: bench: subguard-load ended with {done.returncode}: {done.stderr[:1000]}")
    return json.loads(path.read_text()), [] if done.returncode == 0 else [f"exit status {done.returncode}"]


def _differences(dashboard):
    return sum(figure["expected"] != figure["server"] for figure in dashboard.values())
