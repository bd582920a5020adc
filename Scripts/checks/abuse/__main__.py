"""Attacks a server and judges what it cost; Scripts/check-abuse describes the arguments."""

import argparse
import multiprocessing
import sys
import time

import bounds
from crowds import run_crowds
from routes import read_routes
from self_test import run_self_test
from server import Refusal, Server
from table import run_table


def say(text):
    print(text, flush=True)


def main():
    parser = argparse.ArgumentParser(prog="Scripts/check-abuse")
    parser.add_argument("--binary")
    parser.add_argument("--route", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    began = time.monotonic()
    run_self_test(say)
    if options.self_test:
        return 0
    routes = [route for route in read_routes() if options.route in route.name]
    if not routes:
        parser.error(f"no route of docs/openapi.json contains '{options.route}'")
    say(f"bounds: {bounds.CPU_MS_PER_KB:g} ms CPU per KB sent (at least {bounds.LEAST_KB:g} KB counts), "
        f"{bounds.ANSWER_BYTES_PER_BYTE:g} answer bytes per request byte ({bounds.FREE_ANSWER_BYTES:,} are free), "
        f"{bounds.PEAK_MB:g} MB, {bounds.HONEST_GET_MS:g} ms for an honest GET")
    crowds = []
    with Server(options.binary) as server:
        rows = run_table(server, routes, options.all, say)
        server.stop()
    if not options.route:
        crowds = run_crowds(lambda: Server(options.binary), say)
    say(f"check-abuse: {len(rows)} rows and {len(crowds)} crowds beyond a bound, "
        f"after {time.monotonic() - began:.0f} s")
    return 1 if rows or crowds else 0


multiprocessing.set_start_method("fork")
try:
    sys.exit(main())
except Refusal as refusal:
    sys.exit(f"error: check-abuse: {refusal}")
