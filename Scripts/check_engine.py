"""Plays subscriptions of every cycle to `subguard` and compares with python-dateutil, icalendar and beancount.

Usage: check_engine.py SUBGUARD. Exits with 1 at the first difference and says which.
"""

import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import icalendar
from beancount import loader
from beancount.core import data
from dateutil.relativedelta import relativedelta

SUBGUARD = sys.argv[1]
CYCLES = {
    "daily": {"days": 1}, "weekly": {"weeks": 1}, "biweekly": {"weeks": 2}, "monthly": {"months": 1},
    "quarterly": {"months": 3}, "semi_annual": {"months": 6}, "yearly": {"years": 1}, "lifetime": None,
    "every:10d": {"days": 10}, "every:2w": {"weeks": 2}, "every:5m": {"months": 5}, "every:18m": {"months": 18},
    "every:2y": {"years": 2}, "every:999d": {"days": 999}}
ANCHORS = [
    "2024-02-29", "2023-02-28", "2024-01-31", "2023-12-31", "2024-08-30", "2024-08-29", "2099-12-31", "2096-02-29",
    "2026-03-29", "2026-10-25", "1999-12-31"]
YEARS = 9
AWKWARD_NAMES = [
    'Loyer; "pro", 100 %', "Été 🎉 à l'œuvre " * 6, "back\\slash\\n", "=SUM(A1)", "العربية", "a:b;c=d", "ﬁ\u00adx", "  two  blanks  "]


class Store:
    def __init__(self, folder, name, now, zone="Europe/Paris"):
        self.flags = ["--store", str(pathlib.Path(folder) / name), "--now", now, "--zone", zone, "--lang", "en"]

    def run(self, *arguments):
        environment = {**os.environ, "SUBGUARD_PREMIUM": "true"}
        done = subprocess.run([SUBGUARD, *arguments, *self.flags], capture_output=True, env=environment, check=False)
        if done.returncode != 0:
            sys.exit(f"error: {arguments}: {done.stderr.decode()}")
        return done.stdout.decode()

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json"))

    def add(self, name, cycle, day, amount="12.34", currency="EUR"):
        return self.run(
            "add", "--name", name, "--amount", amount, "--currency", currency, "--cycle", cycle, "--next", day).strip()


def require(condition, message):
    if not condition:
        sys.exit(f"error: {message}")


def expected_days(anchor, step, first, last):
    """The anchor plus so many steps, each reckoned from the anchor itself."""
    days = []
    count = 0
    while True:
        day = anchor + relativedelta(**{unit: number * count for unit, number in step.items()}) if step else anchor
        if day > last:
            return days
        if day >= first:
            days.append(day)
        if step is None:
            return days
        count += 1


def check_occurrences(folder):
    compared = 0
    for text in ANCHORS:
        anchor = datetime.date.fromisoformat(text)
        store = Store(folder, f"{text}.sqlite", f"{text}T10:00:00Z")
        names = {store.add(cycle, cycle, text): cycle for cycle in CYCLES}
        last = anchor + relativedelta(years=YEARS)
        found = {cycle: [] for cycle in CYCLES}
        for row in store.json("upcoming", "--from", text, "--to", last.isoformat()):
            found[names[row["subscription_id"]]].append(datetime.date.fromisoformat(row["billing_on"]))
        # Two and a half years later the days that have passed come from the ledger, the others from the schedule.
        later = anchor + relativedelta(days=911)
        aged = Store(folder, f"{text}.sqlite", f"{later.isoformat()}T10:00:00Z")
        mixed = {cycle: [] for cycle in CYCLES}
        for row in aged.json("upcoming", "--from", text, "--to", last.isoformat()):
            mixed[names[row["subscription_id"]]].append(datetime.date.fromisoformat(row["billing_on"]))
        for cycle, step in CYCLES.items():
            wanted = expected_days(anchor, step, anchor, last)
            require(found[cycle] == wanted, f"{cycle} from {text}: {found[cycle][:5]}, dateutil says {wanted[:5]}")
            require(mixed[cycle] == wanted, f"{cycle} from {text} as of {later}: {mixed[cycle][:5]}, not {wanted[:5]}")
            compared += 2 * len(wanted)
    return compared


def check_calendar(folder):
    store = Store(folder, "calendar.sqlite", "2026-11-20T22:59:59Z")
    for index, name in enumerate(AWKWARD_NAMES):
        store.add(name, list(CYCLES)[index % len(CYCLES)], f"2026-{index % 9 + 1:02}-{28 + index % 3 if index % 9 != 1 else 28}")
    store.add("end of month", "monthly", "2026-01-31")
    octets = store.run("export", "--format", "ical").encode()
    require(octets.endswith(b"\r\n") and b"\n" not in octets.replace(b"\r\n", b""), "a line does not end in CR LF")
    require(all(len(line) <= 75 for line in octets.split(b"\r\n")), "a line is longer than 75 octets")
    calendar = icalendar.Calendar.from_ical(octets)
    require(not calendar.errors, f"icalendar finds errors: {calendar.errors}")
    events = list(calendar.walk("VEVENT"))
    require(all(not event.errors for event in events), "icalendar finds errors in an event")
    uids = [str(event["UID"]) for event in events]
    require(len(set(uids)) == len(uids), "two events have one UID")
    found = sorted((event["DTSTART"].dt.isoformat(), str(event["SUMMARY"])) for event in events)
    wanted = sorted(
        (row["billing_on"], f"{row['name']} {row['amount']} {row['currency']}")
        for row in store.json("upcoming", "--from", "2026-11-20", "--to", "2028-11-20"))
    require(found == wanted, f"the calendar says {set(found) ^ set(wanted)}")
    require(all(event["DTEND"].dt - event["DTSTART"].dt == datetime.timedelta(days=1) for event in events),
            "an event does not last one day")
    require(octets == store.run("export", "--format", "ical").encode(), "the second export differs")
    return len(events)


def check_accounting(folder):
    begun = Store(folder, "accounting.sqlite", "2026-01-01T10:00:00Z")
    for index, name in enumerate(AWKWARD_NAMES):
        begun.add(name, "monthly", f"2026-01-{index + 3:02}", amount="1200" if index == 2 else "12.34",
                  currency="JPY" if index == 2 else "EUR")
    store = Store(folder, "accounting.sqlite", "2026-11-20T10:00:00Z")
    entries, errors, _ = loader.load_string(store.run("export", "--format", "beancount"))
    require(not errors, f"beancount finds {errors[:3]}")
    sums = {}
    for entry in entries:
        if isinstance(entry, data.Transaction):
            for posting in entry.postings:
                if posting.account.startswith("Expenses:"):
                    currency = posting.units.currency
                    sums[currency] = sums.get(currency, 0) + posting.units.number
    spent = {row["currency"]: row["amount"] for row in store.json("spending")}
    require({currency: str(total) for currency, total in sums.items()} == spent, f"beancount adds up to {sums}, not {spent}")
    return len(entries)


def main():
    with tempfile.TemporaryDirectory() as folder:
        print(f"engine: {check_occurrences(folder)} billing days agree with python-dateutil")
        print(f"engine: {check_calendar(folder)} events are read back by icalendar")
        print(f"engine: {check_accounting(folder)} entries are taken by beancount, and add up")


main()
