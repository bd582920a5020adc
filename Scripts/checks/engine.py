"""Compare `subguard` with third-party programs: billing days with python-dateutil, spending, forecasts and years of
random stores with a reference on it, sums in the home currency with Python's decimals, the calendar with icalendar,
plain-text accounting with beancount. Also restore forged backups."""

import datetime
import email
import email.policy
import hashlib
import json
import logging
import os
import pathlib
import random
import ssl
import subprocess
import uuid
import warnings

import icalendar
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from beancount import loader
from beancount.core import data
from dateutil.relativedelta import relativedelta

from engine_lives import check_lives
from engine_rates import check_rates
from harness import Refusal, debug_binary, expect as require, free_port, main, make_certificate, say

SUBGUARD = debug_binary("subguard")
CYCLES = {
    "daily": {"days": 1}, "weekly": {"weeks": 1}, "biweekly": {"weeks": 2}, "monthly": {"months": 1},
    "quarterly": {"months": 3}, "semi_annual": {"months": 6}, "yearly": {"years": 1}, "lifetime": None,
    "every:10d": {"days": 10}, "every:2w": {"weeks": 2}, "every:5m": {"months": 5}, "every:18m": {"months": 18},
    "every:2y": {"years": 2}, "every:999d": {"days": 999}}
ANCHORS = [
    "2024-02-29", "2023-02-28", "2024-01-31", "2023-12-31", "2024-08-30", "2024-08-29", "2099-12-31", "2096-02-29",
    "2026-03-29", "2026-10-25", "1999-12-31"]
YEARS = 9
FORGERIES = 30
# `Scripts/check engine-full` takes 300, before a release. A hundred take one to three minutes.
LIVES = int(os.environ.get("SUBGUARD_CHECK_LIVES", "20"))
HOME_SUMS = 10_000
AWKWARD_NAMES = [
    'Loyer; "pro", 100 %', "Été 🎉 à l'œuvre " * 6, "back\\slash\\n", "=SUM(A1)", "العربية", "a:b;c=d", "ﬁ\u00adx",
    "  two  blanks  "]


class Store:
    def __init__(self, folder, name, now, zone="Europe/Paris"):
        self.flags = ["--store", str(pathlib.Path(folder) / name), "--now", now, "--zone", zone, "--lang", "en"]

    def attempt(self, *arguments, **variables):
        environment = {**os.environ, "SUBGUARD_PREMIUM": "true", **variables}
        return subprocess.run([SUBGUARD, *arguments, *self.flags], capture_output=True, env=environment, check=False)

    def at(self, now):
        later = Store.__new__(Store)
        later.flags = [now if index and self.flags[index - 1] == "--now" else flag
            for index, flag in enumerate(self.flags)]
        return later

    def run(self, *arguments):
        done = self.attempt(*arguments)
        if done.returncode != 0:
            raise Refusal(f"{arguments}: {done.stderr.decode()}")
        return done.stdout.decode()

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json"))

    def import_cycles(self, folder, day):
        """One subscription of each cycle, in one command; maps their identifiers to the cycles."""
        names = {str(uuid.uuid4()): cycle for cycle in CYCLES}
        path = pathlib.Path(folder, "cycles.json")
        path.write_text(json.dumps([
            {"id": key, "name": cycle, "amount": "12.34", "currency": "EUR", "cycle": cycle, "anchor_on": day}
            for key, cycle in names.items()]), encoding="utf-8")
        self.run("import", "--format", "json", str(path))
        return names

    def add(self, name, cycle, day, amount="12.34", currency="EUR"):
        return self.run(
            "add", "--name", name, "--amount", amount, "--currency", currency, "--cycle", cycle, "--next", day).strip()


