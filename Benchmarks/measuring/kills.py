"""Sends a million events while the server is killed repeatedly, then compares the counts."""

import collections
import datetime
import hashlib
import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid

from measuring.report import Table
from measuring.servers import SubGuard

EVENTS = 1_000_000
QUICK_EVENTS = 50_000
BATCH = 500
SENDERS = 4
ROUNDS = 20
USERS = 5_000
NAMES = ("app_opened", "app_downloaded", "first_subscription_added", "subscription_added", "subscription_removed",
         "retention_d1", "retention_d7", "premium_conversion")
DAYS = 50
SEED = 20_261_121


def kills(stage):
    """Each batch is sent until it is answered, as by a device; some answered batches are sent again."""
    goal_events = QUICK_EVENTS if stage.options.quick else EVENTS
    table = Table(
        f"{goal_events:,} events, batches of {BATCH}, {SENDERS} connections, {ROUNDS} times kill -9",
        {"acknowledged": ("acknowledged", 0), "cut": ("cut batches", 0), "doubled": ("sent again", 0),
         "counted": ("counted", 0), "seconds": ("seconds", 1)})
    with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
        crowd = Crowd(goal_events // BATCH)
        begun = time.monotonic()
        for number in range(ROUNDS):
            server = SubGuard(stage.binary, folder)
            with server:
                crowd.send(server, until=(number + 1) / (ROUNDS + 1))
        server = SubGuard(stage.binary, folder)
        with server:
            crowd.send(server, until=1)
            crowd.send_again(server)
        seconds = time.monotonic() - begun
        done = subprocess.run(
            [server.binary, "figures", "verify"], env=server.environment(), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        told = re.search(r"(\d+) events, (\d+) users, no difference", done.stdout)
        counted = int(told[1]) if told else 0
        table.add("subguardd", acknowledged=crowd.acknowledged, cut=crowd.cut, doubled=crowd.repeated, counted=counted,
                  seconds=seconds)
    if not told:
        table.remarks.append(f"figures verify: {done.stdout[:500]}")
    table.hold("acknowledged events that are not counted", max(0, crowd.acknowledged - counted), 0, at_least=False)
    table.hold("events counted beyond those acknowledged", max(0, counted - crowd.acknowledged), 0, at_least=False)
    table.hold("differences of figures verify", 0 if told else 1, 0, at_least=False)
    table.hold("batches cut by a kill", crowd.cut, 1)
    return [table]


class Crowd:
    """Senders that share a list of batches, process it in any order, and record which were answered."""

    def __init__(self, count):
        self.count = count
        self.random = random.Random(SEED)
        self.waiting = collections.deque(self._bodies())
        self.answered = collections.deque(maxlen=50)
        self.acknowledged = 0
        self.cut = 0
        self.repeated = 0
        self.lock = threading.Lock()

    def _bodies(self):
        now = datetime.datetime.now(datetime.UTC)
        users = [hashlib.sha256(str(number).encode()).hexdigest() for number in range(USERS)]
        moments = [
            (now - datetime.timedelta(seconds=self.random.uniform(0, DAYS * 86_400)))
            .strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
                   for _ in range(10_000)]
        for _ in range(self.count):
            yield json.dumps([
                {"id": str(uuid.UUID(int=self.random.getrandbits(128), version=4)), "name": self.random.choice(NAMES),
                 "user_id": self.random.choice(users), "timestamp": self.random.choice(moments)} for _ in range(BATCH)])

    def send(self, server, until):
        """Sends until this many events have been answered; then, unless all are, kills the server during a request."""
        goal = int(self.count * until)
        threads = [threading.Thread(target=self._send, args=(server.port,)) for _ in range(SENDERS)]
        for thread in threads:
            thread.start()
        if until < 1:
            while self.acknowledged < goal * BATCH:
                time.sleep(0.001)
            time.sleep(self.random.uniform(0, 0.05))
            server.process.send_signal(signal.SIGKILL)
        for thread in threads:
            thread.join()
        if until == 1 and self.acknowledged != self.count * BATCH:
            sys.exit(f"error: bench: {self.acknowledged} of {self.count * BATCH} events were answered")

    def _send(self, port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        while True:
            try:
                body = self.waiting.popleft()
            except IndexError:
                return
            try:
                connection.request("POST", "/api/v1/analytics", body, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                text = answer.read()
            except (OSError, http.client.HTTPException):
                # It is unknown whether the server accepted the batch; the next sender uses the same ids.
                with self.lock:
                    self.waiting.append(body)
                    self.cut += 1
                return
            if answer.status == 503:
                self.waiting.append(body)
                time.sleep(0.05)
                continue
            receipt = json.loads(text)
            if answer.status != 202 or receipt["rejected"] or receipt["accepted"] + receipt["duplicates"] != BATCH:
                os.write(2, f"error: bench: status {answer.status}: {text[:200]}\n".encode())
                os._exit(1)
            with self.lock:
                self.acknowledged += BATCH
                self.answered.append(body)

    def send_again(self, server):
        """Sends the last answered batches again; all their events must be known."""
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        for body in self.answered:
            connection.request("POST", "/api/v1/analytics", body, {"Content-Type": "application/json"})
            receipt = json.loads(connection.getresponse().read())
            if receipt["duplicates"] != BATCH:
                sys.exit(f"error: bench: a batch that was answered is new again: {receipt}")
            self.repeated += BATCH
