"""A seeded history of events for the check `sink`: late, repeated and shuffled, by clocks that are wrong, some dated
ahead; and a sender that never gives up a batch."""

import contextlib
import hashlib
import http.client
import json
import queue
import random
import threading
import time
import uuid

from flights_sending import instant
from harness import expect, request

DAY, HOUR = 86_400_000, 3_600_000
BATCH, SENDERS = 400, 4
MARKS = ("app_downloaded", "first_subscription_added", "five_subscriptions_reached", "retention_d1", "retention_d7",
         "retention_d30", "premium_conversion")
NAMES = ("app_opened", "app_opened", "app_opened", "subscription_added", "subscription_added", "subscription_removed")
PLATFORMS = (None, "ios", "iOS", "android", "toaster")
VERSIONS = (None, "1.0", "1.4.2", "2.0", "2.0-beta")


def hash_of(seed, number):
    return hashlib.sha256(f"{seed}/{number}".encode()).hexdigest()


def packed(lines):
    """Bodies of requests."""
    return ["[" + ",".join(lines[start:start + BATCH]) + "]" for start in range(0, len(lines), BATCH)]


class History:
    """Events of some users over some weeks, as JSON texts, with a moment each."""

    def __init__(self, seed, users, events, items, now, weeks=9):
        self.chance = random.Random(seed)
        self.seed, self.items, self.now, self.weeks = seed, items, now, weeks
        self.users = [hash_of(seed, number) for number in range(users)]
        self.lines = []
        for user in self.users:
            began = now - self.chance.randrange(weeks * 7 * DAY)
            # Not within minutes of a bound that a view compares with the present.
            began -= began % HOUR + 20 * 60_000
            for mark in MARKS:
                if self.chance.random() < 0.6:
                    self.add(user, mark, began + self.chance.randrange(40 * DAY), False)
            for _ in range(self.chance.randrange(1, 2 * events // users)):
                self.add(user, self.chance.choice(NAMES), began + int(self.chance.expovariate(1 / (9 * DAY))), True)

    def add(self, user, name, moment, has_item):
        # Some by clocks that are ahead, within the limit; none within an hour of the present.
        if moment > self.now - HOUR:
            moment = self.now + self.chance.randrange(6 * HOUR, 20 * HOUR) if self.chance.random() < 0.2 \
                else self.now - HOUR - self.chance.randrange(DAY)
        event = {"id": str(uuid.UUID(int=self.chance.getrandbits(128), version=4)), "name": name, "user_id": user,
                 "timestamp": instant(moment)}
        properties = {"platform": self.chance.choice(PLATFORMS), "app_version": self.chance.choice(VERSIONS)}
        if has_item and name.startswith("subscription_"):
            properties["catalogue_item_id"] = self.chance.choice(self.items)
        properties = {key: value for key, value in properties.items() if value}
        if properties:
            event["properties"] = properties
        self.lines.append(json.dumps(event))

    def batches(self):
        """The events in random order, a twentieth of them twice, and some batches twice."""
        lines = self.lines + self.chance.sample(self.lines, len(self.lines) // 20)
        self.chance.shuffle(lines)
        bodies = packed(lines)
        bodies += self.chance.sample(bodies, len(bodies) // 20)
        return bodies

    def late_batches(self, events):
        """More events of the last weeks, of users that were not forgotten."""
        first = len(self.lines)
        for _ in range(events):
            self.add(self.chance.choice(self.users[5:]), self.chance.choice(NAMES),
                     self.now - 2 * DAY - self.chance.randrange(self.weeks * 7 * DAY), True)
        return packed(self.lines[first:])


class Sending:
    """Sends batches with several threads, each until its response is 202."""

    def __init__(self, port, bodies, seconds=300):
        self.port, self.waiting, self.deadline = port, queue.Queue(), time.monotonic() + seconds
        self.done = self.failures = self.accepted = self.duplicates = 0
        self.lock, self.faults = threading.Lock(), []
        for body in bodies:
            self.waiting.put(body)
        self.count = len(bodies)
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(SENDERS)]
        for thread in self.threads:
            thread.start()

    def work(self):
        with contextlib.suppress(queue.Empty):
            while True:
                self.send(self.waiting.get_nowait())

    def send(self, body):
        while time.monotonic() < self.deadline:
            with contextlib.suppress(OSError, http.client.HTTPException):
                status, answer, _ = request(self.port, "POST", "/api/v1/analytics", body,
                                            {"Content-Type": "application/json"})
                if status == 202:
                    receipt = json.loads(answer)
                    with self.lock:
                        self.done += 1
                        self.accepted += receipt["accepted"]
                        self.duplicates += receipt["duplicates"]
                        self.faults += receipt["rejected"][:3]
                    return
            with self.lock:
                self.failures += 1
            time.sleep(0.1)

    def wait(self):
        for thread in self.threads:
            thread.join()
        expect(not self.faults, f"rejected: {self.faults[:3]}")
        expect(self.done == self.count, f"{self.count - self.done} of {self.count} batches were not accepted")
        return self
