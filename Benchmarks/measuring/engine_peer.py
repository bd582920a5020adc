"""The questions of the benchmark `engine`, answered by Python's sqlite3 on the same file: what a script of one's own
would do, with the ledger added up by SQL and coming charges counted from the next day of each subscription."""

import collections
import datetime
import sqlite3
import time

TODAY = datetime.date(2026, 11, 20)
EPOCH = datetime.date(1970, 1, 1)
MONTHS = {"monthly": 1, "quarterly": 3, "semi_annual": 6, "yearly": 12}
DAYS = {"daily": 1, "weekly": 7, "biweekly": 14, "every:10d": 10}
COMING = """SELECT t.due_day, s.cycle, s.category, s.currency, t.amount, s.name
            FROM standings t JOIN subscriptions s ON s.num = t.num WHERE t.due_day <= ?"""
SPENT = """SELECT {0}, currency, sum(confirmed), sum(assumed), count(*) FROM charges
           WHERE due_day BETWEEN ? AND ? GROUP BY {0}, currency"""


def number(day):
    return (day - EPOCH).days


def following(day, cycle):
    if cycle in DAYS:
        return day + datetime.timedelta(days=DAYS[cycle])
    if cycle not in MONTHS:
        return None
    month = day.month - 1 + MONTHS[cycle]
    year, month = day.year + month // 12, month % 12 + 1
    for last in (day.day, 30, 29, 28):
        try:
            return datetime.date(year, month, last)
        except ValueError:
            continue
    return None


def coming(database, last):
    """(day, category, currency, amount, name) of each charge from today."""
    for due, cycle, category, currency, amount, name in database.execute(COMING, (number(last),)):
        day = EPOCH + datetime.timedelta(days=due)
        while day is not None and day <= last:
            yield day, category, currency, amount, name
            day = following(day, cycle)


def sums(charges, key):
    totals = collections.Counter()
    for charge in charges:
        totals[key(charge)] += charge[3]
    return totals


def statement(database, first, last):
    spent = database.execute(SPENT.format("category"), (number(first), number(TODAY) - 1)).fetchall()
    return spent, sums(coming(database, last), lambda charge: charge[1:3])


def due(database, days):
    return sorted(coming(database, TODAY + datetime.timedelta(days=days)), key=lambda charge: (charge[0], charge[4]))


def spending(database, column):
    return database.execute(SPENT.format(column), (0, number(TODAY) - 1)).fetchall()


QUESTIONS = {
    "list": lambda database: database.execute("SELECT * FROM subscriptions ORDER BY name").fetchall(),
    "total": lambda database: database.execute(
        "SELECT currency, category, cycle, sum(amount), count(*) FROM subscriptions GROUP BY 1, 2, 3").fetchall(),
    "upcoming": lambda database: due(database, 7),
    "pending": lambda database: due(database, 7),
    "widget": lambda database: due(database, 7)[:5],
    "missed": lambda database: database.execute(
        """SELECT s.name, l.due_day, coalesce(l.paid, s.amount)
           FROM ledger l JOIN subscriptions s ON s.num = l.subscription
           WHERE l.fate = 0 AND l.due_day < ? ORDER BY l.due_day DESC, s.name""", (number(TODAY),)).fetchall(),
    "score": lambda database: database.execute(
        "SELECT fate, count(*) FROM ledger WHERE due_day BETWEEN ? AND ? GROUP BY fate",
        (number(TODAY) - 89, number(TODAY))).fetchall(),
    "forecast": lambda database: sums(
        coming(database, datetime.date(2027, 10, 31)), lambda charge: (charge[0].year, charge[0].month, charge[2])),
    "month": lambda database: statement(database, datetime.date(2026, 11, 1), datetime.date(2026, 11, 30)),
    "year": lambda database: statement(database, datetime.date(2026, 1, 1), datetime.date(2026, 12, 31)),
    "changes": lambda database: database.execute(
        """SELECT s.name, p.* FROM prices p JOIN subscriptions s ON s.num = p.subscription
           WHERE p.from_day BETWEEN ? AND ?""",
        (number(TODAY) - 30, number(TODAY))).fetchall(),
    "spending": lambda database: spending(database, "1"),
    "spending_by_category": lambda database: spending(database, "category"),
    "spending_by_month": lambda database: spending(database, "month"),
    "spending_by_subscription": lambda database: spending(database, "subscription"),
    "what_if": lambda database: sums(
        list(coming(database, datetime.date(2027, 11, 19)))[:39], lambda charge: charge[2]),
}


def measure(path, calls):
    """Milliseconds by question, a list for each."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    timings = {}
    for name, question in QUESTIONS.items():
        timings[name] = []
        for _ in range(calls):
            start = time.perf_counter()
            question(database)
            timings[name].append((time.perf_counter() - start) * 1000)
    database.close()
    return timings
