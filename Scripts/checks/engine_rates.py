"""Sums in the home currency for the check `engine`: random stores with charges in many currencies, reference rates with
gaps and rates of the user, and the sums that they must give, by the rules in docs/device.md and with Python's decimals.
Nothing here comes from the program."""

import bisect
import concurrent.futures
import datetime
import decimal
import json
import os
import pathlib
import random
import subprocess
import uuid

import engine_reference as reference
from harness import debug_binary, expect as require

# By number of decimals. The lev has a fixed rate since the euro replaced it.
CURRENCIES = {
    "EUR": 2, "USD": 2, "GBP": 2, "CHF": 2, "BGN": 2, "JPY": 0, "KRW": 0, "ISK": 0, "KWD": 3, "TND": 3, "BHD": 3}
FIXED = {"BGN": (datetime.date(2026, 1, 1), decimal.Decimal("1.95583"))}
# The step of the calendar, and charges a year as a fraction.
CYCLES = {
    "daily": ({"days": 1}, 365, 1), "weekly": ({"weeks": 1}, 52, 1), "monthly": ({"months": 1}, 12, 1),
    "quarterly": ({"months": 3}, 4, 1), "yearly": ({"years": 1}, 1, 1), "lifetime": (None, 0, 1),
    "every:10d": ({"days": 10}, 365, 10), "every:7w": ({"weeks": 7}, 52, 7), "every:5m": ({"months": 5}, 12, 5),
    "every:3y": ({"years": 3}, 1, 3), "every:6y": ({"years": 6}, 1, 6)}
LIFE_DAYS = 14
QUESTIONS = 250
# Enough digits for quotients to be told from a half that they are not, and few enough to be told from one that they
# are.
EXACT = decimal.Context(prec=150, rounding=decimal.ROUND_HALF_EVEN)
PLACES = decimal.Decimal(1).scaleb(-60)


def rounded(number, currency):
    """The number with the decimals of its currency, half to even."""
    unit = decimal.Decimal(1).scaleb(-CURRENCIES[currency])
    near = number.quantize(PLACES, context=EXACT)
    # No negative zero.
    return f"{near.quantize(unit, context=EXACT) + 0:f}"


class RateBook:
    """Rates by currency and day: of the user, and of a source that publishes for all currencies on the same days."""

    def __init__(self):
        self.reference, self.own = {}, {}
        self.published = None
        self._sorted = {}

    def add(self, currency, day, rate, is_own=False):
        (self.own if is_own else self.reference).setdefault(currency, {})[day] = rate
        if not is_own:
            self.published = max(self.published or day, day)
        self._sorted.clear()

    def of(self, currency, day):
        """(day of the rate, rate) for a charge of a day; None when none applies."""
        if currency == "EUR":
            return day, decimal.Decimal(1)
        if currency not in self._sorted:
            self._sorted[currency] = sorted({**self.reference.get(currency, {}), **self.own.get(currency, {})})
        days = self._sorted[currency]
        place = bisect.bisect_right(days, day)
        if place:
            last = days[place - 1]
            if last in self.own.get(currency, {}):
                return last, self.own[currency][last]
            if (min(day, self.published) - last).days <= LIFE_DAYS:
                return last, self.reference[currency][last]
        if currency in FIXED and FIXED[currency][0] <= day:
            return FIXED[currency]
        return None

    def total(self, home, amounts):
        """What `home` must say of (day, amount, currency, numerator, denominator) that are added up."""
        total, used, missing = decimal.Decimal(0), {}, set()
        with decimal.localcontext(EXACT):
            for day, amount, currency, numerator, denominator in amounts:
                if amount * numerator == 0:
                    continue
                product = amount * numerator / denominator
                if currency != home:
                    rates = {code: self.of(code, day) for code in (currency, home)}
                    if None in rates.values():
                        missing.add(currency)
                        continue
                    product = product * rates[home][1] / rates[currency][1]
                    for code, rate in rates.items():
                        if code != "EUR":
                            used[code] = max(used.get(code, rate), rate, key=lambda dated: dated[0])
                total += product
            return {
                "amount": rounded(total, home), "monthly": rounded(total / 12, home),
                "rates": [{"currency": code, "on": f"{on}", "rate": plain(rate)}
                    for code, (on, rate) in sorted(used.items())],
                "unconverted": sorted(missing)}


