"""Send a real log, the flights that left New York in 2013, as events, and compare every number of the dashboard, the
funnel, the cohorts, the ranking and the series with those that pandas computes from the log: on SQLite and on
PostgreSQL. The server is killed several times meanwhile, and the last twelve hours of the log are dated ahead. Then the
same in four time zones, each adopted by a server that is killed while it counts again.

Usage: Scripts/check flights [-- [--flights N] [--seed N] [BINARY]]      (default: all 328,521 flights)
"""

import argparse
import datetime
import json
import os
import random
import signal
import time
from decimal import Decimal

import flights_log
import flights_reference
import harness
from database import Database
from flights_log import item_of
from flights_sending import Sending, instant, milliseconds
from harness import debug_binary, eventually, expect, main, say

AHEAD_MILLISECONDS = 12 * 3_600_000
SHOWN = 40  # differences
RANGES = 25
RANGES_OF_A_ZONE = 4
ZONES = ("Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe")
ADOPTION_SECONDS = 240
COUNTING_SECONDS = 300
# AirTran belongs to Southwest, and Virgin America to Alaska.
MERGED = {"FL": "WN", "VX": "AS"}
DELETED = {"YV"}


class Comparison:
    """Reads answers of the server and collects the cells that differ from those of the reference."""

    LEFT_OUT = {"as_of", "counted_until", "definition"}

    def __init__(self, server, token, references):
        self.server, self.token, self.references = server, token, references
        self.cells = 0
        self.differences = []

    def read(self, path):
        status, body, _ = self.server.call("GET", f"/api/v1/admin/{path}", token=self.token)
        expect(status == 200, f"GET {path} was answered {status}: {body[:300]}")
        return json.loads(body, parse_float=Decimal)

    def compare(self, path, wanted):
        """`wanted` makes the document from the reference and the time of the answer."""
        found = self.read(path)
        now = milliseconds(found["as_of"])
        self.walk(path, found, {"complete": True, "zone": self.references.zone, **wanted(self.references.at(now), now)})
        if found["complete"]:
            self.walk(f"{path} counted_until", found["counted_until"], found["as_of"])

    def walk(self, place, found, wanted):
        if isinstance(found, dict) and isinstance(wanted, dict):
            for key in sorted((found.keys() | wanted.keys()) - self.LEFT_OUT):
                self.walk(f"{place} {key}", found.get(key, "absent"), wanted.get(key, "absent"))
        elif isinstance(found, list) and isinstance(wanted, list):
            if len(found) != len(wanted):
                self.differences.append(f"{place}: {len(found)} rows, reference {len(wanted)}")
            for index, (one, other) in enumerate(zip(found, wanted)):
                self.walk(f"{place} {index}", one, other)
        else:
            self.cells += 1
            # True equals 1 in Python.
            if found != wanted or isinstance(found, bool) != isinstance(wanted, bool):
                self.differences.append(f"{place}: {found}, reference {wanted}")


def query(path, **parameters):
    given = "&".join(f"{key.rstrip('_')}={value}" for key, value in parameters.items() if value is not None)
    return f"{path}?{given}" if given else path


def import_carriers(server, token, names):
    """After everything was sent, because a ranking that the job takes meanwhile would stay for a day."""
    items = [
        {"id": item_of(carrier), "name": name, "slug": carrier.lower(), "category": "travel", "typical_amount": "9.99",
         "currency": "USD", "billing_cycle": "monthly"} for carrier, name in names.items()]
    calls = [("POST", "/import", items)]
    calls += [
        ("POST", f"/{item_of(kept)}/merge", {"duplicate_ids": [item_of(merged)]}) for merged, kept in MERGED.items()]
    calls += [("DELETE", f"/{item_of(carrier)}", None) for carrier in DELETED]
    for method, path, body in calls:
        status, answer, _ = server.call(method, f"/api/v1/admin/catalogue{path}", body, token=token)
        expect(status in (200, 204), f"{method} {path} was answered {status}: {answer[:500]}")


