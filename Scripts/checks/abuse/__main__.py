"""Attack a server with default limits and fail if an attack costs the server too much compared with the attacker: every
route of docs/openapi.json with hostile bodies, with and without credentials, every field of a head that the server
reads, crowds of 64 clients, then 16,384 connections with something unfinished. Each request comes from its own loopback
address, so that limits per client apply as on a network.

Usage: Scripts/check abuse [-- [--binary PATH] [--only table|crowds] [--route TEXT] [--all]]
                                                                            (the release binary by default, built first)
       Scripts/check abuse -- --self-test                                   (only prove that the check can fail)

--only runs the table with the heads, or the crowds with the unfinished requests. --route limits the table to routes
whose "METHOD /path" contains TEXT, and skips the rest. --all prints every row instead of the worst of each route.
The bounds are in bounds.py and apply to release builds.
"""

import argparse
import multiprocessing
import pathlib
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import bounds  # noqa: E402
from crowds import run_crowds  # noqa: E402
from holders import run_holders  # noqa: E402
from harness import expect, main, release_binary, say  # noqa: E402
from routes import read_routes  # noqa: E402
from self_test import run_self_test  # noqa: E402
from server import Server  # noqa: E402
from table import run_heads, run_table  # noqa: E402


def check(_):
    parser = argparse.ArgumentParser(prog="Scripts/check abuse --")
    parser.add_argument("--binary")
    parser.add_argument("--only", choices=["table", "crowds"])
    parser.add_argument("--route", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    began = time.monotonic()
    run_self_test(say)
    if options.self_test:
        return "every bound can fail"
    binary = options.binary or release_binary("subguardd")
    routes = [route for route in read_routes() if options.route in route.name]
    if not routes:
        parser.error(f"no route of docs/openapi.json contains '{options.route}'")
    say(f"bounds: {bounds.CPU_MS_PER_KB:g} ms CPU per KB sent (at least {bounds.LEAST_KB:g} KB counts; a machine "
        f"{bounds.slowness():.1f} times as slow is allowed as much more), "
        f"{bounds.ANSWER_BYTES_PER_BYTE:g} answer bytes per request byte ({bounds.FREE_ANSWER_BYTES:,} are free), "
        f"{bounds.PEAK_MB:g} MB, {bounds.HONEST_GET_MS:g} ms for an honest GET")
    rows, crowds = [], []
    if options.only != "crowds":
        with Server(binary) as server:
            rows = run_table(server, routes, options.all, say)
    if options.only != "crowds" and not options.route:
        with Server(binary, TRUSTED_PROXIES="127.0.0.0/8", PUBLIC_URL="https://x.example") as server:
            rows += run_heads(server, say)
    if options.only != "table" and not options.route:
        crowds = run_crowds(lambda: Server(binary), say)
        crowds += run_holders(lambda tls: Server(binary, tls), say)
    expect(not rows and not crowds, f"{len(rows)} rows and {len(crowds)} crowds beyond a bound")
    return f"no attack costs more than it may, after {time.monotonic() - began:.0f} s"


multiprocessing.set_start_method("fork")
main("abuse", check)
