"""Random lives of stores for the check `engine`: made through the program and through the reference alike, then asked
the same questions."""

import concurrent.futures
import datetime
import decimal
import json
import os
import pathlib
import random
import uuid

import engine_reference as reference
from harness import Refusal
from harness import expect as require

CYCLES = {
    "daily": {"days": 1}, "weekly": {"weeks": 1}, "monthly": {"months": 1}, "quarterly": {"months": 3},
    "yearly": {"years": 1}, "lifetime": None, "every:10d": {"days": 10}, "every:4w": {"weeks": 4},
    "every:5m": {"months": 5}}
CURRENCIES = ["EUR", "USD", "CHF"]
CATEGORIES = ["streaming", "software", "Été & co"]
BEGINNINGS = ["2024-02-29", "2025-01-31", "2025-03-30", "2024-12-31", "2025-10-26", "2025-06-15"]
FORECAST_MONTHS = 14
CHANGES = 8


class Life:
    """One store. Days pass between the changes, never back."""

    def __init__(self, store_on, seed):
        self.store_on = store_on
        self.random = random.Random(seed)
        self.today = datetime.date.fromisoformat(self.random.choice(BEGINNINGS))
        self.subscriptions = {}
        self.said = []

    def call(self, *arguments):
        self.said.append(f"{self.today}: {' '.join(arguments)}")
        return self.store_on(self.today).json(*arguments)

    def refused(self, *arguments):
        """A pause of what is cancelled is refused, and changes nothing."""
        self.said.append(f"{self.today}: {' '.join(arguments)} (refused)")
        try:
            self.store_on(self.today).run(*arguments)
        except Refusal:
            return
        require(False, f"not refused: {arguments}")

    def day(self, first, last):
        return self.today + datetime.timedelta(days=self.random.randint(first, last))

    def amount(self):
        return decimal.Decimal(self.random.choice([1234, 999, 1, 100, self.random.randint(1, 99999)])).scaleb(-2)

    # The store as it is imported

    def begin(self, folder, name):
        rows = [self._row() for _ in range(self.random.randint(1, 4))]
        path = pathlib.Path(folder, f"{name}.json")
        path.write_text(json.dumps(rows), encoding="utf-8")
        self.call("import", "--format", "json", str(path))
        self.said.append(json.dumps(rows))

    def _row(self):
        cycle = self.random.choice(list(CYCLES))
        currency, amount = self.random.choice(CURRENCIES), self.amount()
        anchor, category = self.day(-400, 60), self.random.choice(CATEGORIES)
        subscription = reference.Subscription(self.today, anchor, CYCLES[cycle], (amount, currency), category)
        name = f"n° {len(self.subscriptions)} “é”, 12.34"
        row = {
            "id": str(uuid.UUID(int=self.random.getrandbits(128), version=4)), "name": name, "amount": f"{amount}",
            "currency": currency, "cycle": cycle, "anchor_on": f"{anchor}", "category": category}
        if self.random.random() < 0.3:
            subscription.trial, subscription.converts = self.day(0, 60), self.random.random() < 0.7
            row |= {"trial_ends_on": f"{subscription.trial}", "trial_converts": str(subscription.converts).lower()}
        if self.random.random() < 0.2:
            subscription.ends = max(self.day(0, 600), anchor)
            row["ends_on"] = f"{subscription.ends}"
        first = 1
        if self.random.random() < 0.5:
            first = -300
            subscription.started = self.day(-400, 0)
            row["started_on"] = f"{subscription.started}"
        row["prices"] = [self._price(subscription, self.day(first, 500))
            for _ in range(self.random.choice([0, 0, 1, 2]))]
        row["states"] = [self._state(subscription, self.day(first, 500))
            for _ in range(self.random.choice([0, 0, 1, 2]))]
        row["history"] = [self._charge(subscription, self.day(-300, -1)) for _ in range(self.random.choice([0, 3]))]
        for part in ("prices", "states", "history"):
            # The last one of a day counts.
            row[part] = list({entry.get("from", entry.get("billing_on")): entry for entry in row[part]}.values())
        if row["prices"] and row["prices"][0]["from"] <= f"{subscription.started}":
            subscription.price = subscription.prices[datetime.date.fromisoformat(row["prices"][0]["from"])]
        # A file with a history says all that was charged, also if that is nothing.
        if self.random.random() < 0.5 and not row["history"]:
            del row["history"]
            subscription.record_history(self.today)
        self.subscriptions[row["id"]] = subscription
        return row

    def _price(self, subscription, day):
        price = (self.amount(), self.random.choice(CURRENCIES))
        subscription.prices[day] = price
        return {"from": f"{day}", "amount": f"{price[0]}", "currency": price[1]}

    def _state(self, subscription, day):
        word = self.random.choice([reference.ACTIVE, reference.PAUSED, reference.CANCELLED])
        subscription.place_state(word, day)
        return {"from": f"{day}", "state": word}

    def _charge(self, subscription, day):
        status = self.random.choice(["acknowledged", "late", "skipped", "missed"])
        fate = {"skipped": reference.SKIPPED, "missed": reference.OPEN}.get(status, reference.CONFIRMED)
        entry = {"billing_on": f"{day}", "status": status}
        paid = None
        if self.random.random() < 0.4:
            paid = (self.amount(), self.random.choice(CURRENCIES))
            entry |= {"paid": f"{paid[0]}", "currency": paid[1]}
        subscription.ledger[day] = reference.Charge(fate, paid)
        return entry

    # What happens to it

    def change(self):
        self.today = self.day(0, 120)
        identifier = self.random.choice(list(self.subscriptions))
        subscription = self.subscriptions[identifier]
        self.random.choice(
            [self._set_price, self._remove_price, self._edit_amount, self._edit_currency, self._edit_next,
             self._edit_start, self._set_state, self._pause, self._decide])(identifier, subscription)

    def _set_price(self, identifier, subscription):
        amount, day = self.amount(), self.day(-200, 200)
        self.call("price", identifier, "--amount", f"{amount}", "--from", f"{day}")
        subscription.set_price((amount, subscription.price_on(day)[1]), day)

    def _remove_price(self, identifier, subscription):
        days = [start for start, _ in subscription.dated_prices()[1:]]
        if not days:
            return self._set_price(identifier, subscription)
        day = self.random.choice(days)
        self.call("price", identifier, "--remove", f"{day}")
        subscription.remove_price(day)

    def _edit_start(self, identifier, subscription):
        day = self.day(-600, 0)
        self.call("edit", identifier, "--started", f"{day}")
        subscription.start(day)

    def _pause(self, identifier, subscription):
        days = [state.start for state in subscription.dated_states() if state.word == reference.PAUSED]
        if days and self.random.random() < 0.4:
            day = self.random.choice(days)
            self.call("pause", identifier, "--remove", f"{day}")
            return subscription.remove_pause(day)
        first = self.day(-200, 100)
        if subscription.word_on(first) == reference.CANCELLED:
            return self.refused("pause", identifier, "--from", f"{first}")
        last = first + datetime.timedelta(days=self.random.randint(0, 200))
        self.call("pause", identifier, "--from", f"{first}", "--until", f"{last}")
        subscription.pause(first, last)

    def _edit_amount(self, identifier, subscription):
        amount = self.amount()
        self.call("edit", identifier, "--amount", f"{amount}")
        subscription.edit_amount(amount, self.today)

    def _edit_currency(self, identifier, subscription):
        currency = self.random.choice(CURRENCIES)
        amount = self.amount() if self.random.random() < 0.5 else None
        self.call("edit", identifier, "--currency", currency, *(["--amount", f"{amount}"] if amount else []))
        changes = currency != subscription.price_on(self.today)[1]
        subscription.edit_currency(currency, amount, self.today)
        if amount and not changes:
            subscription.edit_amount(amount, self.today)

    def _edit_next(self, identifier, subscription):
        day = self.day(0, 50)
        if subscription.ends and subscription.ends < day:
            return
        self.call("edit", identifier, "--next", f"{day}")
        subscription.edit_next(day, self.today)

    def _set_state(self, identifier, subscription):
        day = self.day(-90, 200)
        call = self.random.choice(["pause", "resume", "cancel"])
        if call == "pause" and subscription.word_on(self.today) == reference.CANCELLED:
            self.refused("pause", identifier)
        elif call == "pause":
            self.call("pause", identifier)
            subscription.set_state(reference.PAUSED, self.today)
        elif call == "resume":
            self.call("resume", identifier, "--from", f"{day}")
            subscription.set_state(reference.ACTIVE, day)
        else:
            self.call("cancel", identifier, "--on", f"{day}")
            subscription.set_state(reference.CANCELLED, day)

    def _decide(self, identifier, subscription):
        charges = [day for day, *_ in subscription.charges(self.today, self.day(100, 100))
            if day >= self.day(-200, -200)]
        if not charges:
            return
        day = self.random.choice(charges)
        occurrence = f"{identifier}:{day}"
        charge = subscription.ledger.setdefault(day, reference.Charge())
        call = self.random.choice(["ack", "skip", "paid"])
        if call == "paid":
            amount = self.amount()
            self.call("paid", occurrence, "--amount", f"{amount}")
            charge.paid = (amount, subscription.price_on(day)[1])
        else:
            self.call(call, occurrence)
        charge.fate = reference.SKIPPED if call == "skip" else reference.CONFIRMED

    # What it answers

    def compare(self):
        subscriptions = list(self.subscriptions.values())
        wanted = reference.spending(subscriptions, self.today)
        compared = self._same(wanted, {row["currency"]: decimal.Decimal(row["amount"])
                                       for row in self.call("spending")}, "spending")
        found = {}
        for row in self.call("spending", "--by", "month"):
            for confirmed, field in ((True, "confirmed"), (False, "assumed")):
                found[row["month"], row["currency"], confirmed] = decimal.Decimal(row[field])
        compared += self._same(reference.spending_by_month(subscriptions, self.today), found, "spending by month")
        for number in (self.today.year, self.today.year + 1):
            found = {}
            for row in self.call("year", str(number)):
                for category, part in row["by_category"].items():
                    found[row["currency"], category, True] = decimal.Decimal(part["charged"])
                    found[row["currency"], category, False] = decimal.Decimal(part["to_come"])
            compared += self._same(reference.year(subscriptions, number, self.today), found, f"year {number}")
        found = {(row["month"], row["currency"]): (decimal.Decimal(row["amount"]), row["count"])
                 for row in self.call("forecast", "--months", str(FORECAST_MONTHS))}
        return compared + self._same(
            reference.forecast(subscriptions, self.today, FORECAST_MONTHS), found, "forecast")

    def _same(self, wanted, found, question):
        # A sum of nothing may be missing or zero.
        nothing = (decimal.Decimal(0), (decimal.Decimal(0), 0))
        wanted = {key: value for key, value in wanted.items() if value not in nothing}
        found = {key: value for key, value in found.items() if value not in nothing}
        different = {key: (found.get(key), wanted.get(key)) for key in {*wanted, *found}
                     if found.get(key) != wanted.get(key)}
        require(not different, "\n".join([*self.said, f"{question}, found and wanted: {different}"]))
        return len(wanted)


def check_lives(folder, store_at, count):
    """Compares `count` random stores; returns the number of equal sums."""

    def live(seed):
        name = f"life-{seed}"
        life = Life(lambda day: store_at(folder, f"{name}.sqlite", f"{day}T10:00:00Z"), seed)
        life.begin(folder, name)
        for _ in range(CHANGES):
            life.change()
        compared = life.compare()
        # Months later, when all of it is past.
        life.today = life.day(100, 500)
        return compared + life.compare()

    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        return sum(pool.map(live, range(count)))
