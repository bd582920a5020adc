"""Compares what ClickHouse has with the database, row by row, and the figures of its views with those of subguardd,
cell by cell. Used by the check `sink`."""

import collections
import csv
import datetime
import io
import json
import time
import zoneinfo

from flights_sending import milliseconds
from harness import Refusal, expect

NO_ITEM = "00000000-0000-0000-0000-000000000000"
PLATFORMS = {"ios", "ipados", "macos", "watchos", "tvos", "visionos", "android", "web", "windows", "linux"}
SHOWN = 10
DAYS = 100
MOMENTS = ("as_of", "counted_until")  # of each answer
SERIES = ("users", "active_1d", "active_7d", "active_28d", "active_30d", "subscriptions_added", "subscriptions_removed",
          "events.app_opened", "events.subscription_added")


def platform(name):
    return "" if not name else name.lower() if name.lower() in PLATFORMS else "other"


def version(text):
    return "" if not text else text if all(part.isdigit() for part in text.split(".")) else "other"


def exported(server):
    """The events of the database by id, and the numbers of their users there."""
    events, users = {}, {}
    for row in csv.DictReader(io.StringIO(server.run("events", "export", "--log-only", "--format", "csv"))):
        events[row["id"]] = (
            row["name"], milliseconds(row["timestamp"]), milliseconds(row["received_at"]),
            row["catalogue_item_id"] or NO_ITEM, platform(row["platform"]), version(row["app_version"]), row["block"])
        users[row["id"]] = row["user"]
    return events, users


def compare_rows(server, node, relation="subguard.events"):
    """Every event of the database is in ClickHouse, with the same values and the same users, and no other."""
    events, users = exported(server)
    rows = node.rows(f"SELECT id, event, moment, received, item, platform, app_version, block, user FROM {relation}")
    found = {row[0]: (row[1], int(row[2]), int(row[3]), *row[4:8]) for row in rows}
    expect(len(found) == len(rows), f"{len(rows) - len(found)} rows of {relation} are there twice")
    missing, others = events.keys() - found.keys(), found.keys() - events.keys()
    expect(not missing and not others, f"{len(missing)} events are missing, {len(others)} should not be there")
    different = [(id, events[id], found[id]) for id in events if events[id] != found[id]]
    expect(not different, f"{len(different)} events differ: {different[:3]}")
    numbers, theirs = {}, {}
    for row in rows:
        expect(numbers.setdefault(users[row[0]], row[8]) == row[8], f"a user has two numbers: {row}")
        expect(theirs.setdefault(row[8], users[row[0]]) == users[row[0]], f"a number has two users: {row}")
    return len(events)


