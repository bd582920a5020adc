"""The reference of the check `flights`: pandas computes from the log what the server must answer, as whole documents,
by the definitions in docs/events.md. Nothing here comes from the server but `as_of`."""

import datetime
import sys
from decimal import ROUND_HALF_EVEN, Decimal

import numpy
import pandas

from flights_log import (
    CONVERSION_MILES, DAY, LONG, PLATFORMS, REINSTALLED_AFTER, RETENTION_DAYS, SHORT, UNKNOWN_ITEM, item_of)

MILESTONES = (
    "app_downloaded", "first_subscription_added", "five_subscriptions_reached", "retention_d1", "retention_d7",
    "retention_d30", "premium_conversion")
NAMES = (*MILESTONES, "app_opened", "subscription_added", "subscription_removed")
STAGES = {
    "downloads": "app_downloaded", "first_subscription": "first_subscription_added",
    "five_subscriptions": "five_subscriptions_reached", "retention_d7": "retention_d7",
    "retention_d30": "retention_d30"}
ACTIVE = {f"active_{days}d": days for days in (1, 7, 28, 30)}
EVENTS = {
    "subscriptions_added": "subscription_added", "subscriptions_removed": "subscription_removed",
    **{f"events.{name}": name for name in NAMES}}
SIGNUPS = ("users", "downloads", "first_subscription", "five_subscriptions")
SERIES = (*SIGNUPS, "total_users", "conversions", *ACTIVE, *EVENTS, "crash_free_sessions")
STEPS = ("day", "week", "month")
SEGMENTS = ("platform", "app_version")
EPOCH = datetime.date(1970, 1, 1)


def a_year_before(day):
    # 29 February has no such day in other years.
    return day.replace(year=day.year - 1, day=min(day.day, 28) if day.month == 2 else day.day)


# Where a series begins by default.
STARTS = {
    "day": lambda end: end - datetime.timedelta(days=30), "week": lambda end: end - datetime.timedelta(weeks=12),
    "month": a_year_before}


def local_days(moments, zone):
    """The numbers of the days of moments (milliseconds since 1970) in a time zone, by the zone data of pandas."""
    local = pandas.to_datetime(pandas.Series(moments), unit="ms", utc=True).dt.tz_convert(zone).dt.tz_localize(None)
    return pandas.Series(local.to_numpy("datetime64[D]").astype("int64"), index=local.index)


def day_number(day):
    return (day - EPOCH).days


def date_of(number):
    return EPOCH + datetime.timedelta(days=int(number))


def monday_of(day):
    return day - datetime.timedelta(days=day.weekday())


def percent(part, whole):
    """With one decimal, half to even; None unless `whole` is above zero."""
    if whole <= 0:
        return None
    return (Decimal(1000 * part) / whole).to_integral_value(ROUND_HALF_EVEN) / 10


def periods(start, end, step):
    """The first and last days of the whole periods that contain a day from `start` through `end`."""
    first = {"day": start, "week": monday_of(start), "month": start.replace(day=1)}[step]
    while first <= end:
        following = {
            "day": first + datetime.timedelta(days=1), "week": first + datetime.timedelta(days=7),
            "month": (first.replace(day=28) + datetime.timedelta(days=4)).replace(day=1)}[step]
        yield first, following - datetime.timedelta(days=1)
        first = following


