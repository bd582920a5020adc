"""The reference of the check `engine`: what a store of subscriptions must answer to `spending`, `forecast` and `year`, by
the rules in docs/device.md, with python-dateutil for the calendar and exact decimals for the money. Nothing here comes
from the program."""

import dataclasses
import datetime
import decimal

from dateutil.relativedelta import relativedelta

ACTIVE, PAUSED, CANCELLED = "active", "paused", "cancelled"
OPEN, CONFIRMED, SKIPPED = "open", "confirmed", "skipped"
DAY = datetime.timedelta(days=1)


@dataclasses.dataclass
class State:
    start: datetime.date
    word: str
    overruled: bool = False


@dataclasses.dataclass
class Charge:
    """What is recorded about a billing day: by the user, or because a schedule that has ended charged it."""

    fate: str = OPEN
    paid: tuple | None = None


class Subscription:
    """A subscription entered on a day. An edit of the schedule keeps what was charged by the old one."""

    def __init__(self, entered, anchor, step, price, category):
        self.entered = self.tracked = entered
        self.anchor, self.step = anchor, step
        self.price, self.category = price, category
        self.prices = {}
        self.states = []
        self.trial = self.converts = self.ends = None
        self.ledger = {}

    # Dates

    def billing_days(self, first, last):
        first = max(first, self.tracked)
        if self.step is None:
            return [self.anchor] if first <= self.anchor <= last else []
        days, count = [], 0
        while True:
            day = self.anchor + relativedelta(**{unit: number * count for unit, number in self.step.items()})
            if day > last:
                return days
            if day >= first:
                days.append(day)
            count += 1

    def is_charged(self, day):
        state = ACTIVE
        for dated in self.states:
            if dated.start <= day and not dated.overruled:
                state = dated.word
        if state != ACTIVE or self.ends and self.ends < day:
            return False
        if self.trial is None:
            return True
        return day >= self.trial if self.converts else False

    def scheduled(self, first, last):
        """The billing days that are charged unless they are skipped."""
        return [day for day in self.billing_days(first, last) if self.is_charged(day)] if first <= last else []

    def price_on(self, day):
        known = [start for start in self.prices if start <= day]
        return self.prices[max(known)] if known else self.price

    # Edits

    def was_charged(self, today):
        return (any(day < today for day in self.ledger) or any(start < today for start in self.prices)
                or bool(self.scheduled(self.entered, today - DAY)))

    def set_price(self, price, day):
        if day < self.entered and not any(start <= self.entered for start in self.prices):
            self.prices[self.entered] = self.price
        self.prices[day] = price

    def edit_amount(self, amount, today):
        price = (amount, self.price_on(today)[1])
        if price == self.price_on(today):
            return
        if self.was_charged(today):
            self.set_price(price, today)
        else:
            self.price = price
            self.prices = {start: later for start, later in self.prices.items() if start > today}

    def edit_currency(self, currency, amount, today):
        current = self.price_on(today)
        if currency == current[1]:
            return
        charged = self.was_charged(today)
        later = {} if amount else {start: (price[0], currency) for start, price in self.prices.items() if start > today}
        current = (amount or current[0], currency)
        self.prices = {start: price for start, price in self.prices.items() if start < today} if charged else {}
        if charged:
            self.prices[today] = current
        else:
            self.price = current
        self.prices.update(later)

    def edit_next(self, day, today):
        following = self.billing_days(max(today, self.tracked), today + relativedelta(years=20))
        if following and following[0] == day:
            return
        # What the old schedule charged stays.
        for passed in self.scheduled(self.tracked, today - DAY):
            self.ledger.setdefault(passed, Charge())
        self.anchor, self.tracked = day, today

    def set_state(self, word, day):
        if word == CANCELLED:
            self._take_back_cancellation()
            for state in self.states:
                if state.start > day and state.word != CANCELLED:
                    state.overruled = True
        elif word == ACTIVE:
            before = ACTIVE
            for state in self.states:
                if state.start <= day and not state.overruled:
                    before = state.word
            for state in self.states:
                planned = before == PAUSED and state.word == CANCELLED
                if state.start > day and not state.overruled and not planned:
                    state.word = ACTIVE
        self.place_state(word, day)

    def place_state(self, word, day):
        self.states = sorted(
            [state for state in self.states if state.start != day] + [State(day, word)], key=lambda state: state.start)

    def _take_back_cancellation(self):
        valid = [state for state in self.states if not state.overruled]
        last = []
        while valid and valid[-1].word == CANCELLED:
            last.append(valid.pop())
        for state in self.states:
            if last and state.start >= last[-1].start:
                state.overruled = state.word == CANCELLED

    # Answers

    def charges(self, today, last):
        """(day, amount, currency, fate) of every charge through `last`, those that were skipped left out."""
        days = set(self.scheduled(self.entered, last)) | {day for day in self.ledger if day <= last}
        for day in sorted(days):
            charge = self.ledger.get(day, Charge())
            isolated = day >= today and charge.fate == OPEN and day not in self.scheduled(day, day)
            if charge.fate != SKIPPED and not isolated:
                yield day, *(charge.paid or self.price_on(day)), charge.fate


def _add(sums, key, amount):
    sums[key] = sums.get(key, decimal.Decimal(0)) + amount


def spending(subscriptions, today):
    """Sums by currency: what was confirmed, and what is past."""
    sums = {}
    for subscription in subscriptions:
        for day, amount, currency, fate in subscription.charges(today, today):
            if fate == CONFIRMED or day < today:
                _add(sums, currency, amount)
    return sums


def spending_by_month(subscriptions, today):
    """Sums by month, currency, and whether they were confirmed."""
    sums = {}
    for subscription in subscriptions:
        for day, amount, currency, fate in subscription.charges(today, today):
            if fate == CONFIRMED or day < today:
                _add(sums, (f"{day:%Y-%m}", currency, fate == CONFIRMED), amount)
    return sums


def year(subscriptions, number, today):
    """Sums by currency, category, and whether they are past."""
    sums = {}
    for subscription in subscriptions:
        for day, amount, currency, fate in subscription.charges(today, datetime.date(number, 12, 31)):
            if day.year == number:
                past = day < today or day == today and fate == CONFIRMED
                _add(sums, (currency, subscription.category, past), amount)
    return sums


def forecast(subscriptions, today, months):
    """Sums and counts by month and currency; from today, what was paid ahead included."""
    last = today.replace(day=1) + relativedelta(months=months) - DAY
    sums = {}
    for subscription in subscriptions:
        for day in subscription.scheduled(today, last):
            charge = subscription.ledger.get(day, Charge())
            if charge.fate != SKIPPED:
                amount, currency = charge.paid or subscription.price_on(day)
                key = (f"{day:%Y-%m}", currency)
                total, count = sums.get(key, (decimal.Decimal(0), 0))
                sums[key] = (total + amount, count + 1)
    return sums