class Figures:
    """The figures of a server and of a node, compared cell by cell."""

    def __init__(self, server, token, node):
        self.server, self.token, self.node = server, token, node
        self.zone = zoneinfo.ZoneInfo(server.environment.get("SUBGUARD_REPORTS_TIME_ZONE", "UTC"))
        self.cells, self.differences = 0, []

    def read(self, path):
        status, body, _ = self.server.call("GET", f"/api/v1/admin/{path}", token=self.token)
        expect(status == 200, f"GET {path} was answered {status}: {body[:300]}")
        return json.loads(body)

    def everything(self):
        """All figures as texts by path, without when they were read."""
        today = datetime.datetime.now(self.zone).date()
        days = [today - datetime.timedelta(days=number) for number in range(DAYS)]
        window = f"from={days[-1]}&to={days[0]}"
        paths = ["dashboard", "cohorts", "ranking?limit=500", *(f"funnel?from={day}&to={day}" for day in days),
                 *(f"series?figure={figure}&{window}&step=day" for figure in SERIES)]
        texts = {}
        for path in paths:
            answer = self.read(path)
            expect(answer["complete"], f"{path} is not complete")
            texts[path] = json.dumps({key: value for key, value in answer.items() if key not in MOMENTS})
        return texts

    def view(self, query):
        """Rows by their first column, as numbers."""
        return {row[0]: [int(cell) for cell in row[1:]] for row in self.node.rows(query)}

    def same(self, place, wanted, found):
        self.cells += 1
        if wanted != found:
            self.differences.append(f"{place}: subguardd {wanted}, ClickHouse {found}")

    def compare(self):
        """A cell that differs must do so again: views know the time in whole seconds, and a user may become due."""
        for _ in range(2):
            self.cells, self.differences = 0, []
            self.compare_once()
            if not self.differences:
                return self.cells
            for difference in self.differences[:SHOWN]:
                print(f"  {difference}", flush=True)
            time.sleep(2)
        raise Refusal(f"{len(self.differences)} of {self.cells} cells differ")

    def compare_once(self):
        today = datetime.datetime.now(self.zone).date()
        days = [today - datetime.timedelta(days=number) for number in range(DAYS)]
        dashboard = self.read("dashboard")
        expect(dashboard["complete"], "the figures are not complete")
        self.same("users", dashboard["total_users"]["value"],
                  int(self.node.rows("SELECT count() FROM subguard.users")[0][0]))
        self.same("conversions", dashboard["premium_conversions"]["value"],
                  int(self.node.rows("SELECT sum(has_premium_conversion) FROM subguard.users")[0][0]))
        self.compare_funnel(days)
        self.compare_cohorts()
        self.compare_active(days)
        self.compare_items()
        self.compare_events(days)

    def compare_funnel(self, days):
        stages = ("downloads", "first_subscription", "five_subscriptions", "retention_d7", "retention_d30")
        found = self.view(f"SELECT day, users, {', '.join(stages)} FROM subguard.funnel")
        signups = self.series("users", days)
        for day in days:
            row = found.get(str(day), [0] * 6)
            self.same(f"users of {day}", signups[str(day)], row[0])
            for stage in self.read(f"funnel?from={day}&to={day}")["stages"]:
                self.same(f"{stage['name']} of {day}", stage["count"], row[1 + stages.index(stage["name"])])

    def compare_cohorts(self):
        found = self.view("SELECT week, users, d1_eligible, d1, d7_eligible, d7, d30_eligible, d30 "
                          "FROM subguard.cohorts")
        answer = self.read("cohorts")["cohorts"]
        self.same("number of cohorts", len(answer), len(found))
        for cohort in answer:
            row = found.get(cohort["starts_on"], [None] * 7)
            self.same(f"users of {cohort['week']}", cohort["users"], row[0])
            for number, name in enumerate(("d1", "d7", "d30")):
                cell = cohort[name] or {"eligible": 0, "count": 0}
                self.same(f"{name} of {cohort['week']}", (cell["eligible"], cell["count"]),
                          tuple(row[1 + 2 * number:3 + 2 * number]))

    def series(self, figure, days, step="day"):
        return {point["on"]: point["value"] or 0 for point in
                self.read(f"series?figure={figure}&from={days[-1]}&to={days[0]}&step={step}")["points"]}

    def compare_active(self, days):
        names = ("active_1d", "active_7d", "active_28d", "active_30d")
        found = self.view(f"SELECT day, {', '.join(names)} FROM subguard.active_users")
        for number, name in enumerate(names):
            for day, value in self.series(name, days).items():
                self.same(f"{name} of {day}", value, found.get(day, [0] * 4)[number])

    def compare_items(self):
        found = self.view("SELECT item, added FROM subguard.ranking")
        ranked = {row["id"]: row["count"] for row in self.read("ranking?limit=500")["items"]}
        for item in ranked.keys() | found.keys():
            self.same(f"additions of {item}", ranked.get(item, 0), found.get(item, [0])[0])

    def compare_events(self, days):
        weeks = self.view("SELECT week, sum(added), sum(removed) FROM subguard.additions GROUP BY week")
        for number, figure in enumerate(("subscriptions_added", "subscriptions_removed")):
            for week, value in self.series(figure, days, "week").items():
                self.same(f"{figure} of {week}", value, weeks.get(week, [0, 0])[number])
        now = "moment <= (toInt64(toUnixTimestamp(now())) * 1000 + 999)"
        counts = collections.defaultdict(dict)
        for day, event, count in self.node.rows(
                f"SELECT day, event, count() FROM subguard.events WHERE {now} GROUP BY day, event"):
            counts[event][day] = int(count)
        for event, found in counts.items():
            for day, value in self.series(f"events.{event}", days).items():
                self.same(f"{event} of {day}", value, found.get(day, 0))