def table_of_events(flights):
    """The events of all flights, rule by rule."""
    users = flights.groupby("user", sort=False)
    number = users.cumcount()
    digit = flights.user.str[0]
    gap = users.moment.diff().fillna(0)
    added = flights.origin == "EWR"
    removed = (flights.origin == "LGA") & (flights.flight % 3 == 0)
    balance = (added.astype(int) - removed.astype(int)).groupby(flights.user).cumsum()
    day = flights.moment // DAY
    days_since_first = day - day.groupby(flights.user).transform("first")
    flown = users.miles.cumsum()
    carrier_item = flights.carrier.map({carrier: item_of(carrier) for carrier in flights.carrier.unique()})
    item = carrier_item.mask(flights.miles < SHORT, UNKNOWN_ITEM).mask(flights.miles > LONG)
    nothing = pandas.Series(None, index=flights.index, dtype=object)
    rules = [
        ("app_downloaded", (digit != "0") & ((number == (digit == "1")) | (gap > REINSTALLED_AFTER)), nothing),
        ("subscription_added", added, item),
        ("subscription_removed", removed, carrier_item),
        ("app_opened", ~added & ~removed, nothing),
        ("first_subscription_added", added & (added.groupby(flights.user).cumsum() == 1), nothing),
        ("five_subscriptions_reached", (balance >= 5) & ((balance >= 5).groupby(flights.user).cumsum() == 1), nothing),
        ("premium_conversion", flown // CONVERSION_MILES > (flown - flights.miles) // CONVERSION_MILES, nothing),
    ] + [(f"retention_d{days}", days_since_first == days, nothing) for days in RETENTION_DAYS]
    flights = flights.assign(
        platform=flights.origin.map(PLATFORMS).mask(flights.flight % 5 == 0),
        app_version=("1." + (flights.flight // 100).astype(str)).mask(flights.flight % 11 == 0, "1.0-beta").mask(
            flights.flight % 7 == 0))
    return pandas.concat(
        [flights.loc[chosen, ["user", "moment", *SEGMENTS]].assign(name=name, item=items[chosen].astype(object))
         for name, chosen, items in rules], ignore_index=True)


class References:
    """The events of the log, and the reference for each moment: events ahead of it do not count yet."""

    def __init__(self, flights):
        self.events = table_of_events(flights).sort_values("moment", ignore_index=True)
        self.cut("UTC")

    def cut(self, zone):
        """Days are those of the zone from now on."""
        self.zone = zone
        # Once: there is a reference for each number of events.
        self.events["day"] = local_days(self.events.moment, zone)
        self.first_day, self.last_day = (date_of(day) for day in self.events.day.iloc[[0, -1]])
        self.latest = None

    def at(self, now):
        count = int(self.events.moment.searchsorted(now, side="right"))
        if self.latest is None or len(self.latest.events) != count:
            self.latest = Reference(self.events[:count], self.zone)
        return self.latest

    def check_mapping(self, told):
        """Both ways of applying the rules must give the same events."""
        columns = ["user", "name", "moment", "item", *SEGMENTS]

        def sorted_rows(table):
            return table[columns].fillna(dict.fromkeys(["item", *SEGMENTS], "")).sort_values(columns, ignore_index=True)

        pandas.testing.assert_frame_equal(
            sorted_rows(pandas.DataFrame(told, columns=columns)), sorted_rows(self.events), check_dtype=False)


class Reference:
    """What the server must answer to each call when these events have happened. `now`: milliseconds since 1970."""

    def __init__(self, events, zone):
        self.zone = zone
        self.events = events
        milestones = events[events.name.isin(MILESTONES)]
        first_events = events.groupby("user").moment.min()
        # A row for each user with the first moment of each milestone.
        self.users = milestones.groupby(["user", "name"]).moment.min().unstack().reindex(
            index=first_events.index, columns=MILESTONES)
        self.users["signup"] = self.users.app_downloaded.fillna(first_events).astype("int64")
        self.users["day"] = local_days(self.users.signup, zone)
        # The events are in the order of their moments.
        earliest = events.drop_duplicates("user").set_index("user").reindex(self.users.index)
        named = earliest.platform.str.lower()
        self.users["platform"] = named.where(named.isin(["ios", "android"]), "other").mask(
            named.isna(), "unknown")
        versions = earliest.app_version
        self.users["app_version"] = versions.where(versions.fillna("").str.fullmatch(r"\d+(\.\d+)*"), "other").mask(
            versions.isna(), "unknown")
        self.event_days = events.groupby(["name", "day"]).size()

    def day_of(self, moment):
        return int(local_days([moment], self.zone).iloc[0])

    def dashboard(self, now):
        events, users = self.events, self.users

        def within(moments, days_ago, until):
            return (moments > now - days_ago * DAY) & (moments <= now - until * DAY)

        def balance(chosen):
            return int((events.name[chosen] == "subscription_added").sum()
                       - (events.name[chosen] == "subscription_removed").sum())

        def active(days_ago, until):
            return events.user[within(events.moment, days_ago, until)].nunique()

        def figure(value, weekly):
            this, last = int(weekly(7, 0)), int(weekly(14, 7))
            return {
                "value": int(value), "this_week": this, "last_week": last, "trend_percent": percent(this - last, last)}

        conversions = users.premium_conversion
        return {
            "total_users": figure(len(users), lambda *window: within(users.signup, *window).sum()),
            "active_users_30d": figure(active(30, 0), active),
            "subscriptions_tracked": figure(
                balance(slice(None)), lambda *window: balance(within(events.moment, *window))),
            "premium_conversions": figure(
                conversions.notna().sum(), lambda *window: within(conversions, *window).sum()),
            "crash_free_sessions": dict.fromkeys(("value", "this_week", "last_week", "trend_percent"))}

    def signed_up(self, start, end):
        first = day_number(start) if start else self.users.day.min()
        last = day_number(end) if end else self.users.day.max()
        return self.users[self.users.day.between(first, last)]

    def stages(self, users, within=None):
        """Of some users, those who reached each stage at most `within` days after their signup."""
        latest = users.signup + (within * DAY if within else numpy.inf)
        counts = [int((users[mark] <= latest).sum()) for mark in STAGES.values()]
        return [
            {"name": name, "count": counts[index],
             "percent_of_previous": percent(counts[index], counts[index - 1]) if index else None,
             "percent_of_first": percent(counts[index], counts[0])}
            for index, name in enumerate(STAGES)]

    def part(self, users, within, now):
        """Some users; with a window only those for whom it has passed, and the others apart."""
        is_finished = users.day < self.day_of(now - within * DAY) if within else pandas.Series(True, index=users.index)
        finished, others = users[is_finished], users[~is_finished]
        answer = {"users": len(finished), "stages": self.stages(finished, within)}
        if within:
            answer["unfinished"] = {"users": len(others), "stages": self.stages(others, within)}
        return answer

    def funnel(self, start, end, within=None, by=None, now=None):
        users = self.signed_up(start, end)
        answer = {"from": start and start.isoformat(), "to": end and end.isoformat(), **self.part(users, within, now)}
        if not within and not by:
            del answer["users"]
        if within:
            answer["within"] = f"{within}d"
        if by:
            answer["by"] = by
            parts = [{by: name, **self.part(members, within, now)} for name, members in users.groupby(by)]
            answer["segments"] = sorted(parts, key=lambda part: (-part["users"], part[by]))
        return answer

    def cohorts(self, start, end, now, by="week"):
        if by == "week":
            first = start and monday_of(start)
            last = end and monday_of(end) + datetime.timedelta(days=6)
        else:
            first = start and start.replace(day=1)
            last = end and list(periods(end, end, "month"))[0][1]
        users = self.signed_up(first, last)
        rows = []
        for starts_on, members in users.groupby(users.day.map(
                {day: (monday_of if by == "week" else lambda day: day.replace(day=1))(date_of(day))
                 for day in users.day.unique()})):
            iso = starts_on.isocalendar()
            name = f"{iso.year}-W{iso.week:02}" if by == "week" else f"{starts_on:%Y-%m}"
            row = {by: name, "starts_on": starts_on.isoformat(), "users": len(members)}
            for days in RETENTION_DAYS:
                eligible = members[members.signup + days * DAY <= now]
                row[f"d{days}"] = None
                if len(eligible):
                    count = int(eligible[f"retention_d{days}"].notna().sum())
                    share = percent(count, len(eligible))
                    rating = "green" if share > 50 else "red" if share < 20 else "neutral"
                    row[f"d{days}"] = {"count": count, "eligible": len(eligible), "percent": share, "rating": rating}
            rows.append(row)
        return {"from": start and start.isoformat(), "to": end and end.isoformat(), "cohorts": rows}

    def ranking(self, names, merged, deleted):
        """`names` of the items by carrier, `merged`: the carrier that each stands for now, `deleted`: carriers."""
        additions = self.events.item[self.events.name == "subscription_added"].value_counts()
        counts = dict.fromkeys(names, 0)
        for carrier in names:
            counts[merged.get(carrier, carrier)] += int(additions.get(item_of(carrier), 0))
        rows = [
            {"id": item_of(carrier), "name": names[carrier], "logo_url": None, "count": count}
            for carrier, count in counts.items() if count and carrier not in deleted]
        return {"items": sorted(rows, key=lambda row: (-row["count"], row["name"].lower()))}

    def series(self, figure, start, end, step, now):
        today = date_of(self.day_of(now))
        end = end or today
        start = start or STARTS[step](end)
        points = []
        daily = self.daily(figure, today)
        for first, last in periods(start, end, step):
            value = None
            if first <= today and daily is not None:
                # Days before the log have no row.
                begin = -sys.maxsize if figure == "total_users" else day_number(first)
                value = daily.get(day_number(min(last, today)), 0) if figure in ACTIVE else daily[
                    (daily.index >= begin) & (daily.index <= day_number(min(last, today)))].sum()
            points.append({
                "on": first.isoformat(), "value": None if value is None else int(value), "unfinished": last >= today})
        return {
            "figure": figure, "step": step, "from": start.isoformat(), "to": end.isoformat(), "points": points}

    def daily(self, figure, today):
        """Values by number of the day; None where nothing is known."""
        if figure in EVENTS:
            return self.event_days.get(EVENTS[figure], pandas.Series(dtype="int64"))
        if figure == "conversions":
            return local_days(self.users.premium_conversion.dropna().astype("int64"), self.zone).value_counts()
        if figure in ("users", "total_users"):
            return self.users.day.value_counts()
        if figure in SIGNUPS:
            return self.users.day[self.users[STAGES[figure]].notna()].value_counts()
        return self.active(ACTIVE[figure], today) if figure in ACTIVE else None

    def active(self, length, today):
        """Distinct users of the `length` calendar days that end on each day."""
        first, last = self.events.day.min(), day_number(today)
        codes = self.events.user.astype("category").cat.codes.to_numpy()
        seen = numpy.zeros((len(self.users), last - first + 1), dtype=int)
        seen[codes, (self.events.day - first).to_numpy()] = 1
        sums = numpy.concatenate([numpy.zeros((len(seen), length), dtype=int), seen.cumsum(axis=1)], axis=1)
        return pandas.Series((sums[:, length:] > sums[:, :-length]).sum(axis=0), index=range(first, last + 1))