def plain(rate):
    """A number without an exponent and without trailing zeros."""
    text = f"{rate:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class Wallet:
    """One store: imported on a day, and asked months later."""

    def __init__(self, folder, seed):
        self.random = random.Random(f"rates {seed}")
        self.entered = datetime.date(2025, 6, 1) + datetime.timedelta(days=self.random.randint(0, 400))
        self.today = self.entered + datetime.timedelta(days=self.random.randint(1, 120))
        self.folder, self.seed = pathlib.Path(folder), seed
        self.currencies = self.random.sample(list(CURRENCIES), 6)
        self.book = RateBook()
        self.subscriptions = []

    def day(self, first, last):
        return self.today + datetime.timedelta(days=self.random.randint(first, last))

    def amount(self, currency):
        units = self.random.choice([1, 5, 50, 999, self.random.randint(1, 99_999), self.random.randint(1, 10**9)])
        return decimal.Decimal(units).scaleb(-CURRENCIES[currency])

    def rate(self):
        """Up to 12 decimals; round ones too, with which sums end in exactly a half."""
        if self.random.random() < 0.3:
            return decimal.Decimal(self.random.choice(["2", "3", "6", "0.75", "8", "0.4", "12", "1.5", "1600"]))
        decimals = self.random.randint(0, 12)
        digits = self.random.randint(10**max(0, decimals - 2), 10**min(15, decimals + 3) - 1)
        return decimal.Decimal(digits).scaleb(-decimals)

    def reference_rates(self):
        """The text of a file of the central bank, on some of the days, with gaps and with currencies that end."""
        foreign = [code for code in self.currencies if code != "EUR"]
        gaps = {code: self._gaps() for code in foreign}
        days = sorted({self.day(-250, -self.random.choice([0, 1, 3, 20])) for _ in range(60)})
        lines = [f"Date,{','.join(foreign)},"]
        for day in days:
            line = [f"{day}"]
            for code in foreign:
                if self.random.random() < 0.1 or any(first <= day <= last for first, last in gaps[code]):
                    line.append("N/A")
                else:
                    rate = self.rate()
                    self.book.add(code, day, rate)
                    line.append(f"{rate:f}")
            lines.append(",".join(line) + ",")
        return "\n".join(lines) + "\n"

    def _gaps(self):
        gaps = []
        for _ in range(self.random.choice([0, 0, 1, 2])):
            first = self.day(-250, 0)
            gaps.append((first, first + datetime.timedelta(days=self.random.choice([10, 20, 60, 200]))))
        return gaps

    def own_rates(self):
        """Commands that set some, also of days long past and of days with a reference rate."""
        for _ in range(self.random.choice([0, 1, 4, 8])):
            code = self.random.choice([code for code in self.currencies if code != "EUR"])
            day = self.random.choice([self.day(-400, 0), *self.book.reference.get(code, {})])
            rate = self.rate()
            self.book.add(code, day, rate, is_own=True)
            yield f"set {code} {rate:f} {day}"

    def rows(self):
        return [self._row(number) for number in range(self.random.randint(3, 10))]

    def _row(self, number):
        cycle = self.random.choice(list(CYCLES))
        currency = self.random.choice(self.currencies)
        amount, anchor = self.amount(currency), self.entered + datetime.timedelta(days=self.random.randint(-300, 30))
        subscription = reference.Subscription(self.entered, anchor, CYCLES[cycle][0], (amount, currency), "software")
        history = {}
        for _ in range(self.random.choice([0, 5, 20])):
            day = self.entered - datetime.timedelta(days=self.random.randint(1, 200))
            paid = self.random.choice(self.currencies)
            paid = (self.amount(paid), paid)
            subscription.ledger[day] = reference.Charge(reference.CONFIRMED, paid)
            history[day] = {"billing_on": f"{day}", "status": "acknowledged", "paid": f"{paid[0]}", "currency": paid[1]}
        self.subscriptions.append((subscription, cycle))
        return {
            "id": str(uuid.UUID(int=self.random.getrandbits(128), version=4)), "name": f"n° {number}",
            "amount": f"{amount}",
            "currency": currency, "cycle": cycle, "anchor_on": f"{anchor}", "category": "software",
            "history": list(history.values())}

    # Questions, and what they must give

    def questions(self):
        charges = sorted(
            ((day, amount, currency, 1, 1) for subscription, _ in self.subscriptions
             for day, amount, currency, fate in subscription.charges(self.today, self.today)
             if day < self.today or fate == reference.CONFIRMED), key=lambda charge: charge[0])
        yearly = []
        for subscription, cycle in self.subscriptions:
            yearly.append((self.today, *subscription.price_on(self.today), *CYCLES[cycle][1:]))
        for home in self.currencies:
            yield f"annual {home}", self.book.total(home, yearly)
        for _ in range(QUESTIONS - len(self.currencies)):
            home = self.random.choice(self.currencies)
            if self.random.random() < 0.3:
                coming = [(self.today, self.amount(code), code, 1, 1)
                          for code in self.random.choices(self.currencies, k=self.random.randint(1, 6))]
                words = " ".join(f"{amount} {code}" for _, amount, code, _, _ in coming)
                yield f"coming {home} {words}", self.book.total(home, coming)
            else:
                first, last = sorted([self.day(-280, 0), self.day(-280, 20)])
                if self.random.random() < 0.3:
                    first = last
                if self.random.random() < 0.3:
                    first, last = first.replace(day=1), last.replace(day=1) - datetime.timedelta(days=1)
                    last = max(first, last)
                spent = [charge for charge in charges if first <= charge[0] <= last]
                yield f"spent {home} {first} {last}", self.book.total(home, spent)

    def compare(self, store_at):
        """Returns the number of equal sums."""
        name = f"rates-{self.seed}"
        rows, rates = self.folder / f"{name}.json", self.folder / f"{name}.csv"
        rows.write_text(json.dumps(self.rows()), encoding="utf-8")
        rates.write_text(self.reference_rates(), encoding="utf-8")
        store_at(self.folder, f"{name}.sqlite", f"{self.entered}T10:00:00Z").run("import", "--format", "json",
            str(rows))
        store = store_at(self.folder, f"{name}.sqlite", f"{self.today}T10:00:00Z")
        store.run("rates", "import", str(rates))
        own, asked = list(self.own_rates()), list(self.questions())
        done = subprocess.run(
            [debug_binary("home-sums"), "--store", self.folder / f"{name}.sqlite", "--now", f"{self.today}T10:00:00Z"],
            input="\n".join([*own, *(question for question, _ in asked)]) + "\n", capture_output=True, text=True,
            check=False)
        require(done.returncode == 0, f"home-sums, store {self.seed}: {done.stderr}")
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        require(len(answers) == len(asked), f"store {self.seed}: {len(answers)} answers to {len(asked)} questions")
        for (question, wanted), found in zip(asked, answers):
            require(found == wanted, f"store {self.seed} on {self.today}, {question}: {found}, not {wanted}")
        return len(asked) + self._compare_commands(store, asked)

    def _compare_commands(self, store, asked):
        """The commands print the same sums."""
        home = self.random.choice(self.currencies)
        wanted = next(wanted for question, wanted in asked if question == f"annual {home}")
        wanted = {"currency": home, "annual": wanted["amount"], **wanted}
        del wanted["amount"]
        store.run("settings", "set", "home_currency", home)
        for command in ("total", "widget"):
            found = store.json(command)["home"]
            require(found == wanted, f"store {self.seed} on {self.today}, {command} in {home}: {found}, not {wanted}")
        return 2


def check_rates(folder, store_at, sums):
    """Compares at least `sums` random sums; returns the number of equal ones."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        return sum(pool.map(lambda seed: Wallet(folder, seed).compare(store_at), range(-(-sums // QUESTIONS))))
