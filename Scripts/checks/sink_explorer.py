"""Compares the event explorer and the exports of events that read ClickHouse with those that read the log. Used by the
check `sink`."""

import csv
import datetime
import io
import random
import urllib.parse

import harness
from harness import expect


class Visitor:
    """A session of the console."""

    def __init__(self, server, token):
        self.server = server
        form = urllib.parse.urlencode({"token": token})
        status, _, fields = server.call("POST", "/console/login", form, {
            "Content-Type": "application/x-www-form-urlencoded", "Origin": server.url, "Sec-Fetch-Site": "same-origin"})
        expect(status == 303, f"the sign-in was answered {status}")
        self.cookie = fields["Set-Cookie"].split(";")[0]

    def counts(self, selection):
        """(source, events by day)."""
        query = urllib.parse.urlencode({**selection, "format": "csv"})
        status, body, _ = self.server.call("GET", f"/console/events?{query}", fields={"Cookie": self.cookie})
        expect(status == 200, f"/console/events?{query} was answered {status}: {body[:300]}")
        rows = list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"))))
        return rows[0]["source"], {row["on"]: int(row["events"]) for row in rows}


def without_sink(server, name="without-sink"):
    """Another server on the same database."""
    other = harness.Server(server.binary, server.folder / name, {}, f"{server.name}-{name}")
    for key, value in server.environment.items():
        if key not in ("SUBGUARD_EVENT_SINK_URL", "SUBGUARD_EVENT_SINK_PASSWORD_FILE", "SUBGUARD_PORT"):
            other.environment[key] = value
    return other


def compare_counts(server, token, history, other=None):
    """The number of cells that the server has in ClickHouse, which must all be the same in the log; in that of another
    server, if there is one."""
    days = {"from": history_day(history, 80), "to": history_day(history, -1)}
    events = sorted({"app_opened", "subscription_added", "subscription_removed", "app_downloaded"})
    platforms = ["ios", "android", "other", "none"]
    selections = [days, *({**days, "event": name} for name in events), *({**days, "platform": p} for p in platforms),
                  *({**days, "item": item} for item in history.items[:3]), {**days, "item": "Service 5"},
                  {**days, "event": "subscription_added", "platform": "ios", "item": history.items[1]},
                  {"from": history_day(history, 30), "to": history_day(history, 20)}]
    own = None if other else without_sink(server).start().wait_until_ready()
    other = other or own
    try:
        from_sink, from_log = Visitor(server, token), Visitor(other, token)
        cells, total = 0, 0
        for selection in selections:
            (source, found), (place, wanted) = from_sink.counts(selection), from_log.counts(selection)
            expect((source, place) == ("history", "log"), f"counted in {source} and {place}")
            expect(found == wanted,
                f"{selection}: {[(d, wanted[d], found[d]) for d in wanted if wanted[d] != found[d]]}")
            cells += len(wanted)
            total += sum(wanted.values())
        expect(total > 0, "nothing was counted")
        return cells
    finally:
        if own:
            own.stop()


def history_day(history, back):
    moment = datetime.datetime.fromtimestamp(history.now / 1000, datetime.timezone.utc)
    return (moment - datetime.timedelta(days=back)).date().isoformat()


EXPORTS = ((), ("--format", "csv"), ("--from", "2026-01-01", "--to", "2099-01-01"))


def exports_of(server):
    return [server.run("events", "export", *options) for options in EXPORTS]


def compare_exports(server, wanted):
    """The exports are the same as when the log had everything, line by line, also from any event on."""
    for options, before in zip(EXPORTS, wanted):
        found = server.run("events", "export", *options)
        expect(found == before, f"events export {options}: " + first_difference(before, found))
    rows = wanted[1].splitlines(keepends=True)
    for number in random.Random(22).sample(range(1, len(rows) - 1), 4):
        block, event = rows[number].split(",")[:2]
        found = server.run("events", "export", "--format", "csv", "--after", f"{block},{event}")
        expect(found == "".join(rows[number + 1:]), f"--after {block},{event}: "
               + first_difference("".join(rows[number + 1:]), found))
    kept = server.run("events", "export", "--log-only").count("\n")
    expect(0 < kept < len(rows) - 1, f"the database still has {kept} of {len(rows) - 1} events")
    return len(rows) - 1


def first_difference(wanted, found):
    for number, (left, right) in enumerate(zip(wanted.splitlines(), found.splitlines())):
        if left != right:
            return f"line {number}: {left} and {right}"
    return f"{wanted.count(chr(10))} and {found.count(chr(10))} lines"