def compare_all(comparison, names, seed, count=RANGES):
    first, last = comparison.references.first_day, comparison.references.last_day
    # From weeks before the log until after today.
    days = [first + datetime.timedelta(days=number) for number in range(-20, (last - first).days + 20)]
    ranges = [(None, None), (first, last), (last, last), (first, first)]
    chance = random.Random(seed)
    for _ in range(count):
        start, end = sorted(chance.choices(days, k=2))
        ranges += [(start, end), (start, None), (None, end)]
    comparison.compare("dashboard", lambda reference, now: reference.dashboard(now))
    for start, end in ranges:
        comparison.compare(query("funnel", from_=start, to=end), lambda reference, _: reference.funnel(start, end))
        for by in flights_reference.SEGMENTS:
            within = chance.choice((None, 1, 2, 7, 30, 90))
            comparison.compare(
                query("funnel", from_=start, to=end, by=by, within=within and f"{within}d"),
                lambda reference, now: reference.funnel(start, end, within, by, now))
        within = chance.randint(1, 90)
        comparison.compare(
            query("funnel", from_=start, to=end, within=f"{within}d"),
            lambda reference, now: reference.funnel(start, end, within, None, now))
        comparison.compare(
            query("cohorts", from_=start, to=end), lambda reference, now: reference.cohorts(start, end, now))
        comparison.compare(
            query("cohorts", from_=start, to=end, by="month"),
            lambda reference, now: reference.cohorts(start, end, now, "month"))
    comparison.compare("ranking?limit=500", lambda reference, _: reference.ranking(names, MERGED, DELETED))
    for figure in flights_reference.SERIES:
        for step in flights_reference.STEPS:
            for start, end in ((days[0], days[-1]), (None, None)):
                comparison.compare(
                    query("series", figure=figure, step=step, from_=start, to=end),
                    lambda reference, now: reference.series(figure, start, end, step, now))
    comparison.compare("dashboard", lambda reference, now: reference.dashboard(now))


def adopt(server, comparison, zone):
    """Restarts the server with another zone, kills it while it counts again, and waits until it has done so."""
    server.stop()
    server.environment["SUBGUARD_REPORTS_TIME_ZONE"] = zone
    server.start().wait_until_ready()
    time.sleep(0.3)
    server.process.send_signal(signal.SIGKILL)
    server.process.wait(10)
    server.start().wait_until_ready()
    eventually(lambda: comparison.read("dashboard")["zone"] == zone, f"days are those of {zone}", ADOPTION_SECONDS)
    eventually(lambda: comparison.read("dashboard")["complete"], "everything is counted", COUNTING_SECONDS)


def check_database(name, server, told, references, seed):
    say(f"{name}:")
    names = flights_log.carriers()
    server.prepare().start().wait_until_ready()
    token = server.token()
    Sending(told, seed).run(server, token)
    comparison = Comparison(server, token, references)
    began = time.monotonic()
    eventually(lambda: comparison.read("dashboard")["zone"] == "UTC", "days are those of UTC", ADOPTION_SECONDS)
    eventually(lambda: comparison.read("dashboard")["complete"], "everything is counted", COUNTING_SECONDS)
    say(f"  complete {time.monotonic() - began:.1f} s after the last answer")
    import_carriers(server, token, names)
    began = time.monotonic()
    compare_all(comparison, names, seed)
    for zone in ZONES:
        adopt(server, comparison, zone)
        references.cut(zone)
        compare_all(comparison, names, seed, RANGES_OF_A_ZONE)
        verification = server.attempt("figures", "verify")
        expect(verification.returncode == 0, f"{zone}: figures verify: {verification.stdout} {verification.stderr}")
        say(f"  {zone}: {comparison.cells} cells so far, {len(comparison.differences)} differ")
    references.cut("UTC")
    for difference in comparison.differences[:SHOWN]:
        say(f"  {name} {difference}")
    different = len(comparison.differences)
    say(f"  {comparison.cells} cells compared in {time.monotonic() - began:.1f} s, {different} differ")
    expect(different == 0, f"{name}: {different} of {comparison.cells} cells differ")
    server.stop()
    return comparison.cells


def check(folder):
    parser = argparse.ArgumentParser()
    parser.add_argument("--flights", type=int)
    parser.add_argument("--seed", type=int, default=2013)
    parser.add_argument("binary", nargs="?", type=os.path.abspath)
    options = parser.parse_args()
    binary = options.binary or debug_binary("subguardd")
    flights = flights_log.departures(int(time.time() * 1000) + AHEAD_MILLISECONDS, options.flights)
    told = flights_log.events(flights)
    references = flights_reference.References(flights)
    references.check_mapping(told)
    say(f"{len(flights)} flights of {flights.user.nunique()} aircraft are {len(told)} events, the first at "
        f"{instant(int(flights.moment.min()))}, the last at {instant(int(flights.moment.max()))}")
    settings = {"RATE_LIMIT_ENABLED": "false", "LOG_LEVEL": "warning"}
    server = harness.Server(binary, folder / "sqlite", settings, "server on SQLite", catalogue=False)
    cells = check_database("SQLite", server, told, references, options.seed)
    database = Database(folder)
    try:
        settings["DATABASE_URL"] = database.url
        server = harness.Server(binary, folder / "server", settings, "server on PostgreSQL", catalogue=False)
        cells += check_database("PostgreSQL", server, told, references, options.seed)
    finally:
        server.kill()
        database.stop(signal.SIGQUIT)
    return f"{cells} cells are those of pandas"


main("flights", check)
