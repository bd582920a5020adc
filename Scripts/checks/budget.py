"""Fail if the release binary allocates more per request than Benchmarks/budget.json allows. A preloaded library counts
allocations, so the results are exact, even on a busy machine.

Usage: Scripts/check budget [-- --binary PATH]
"""

import argparse
import json
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks"))

from measuring import building  # noqa: E402
from measuring.allocations import allocations_per_request, counted, counting  # noqa: E402
from measuring.calls import CALLS  # noqa: E402
from measuring.stage import Stage  # noqa: E402

REQUESTS = 5_000
# Periodic work of the server (timers, recurring jobs) falls into some request and only adds allocations, so the lowest
# of several measurements is the most accurate.
TOLERANCE = 0.1
MEASUREMENTS = 3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary")
    options = parser.parse_args()
    options.loops = None
    building.install("run")
    budget = json.loads((ROOT / "Benchmarks/budget.json").read_text())["allocations_per_request"]
    is_kept = True
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(options, folder)
        with stage.subguard(**counting(stage.folder)) as server:
            for call in CALLS:
                allowed = budget[call.name]
                calls, size = min(
                    allocations_per_request(stage.folder, server.port, call, REQUESTS) for _ in range(MEASUREMENTS))
                # Zero would mean that counting does not work.
                if counted(stage.folder)[0] == 0:
                    sys.exit("error: budget: the allocations of this binary cannot be counted")
                verdict = "kept" if calls <= allowed + TOLERANCE else "EXCEEDED"
                is_kept &= verdict == "kept"
                print(f"{call.name}: {calls:.2f} allocations ({size:.0f} bytes), budget {allowed}: {verdict}")
                if calls < allowed - 0.5:
                    print("  below its budget: lower Benchmarks/budget.json, so that it stays there")
    if not is_kept:
        sys.exit("error: budget: a request allocates more than its budget. Scripts/bench instructions --profile FOLDER "
                 "shows what it does")


main()
