"""How the check `flights` sends its events: shuffled, repeated, by several senders, while a reader looks at a figure
and the server is killed."""

import dataclasses
import datetime
import http.client
import json
import queue
import random
import threading
import time
import uuid

import numpy

from harness import Refusal, eventually, expect, request, say

SENDERS, BATCH, KILLS = 4, 500, 5
# Where days are cut in turns with UTC.
OTHER_ZONE = "Australia/Lord_Howe"
REPEATED = 0.05  # of the events, and of the batches
SEND_SECONDS = 600
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def instant(milliseconds):
    moment = EPOCH + datetime.timedelta(milliseconds=milliseconds)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"


def milliseconds(text):
    return round((datetime.datetime.fromisoformat(text) - EPOCH) / datetime.timedelta(milliseconds=1))


@dataclasses.dataclass
class Batch:
    body: bytes
    size: int
    events: numpy.ndarray  # their places in the list of events


class Sending:
    """The batches and how far they are."""

    def __init__(self, told, seed):
        chance = random.Random(seed)
        lines = [self.line(*event, chance) for event in told]
        self.events = len(lines)
        self.moments = numpy.array([moment for _, _, moment, *_ in told])
        self.is_addition = numpy.array([name == "subscription_added" for _, name, *_ in told])
        self.is_started = numpy.zeros(self.events, dtype=bool)
        self.answered_at = numpy.full(self.events, numpy.inf)
        self.answers = self.failures = self.accepted = self.duplicates = 0
        self.lock = threading.Lock()
        self.faults = []
        places = list(range(self.events))
        places += chance.sample(places, int(self.events * REPEATED))
        chance.shuffle(places)
        self.batches = []
        for start in range(0, len(places), BATCH):
            chosen = places[start:start + BATCH]
            body = "[" + ",".join(lines[place] for place in chosen) + "]"
            self.batches.append(Batch(body.encode(), len(chosen), numpy.array(chosen)))
        self.batches += chance.sample(self.batches, int(len(self.batches) * REPEATED))
        chance.shuffle(self.batches)
        self.sent = sum(batch.size for batch in self.batches)

    @staticmethod
    def line(user, name, moment, item, platform, version, chance):
        event = {"id": str(uuid.UUID(int=chance.getrandbits(128), version=4)), "name": name, "user_id": user,
                 "timestamp": instant(moment)}
        properties = {"catalogue_item_id": item, "platform": platform, "app_version": version}
        if any(properties.values()):
            event["properties"] = {name: value for name, value in properties.items() if value}
        return json.dumps(event)

    def additions(self, chosen, now):
        """How many of the chosen events are additions of which the moment has come."""
        return int((chosen & self.is_addition & (self.moments <= now)).sum())

    def note(self, batch, receipt):
        expect(not receipt["rejected"], f"rejected: {receipt['rejected'][:3]}")
        with self.lock:
            self.answered_at[batch.events] = numpy.minimum(self.answered_at[batch.events], time.time() * 1000)
            self.answers += 1
            self.accepted += receipt["accepted"]
            self.duplicates += receipt["duplicates"]

    def has_answers(self, count):
        for fault in self.faults:
            raise Refusal(fault)
        return self.answers >= count

    def run(self, server, token):
        """Sends everything, and kills the server at even distances. Days are cut in another time zone after each kill,
        and in UTC after the last one."""
        waiting = queue.Queue()
        for batch in self.batches:
            waiting.put(batch)
        senders = [Sender(self, server.port, waiting) for _ in range(SENDERS)]
        reader = Reader(self, server.port, token)
        began = time.monotonic()
        for thread in (reader, *senders):
            waiting.put(None)
            thread.start()
        for kill in range(1, KILLS + 1):
            share = len(self.batches) * kill // (KILLS + 1)
            eventually(lambda: self.has_answers(share), f"{share} batches are answered", SEND_SECONDS, pause=0.002)
            server.kill()
            server.environment["SUBGUARD_REPORTS_TIME_ZONE"] = OTHER_ZONE if (KILLS - kill) % 2 else "UTC"
            server.start().wait_until_ready()
        eventually(lambda: self.has_answers(len(self.batches)), "all batches are answered", SEND_SECONDS)
        seconds = time.monotonic() - began
        reader.stop.set()
        reader.join()
        self.has_answers(0)
        say(f"  {self.sent} events in {len(self.batches)} batches sent in {seconds:.1f} s: {self.accepted} accepted, "
            f"{self.duplicates} known, {self.failures} attempts failed")
        say(f"  {reader.answers} answers meanwhile, {reader.complete} of them complete")
        # Events of a batch that was stored but not answered were duplicates when it was sent again.
        expect(self.accepted + self.duplicates == self.sent and self.accepted <= self.events,
               f"of {self.events} events, sent as {self.sent}, {self.accepted} were accepted, {self.duplicates} known")


class Sender(threading.Thread):
    """Sends batches from a queue, each until the response is 202."""

    def __init__(self, sending, port, waiting):
        super().__init__(daemon=True)
        self.sending, self.waiting = sending, waiting
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def run(self):
        try:
            while (batch := self.waiting.get()) is not None:
                self.sending.is_started[batch.events] = True
                while (receipt := self.attempt(batch)) is None:
                    with self.sending.lock:
                        self.sending.failures += 1
                    self.connection.close()
                    time.sleep(0.05)
                self.sending.note(batch, receipt)
        except (Refusal, ValueError, LookupError) as fault:
            self.sending.faults.append(f"a sender: {fault}")
        finally:
            self.connection.close()

    def attempt(self, batch):
        """The receipt; None without one."""
        try:
            self.connection.request("POST", "/api/v1/analytics", batch.body, {"Content-Type": "application/json"})
            response = self.connection.getresponse()
            status, answer = response.status, response.read()
        except (OSError, http.client.HTTPException):
            return None
        expect(status in (202, 408, 429, 500, 503), f"a batch was answered {status}: {answer[:300]}")
        return json.loads(answer) if status == 202 else None


class Reader(threading.Thread):
    """Reads the additions by month again and again: never more than were sent; at least those that were acknowledged
    before `counted_until` and, if the figure is complete, before the request."""

    def __init__(self, sending, port, token):
        super().__init__(daemon=True)
        self.sending, self.port, self.token = sending, port, token
        self.stop = threading.Event()
        self.answers = self.complete = 0
        first = instant(int(sending.moments.min()))[:10]
        self.path = f"/api/v1/admin/series?figure=subscriptions_added&step=month&from={first}"

    def run(self):
        try:
            while not self.stop.wait(0.1) or self.answers == 0:
                answered = self.sending.answered_at < numpy.inf
                try:
                    status, body, _ = request(self.port, "GET", self.path, token=self.token)
                except (OSError, http.client.HTTPException):
                    continue
                expect(status in (200, 503), f"a figure was answered {status}: {body[:300]}")
                if status == 200:
                    self.look(json.loads(body), answered)
        except (Refusal, ValueError, LookupError) as fault:
            self.sending.faults.append(f"the reader: {fault}")

    def look(self, answer, answered):
        value = sum(point["value"] or 0 for point in answer["points"])
        now, until = milliseconds(answer["as_of"]), milliseconds(answer["counted_until"])
        most = self.sending.additions(self.sending.is_started, now)
        least = self.sending.additions(self.sending.answered_at < until, until - 1)
        if answer["complete"]:
            least = max(least, self.sending.additions(answered, now))
        self.answers += 1
        self.complete += answer["complete"]
        expect(least <= value <= most, f"{value} additions while {least} to {most} were to be counted: {answer}")