def expected_days(anchor, step, first, last):
    """The first days, each computed from the anchor itself."""
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
        names = store.import_cycles(folder, text)
        last = anchor + relativedelta(years=YEARS)
        found = {cycle: [] for cycle in CYCLES}
        for row in store.json("upcoming", "--from", text, "--to", last.isoformat()):
            found[names[row["subscription_id"]]].append(datetime.date.fromisoformat(row["billing_on"]))
        # Two and a half years later, past days come from the ledger and future days from the schedule.
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
        store.add(name, list(CYCLES)[index % len(CYCLES)],
            f"2026-{index % 9 + 1:02}-{28 + index % 3 if index % 9 != 1 else 28}")
    store.add("end of month", "monthly", "2026-01-31")
    store.run("add", "--name", "trial", "--amount", "5", "--currency", "EUR", "--cycle", "monthly",
              "--next", "2026-12-10", "--trial-ends", "2026-12-10", "--remind", "7,3")
    octets = store.run("export", "--format", "ical").encode()
    require(octets.endswith(b"\r\n") and b"\n" not in octets.replace(b"\r\n", b""), "a line does not end in CR LF")
    require(all(len(line) <= 75 for line in octets.split(b"\r\n")), "a line is longer than 75 octets")
    calendar = icalendar.Calendar.from_ical(octets)
    require(not calendar.errors, f"icalendar finds errors: {calendar.errors}")
    events = list(calendar.walk("VEVENT"))
    require(all(not event.errors for event in events), "icalendar finds errors in an event")
    uids = [str(event["UID"]) for event in events]
    require(len(set(uids)) == len(uids), "two events have one UID")
    alarms = [alarm for event in events for alarm in event.walk("VALARM")]
    require(len(alarms) > len(uids) and all(not alarm.errors for alarm in alarms), "icalendar finds errors in an alarm")
    require({alarm["TRIGGER"].dt for alarm in alarms} == {
        datetime.timedelta(hours=9) - datetime.timedelta(days=days) for days in (3, 7, 14)},
        "an alarm has a wrong time")
    # Besides the charges, a trial's end and the last days to cancel what is paid for half a year or more.
    extra = {uid for uid in uids if "-cancel-by-" in uid or "-trial-end-" in uid}
    require(sum("-trial-end-" in uid for uid in extra) == 1, "the calendar has no end of the trial")
    deadlines = sorted((event["DTSTART"].dt.isoformat(), str(event["SUMMARY"]).removeprefix("Last day to cancel: "))
                       for event in events if "-cancel-by-" in str(event["UID"]))
    yearly = {"yearly", "semi_annual", "every:18m", "every:2y", "every:999d"}
    require(deadlines == sorted((row["cancel_by"], row["name"]) for row in store.json("cancel-by")
                                if row["reason"] != "renewal"
                                or store.json("show", row["subscription_id"])["cycle"] in yearly),
            f"the calendar has the deadlines {deadlines}")
    events = [event for event in events if str(event["UID"]) not in extra]
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
    require({currency: str(total) for currency, total in sums.items()} == spent,
        f"beancount adds up to {sums}, not {spent}")
    return len(entries)


def check_mail(folder):
    """Reminders by mail, to aiosmtpd with STARTTLS and a password."""
    # aiosmtpd logs a failed handshake, which is wanted here, and warns of its own fields.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module="aiosmtpd")
    messages, password, refusals = [], "p@ss:w0rd/%", ["451 later"]
    certificate, key = make_certificate(pathlib.Path(folder))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)

    class Handler:
        async def handle_DATA(self, server, session, envelope):
            if refusals:
                return refusals.pop()
            messages.append(envelope)
            return "250 taken"

    def authenticate(server, session, envelope, mechanism, data):
        good = isinstance(data, LoginPassword) and (data.login, data.password) == (b"me", password.encode())
        return AuthResult(success=good, handled=False)

    port = free_port()
    controller = Controller(
        Handler(), hostname="127.0.0.1", port=port, tls_context=context, require_starttls=True, auth_required=True,
        authenticator=authenticate)
    controller.start()
    try:
        store = Store(folder, "mail.sqlite", "2026-11-20T10:00:00Z")
        for name in AWKWARD_NAMES:
            store.add(name, "monthly", "2026-11-25")
        store.run("remind")
        later = store.at("2026-11-22T10:00:00Z")
        variables = {
            "SUBGUARD_SMTP_URL": f"smtp://me:p%40ss%3Aw0rd%2F%25@127.0.0.1:{port}",
            "SUBGUARD_MAIL_TO": "Zoë <me@example.org>", "SUBGUARD_SMTP_CA_FILE": str(certificate)}
        untrusted = later.attempt("remind", "--mail", **{**variables, "SUBGUARD_SMTP_CA_FILE": ""})
        require(untrusted.returncode == 1 and not messages, "mail was sent to a server of an unknown authority")
        wrong = {**variables, "SUBGUARD_SMTP_URL": f"smtp://me:wrong@127.0.0.1:{port}"}
        require(later.attempt("remind", "--mail", **wrong).returncode == 1, "a wrong password was taken")
        refused = later.attempt("remind", "--mail", **variables)
        require(refused.returncode == 1 and b"451" in refused.stderr, f"a refusal is not reported: {refused.stderr}")
        taken = later.attempt("remind", "--mail", **variables)
        require(taken.returncode == 0, f"mail was refused: {taken.stderr}")
        require(later.attempt("remind", "--mail", **variables).returncode == 0, "the second run failed")
        require(len(messages) == 1, f"{len(messages)} messages arrived")
        message = email.message_from_bytes(messages[0].content, policy=email.policy.default)
        lines = message.get_content().splitlines()
        require(message["Subject"] == f"{len(AWKWARD_NAMES)} reminders from SubGuard", f"subject {message['Subject']}")
        require(message["To"].addresses[0].display_name == "Zoë", "the recipient's name is lost")
        wanted = {f"{row['name']}: €12.34 due in 3 days, on 2026-11-25" for row in store.json("list")}
        require(set(lines) == wanted, f"the message says {set(lines) ^ wanted}")
    finally:
        controller.stop()
    return len(lines)


