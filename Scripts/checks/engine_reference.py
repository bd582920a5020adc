"""The reference of the check `engine`: what a store of subscriptions must answer to `spending`, `forecast` and `year`,
by the rules in docs/device.md, with python-dateutil for the calendar and exact decimals for the money. Nothing here
comes from the program."""

import dataclasses
import datetime
import decimal
import functools

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
    """What is recorded about a billing day: by the user, because a schedule that has ended charged it, or because it
    was charged before the day of entry."""

    fate: str = OPEN
    paid: tuple | None = None
    # By a later start.
    withdrawn: bool = False


def _keeping_confirmed(change):
    """A change of prices after which charges that were confirmed have the amounts at which they were."""
    @functools.wraps(change)
    def keeping(self, *arguments):
        before = {day: self.price_on(day) for day, charge in self.ledger.items()
                  if charge.fate == CONFIRMED and not charge.paid}
        change(self, *arguments)
        for day, price in before.items():
            if self.price_on(day) != price:
                self.ledger[day].paid = price
    return keeping


class Subscription:
    """A subscription entered on a day. An edit of the schedule keeps what was charged by the old one."""

    def __init__(self, entered, anchor, step, price, category):
        self.entered = self.tracked = self.started = entered
        self.anchor, self.step = anchor, step
        self.price, self.category = price, category
        self.prices = {}
        self.states = []
        self.trial = self.converts = self.ends = None
        self.ledger = {}

    # Dates

    def billing_days(self, first, last):
        return self._days_after(self.anchor, max(first, self.tracked, self.started), last)

    def _steps(self, anchor, count):
        return anchor + relativedelta(**{unit: number * count for unit, number in self.step.items()})

    def _days_after(self, anchor, first, last):
        if self.step is None:
            return [anchor] if first <= anchor <= last else []
        days, count = [], 0
        while True:
            day = self._steps(anchor, count)
            if day > last:
                return days
            if day >= first:
                days.append(day)
            count += 1

    def _days_back(self, anchor, first, last):
        """The billing days of a schedule with this anchor, those before it too. It began on the first day, if it can
        have."""
        if first >= anchor or self.step is None:
            return self._days_after(anchor, first, last)
        whole = self._days_after(first, first, anchor)
        if whole[-1] != anchor:
            whole, count = [], -1
            while self._steps(anchor, count) >= first:
                whole.append(self._steps(anchor, count))
                count -= 1
        return sorted(day for day in {*whole, *self._days_after(anchor, first, last)} if day <= last)

    def record_history(self, end, anchor=None):
        """The billing days from the start until the day of entry, by the schedule counted back; also those of
        pauses."""
        for day in self._days_back(anchor or self.anchor, self.started, end - DAY):
            self.ledger.setdefault(day, Charge())

    def start(self, day):
        former, self.started = self.started, day
        for passed, charge in self.ledger.items():
            if former < day and passed < day and charge.fate == OPEN and not charge.paid:
                charge.fate, charge.withdrawn = SKIPPED, True
        back = sorted(passed for passed, charge in self.ledger.items() if charge.withdrawn and day <= passed < former)
        for passed in back:
            self.ledger[passed] = Charge()
        if day < former:
            # The schedule may be another one than that of the charges that come back: it goes on before the first of
            # them.
            end, anchor = (back or [former])[0], self.anchor
            if back and end not in self._days_back(anchor, day, former - DAY):
                anchor = end
            self.record_history(end, anchor)

    def _is_withheld(self, day):
        """Whether a charge earlier than this schedule, without an action of the user, was none, as in a pause."""
        charge = self.ledger.get(day)
        return (charge is not None and day < self.tracked and charge.fate == OPEN and not charge.paid
                and not self.is_charged(day))

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
        return (any(day < today and not self._is_withheld(day) or charge.fate == CONFIRMED
            for day, charge in self.ledger.items())
                or any(start < today for start in self.prices)
                or bool(self.scheduled(self.entered, today - DAY)))

    @_keeping_confirmed
    def set_price(self, price, day):
        if day < self.started and not any(start <= self.started for start in self.prices):
            self.prices[self.started] = self.price
        former = self.price_on(day)
        if day >= min([self.started, *self.prices]):
            # A later price that changes nothing says nothing of its own.
            for start in sorted(start for start in self.prices if start > day):
                if self.prices[start] != former:
                    break
                self.prices[start] = price
        self.prices[day] = price

    def dated_prices(self):
        """(first day, price) of each price that differs from the one before, the first one included."""
        dated = [(min([self.started, *self.prices]), self.price)]
        if dated[0][0] in self.prices:
            dated = []
        for start in sorted(self.prices):
            if not dated or self.prices[start] != dated[-1][1]:
                dated.append((start, self.prices[start]))
        return dated

    @_keeping_confirmed
    def remove_price(self, day):
        del self.prices[day]

    @_keeping_confirmed
    def edit_amount(self, amount, today):
        price = (amount, self.price_on(today)[1])
        if price == self.price_on(today):
            return
        if self.was_charged(today):
            self.set_price(price, today)
        else:
            self.price = price
            self.prices = {start: later for start, later in self.prices.items() if start > today}

    @_keeping_confirmed
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
            before = self.word_on(day)
            self.states = [
                state for state in self.states
                if state.overruled or state.start < day or state.start > day
                and (state.word == ACTIVE or before == PAUSED and state.word == CANCELLED)]
            if self.word_on(day) != ACTIVE:
                self.place_state(ACTIVE, day)
            return self._drop_idle()
        else:
            # A pause lasts until it is resumed or cancelled.
            ends = [state.start for state in self.states
                    if state.start > day and not state.overruled and state.word == CANCELLED]
            self.states = [
                state for state in self.states
                if state.overruled or state.start <= day or ends and state.start >= ends[0]]
        self.place_state(word, day)

    def word_on(self, day):
        words = [state.word for state in self.states if state.start <= day and not state.overruled]
        return words[-1] if words else ACTIVE

    def _drop_idle(self):
        """Resumptions of what is active already say nothing."""
        kept, word = [], ACTIVE
        for state in self.states:
            if not state.overruled:
                if state.word == ACTIVE and word == ACTIVE:
                    continue
                word = state.word
            kept.append(state)
        self.states = kept

    def dated_states(self):
        """The states that differ from the one before, beginning with the first that is not active."""
        dated = []
        for state in self.states:
            if not state.overruled and state.word != (dated[-1].word if dated else ACTIVE):
                dated.append(dataclasses.replace(state))
        return dated

    def pause(self, day, last):
        """Both days are in the pause. A cancellation stays, and so does another pause that begins before the end."""
        end, dated = last + DAY, self.dated_states()
        known = [state for state in dated if state.start <= end]
        cancelled = bool(known) and known[-1].word == CANCELLED
        again = any(day < state.start <= end and state.word == PAUSED for state in dated)
        self.states = [state for state in self.states
                       if state.overruled or state.word != ACTIVE or not day < state.start < end]
        self.place_state(PAUSED, day)
        if cancelled or again:
            return
        self.place_state(ACTIVE, end)
        rest = []
        for state in self.states:
            if state.start > end and not state.overruled:
                if state.word != PAUSED or any(other.start == state.start for other in dated):
                    break
                rest.append(state)
        self.states = [state for state in self.states if not any(state is gone for gone in rest)]
        self._drop_idle()

    def remove_pause(self, day):
        gone = []
        for state in self.states:
            if state.start >= day and not state.overruled:
                if state.word != PAUSED:
                    break
                gone.append(state)
        self.states = [state for state in self.states if not any(state is other for other in gone)]
        self._drop_idle()

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
            if charge.fate != SKIPPED and not isolated and not self._is_withheld(day):
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
    """Sums and counts by month and currency; from today, what was confirmed ahead included, also when it is no longer
    due."""
    last = today.replace(day=1) + relativedelta(months=months) - DAY
    sums = {}
    for subscription in subscriptions:
        scheduled = set(subscription.scheduled(today, last))
        ahead = {day for day, charge in subscription.ledger.items() if charge.fate == CONFIRMED
            and today <= day <= last}
        for day in scheduled | ahead:
            charge = subscription.ledger.get(day, Charge())
            if charge.fate != SKIPPED:
                amount, currency = charge.paid or subscription.price_on(day)
                key = (f"{day:%Y-%m}", currency)
                total, count = sums.get(key, (decimal.Decimal(0), 0))
                sums[key] = (total + amount, count + 1)
    return sums