def filled(store):
    """A database with a row in every table."""
    subscription = store.add("A é", "monthly", "2026-01-31")
    other = store.add("B", "every:10d", "2026-11-22", "500", "JPY")
    people = [store.run("people", "add", "--name", name).strip() for name in ("P", "Q")]
    group = store.run("groups", "add", "--name", "G", "--members", ",".join(people)).strip()
    store.run("expenses", "add", "--group", group, "--title", "t", "--amount", "9.99", "--currency", "EUR",
              "--paid-by", people[0], "--on", "2026-11-01", "--split", "even")
    store.run("share", subscription, "--with", people[0])
    store.run("transactions", "add", "--title", "x", "--amount", "1", "--currency", "EUR", "--on", "2026-11-01",
              "--type", "income", "--person", people[1])
    store.run("price", subscription, "--amount", "15", "--from", "2026-12-01")
    store.run("budget", "set", "--amount", "5", "--currency", "EUR")
    store.run("pause", other)
    store.run("ack", f"{subscription}:2026-11-30")
    return [subscription, *people]


def check_forged_backups(folder):
    """Backups with a valid checksum and wrong values must be accepted or rejected completely, and never crash the
    program."""
    random.seed(20261120)
    store = Store(folder, "whole.sqlite", "2026-11-20T10:00:00Z")
    ids = filled(store)
    whole = pathlib.Path(folder, "whole.json")
    store.run("backup", str(whole))
    values = [
        None, -1, 0, 1, 2**63 - 1, -2**63, 2**63, 10**12 + 1, "", "x", "2026-02-30", "9999-12-31", "0001-01-01",
        "0001-01-01T00:00:00Z", "EUR", "XXX", *ids, "0" * 32, "f" * 32, "every:999y", "lifetime", "7,1", f"{ids[1]}=5",
        f"{ids[1]}={2**63 - 1},{ids[2]}={2**63 - 1}", "percent", "z" * 300, True, 1.5, []]
    target = Store(folder, "forged.sqlite", "2026-11-20T10:00:00Z")
    forged = pathlib.Path(folder, "forged.json")
    refused = 0
    for _ in range(FORGERIES):
        document = json.loads(whole.read_text(encoding="utf-8"))
        for _ in range(random.randint(1, 2)):
            row = random.choice(random.choice([table for table in document["tables"] if table["rows"]])["rows"])
            row[random.randrange(len(row))] = random.choice(values)
        tables = json.dumps(document["tables"], ensure_ascii=False, separators=(",", ":"))
        document["checksum"] = hashlib.sha256(tables.encode()).hexdigest()
        forged.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
        before = target.run("export", "--format", "json")
        verb = random.choice(["restore", "merge"])
        done = target.attempt(verb, str(forged))
        require(done.returncode in (0, 1), f"{verb} ended with {done.returncode}: {document}")
        require(b"checksum" not in done.stderr, "the forgery itself is wrong")
        if done.returncode == 1:
            refused += 1
            require(target.run("export", "--format", "json") == before, f"a refused {verb} changed the store")
        for call in (["list"], ["upcoming", "--days", "400"], ["total"], ["score"], ["forecast"], ["reminders"],
                     ["widget"], ["cancel-by"], ["budget", "list"], ["expenses", "list"],
                     ["export", "--format", "ical"]):
            target.run(*call)
    require(0 < refused < FORGERIES, "every forgery, or none, was refused: nothing was tried")
    return refused


def check(folder):
    say(f"{check_occurrences(folder)} billing days agree with python-dateutil")
    say(f"{check_lives(folder, Store, LIVES):,} sums of {LIVES} random stores agree with the reference, to the cent")
    say(f"{check_rates(folder, Store, HOME_SUMS):,} random sums in the home currency agree with Python's decimals")
    say(f"{check_calendar(folder)} events are read back by icalendar")
    say(f"{check_accounting(folder)} entries are taken by beancount, and add up")
    say(f"{check_mail(folder)} reminders arrive in one mail, through STARTTLS and a password, and once")
    return f"{check_forged_backups(folder)} of {FORGERIES} forged backups are rejected, none changes half of a store"


main("engine", check)
