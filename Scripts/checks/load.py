"""Several servers on one database behind HAProxy under constant load, and the final account of what was sent,
acknowledged, stored and counted. Used by the checks `scaling` and `failover`.
"""

import hashlib
import http.client
import json
import pathlib
import signal
import subprocess
import threading
import time
import uuid

import harness
from harness import eventually, expect, free_port, say, status_of

SENDERS, BATCH = 6, 20


def make_server(binary, url, folder, number, **settings):
    # The servers differ only in their settings and ports.
    return harness.Server(binary, folder, {
        "DATABASE_URL": url, "RATE_LIMIT_ENABLED": "false", "LOG_LEVEL": "warning", "DATABASE_CONNECTIONS": "8",
        **settings}, f"server-{number}").start()


class Sender(threading.Thread):
    """A device that never gives up a batch: it sends each batch until the response is 202."""

    def __init__(self, port, number, stop):
        super().__init__(daemon=True)  # it would go on for ever without servers
        self.port, self.number, self.stop = port, number, stop
        self.accepted = self.duplicates = self.batches = self.failures = 0
        self.longest_wait = 0.0
        self.answered = []  # when each response 202 arrived
        self.users = set()
        self.connection = None
        self.fault = None  # a response that must not be

    def run(self):
        try:
            while not self.stop.is_set():
                self.send(self.batch())
        except harness.Refusal as refusal:
            self.fault = refusal

    def batch(self):
        events = []
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        for _ in range(BATCH):
            user = hashlib.sha256(f"{self.number}/{(self.batches * 7) % 500}".encode()).hexdigest()
            self.users.add(user)
            events.append({"id": str(uuid.uuid4()), "name": "app_opened", "user_id": user, "timestamp": now})
        return json.dumps({"events": events})

    def send(self, body):
        start = time.monotonic()
        while True:
            answer = self.attempt(body)
            if answer is not None:
                break
            self.failures += 1
            time.sleep(0.05)
        self.answered.append(time.monotonic())
        self.longest_wait = max(self.longest_wait, self.answered[-1] - start)
        self.batches += 1
        self.accepted += answer["accepted"]
        self.duplicates += answer["duplicates"]
        expect(not answer["rejected"], f"rejected {answer['rejected']}")

    def attempt(self, body):
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=8)
            self.connection.request(
                "POST", "/api/v1/analytics", body, {"Content-Type": "application/json"})
            response = self.connection.getresponse()
            text = response.read()
            if response.status == 202:
                return json.loads(text)
            expect(response.status in (408, 429, 500, 502, 503, 504, 507),
                   f"a batch was answered {response.status}: {text[:300]}")
        except (OSError, http.client.HTTPException):
            pass
        if self.connection is not None:
            self.connection.close()
        self.connection = None
        return None


class Load:
    """Senders that run until `end`."""

    def __init__(self, port):
        self.stop = threading.Event()
        self.senders = [Sender(port, number, self.stop) for number in range(SENDERS)]
        for sender in self.senders:
            sender.start()

    @property
    def batches(self):
        return sum(s.batches for s in self.senders)

    @property
    def acknowledged(self):
        """Events in batches answered 202."""
        return sum(s.accepted + s.duplicates for s in self.senders)

    def goes_on(self, what, seconds=30):
        """Every sender gets responses again."""
        before = [s.batches for s in self.senders]
        began = time.monotonic()

        def all_sent():
            for sender in self.senders:
                expect(sender.fault is None, sender.fault)
            return all(s.batches > b for s, b in zip(self.senders, before))
        eventually(all_sent, what, seconds)
        say(f"{what}: {time.monotonic() - began:.1f} s, {self.batches} batches so far")

    def silence(self, since):
        """The longest time without any response 202, from `since` until now."""
        moments = sorted(m for s in self.senders for m in list(s.answered) if m > since)
        moments = [since, *moments, time.monotonic()]
        return max(later - earlier for earlier, later in zip(moments, moments[1:]))

    def end(self, timeout=None):
        self.stop.set()
        for sender in self.senders:
            sender.join(timeout)


def end(load, haproxy, database=None, timeout=1):
    """Ends what a check has started so far; None for what it has not."""
    if load:
        load.end(timeout=timeout)
    if haproxy:
        haproxy.kill()
        haproxy.wait()
    if database and database.process.poll() is None:
        database.stop(signal.SIGQUIT)


def proxy(folder, servers):
    """(port, process) of an HAProxy that asks the servers for their readiness."""
    port = free_port()
    lines = [
        "defaults", " mode http", " retries 0", " option redispatch", " timeout connect 1s", " timeout client 30s",
        " timeout server 10s", " timeout check 2s", "frontend f", f" bind 127.0.0.1:{port}", " default_backend b",
        "backend b", " balance roundrobin", " option httpchk GET /readyz", " http-check expect status 200",
    ]
    lines += [f" server {s.name} 127.0.0.1:{s.port} check inter 300ms fall 2 rise 1" for s in servers]
    configuration = pathlib.Path(folder, "haproxy.cfg")
    configuration.write_text("\n".join(lines) + "\n")
    process = subprocess.Popen(
        ["haproxy", "-db", "-f", str(configuration)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    eventually(lambda: status_of(port) == 200, "the proxy is ready")
    return port, process


def account(database, servers, load, migrations):
    """Compares what was sent, acknowledged, stored and counted. Raises Refusal if anything differs."""
    settled = "SELECT folded_block_id = last_block_id FROM event_folds, event_log"
    eventually(lambda: database.ask(settled).strip() == "t", "everything is counted")
    senders = load.senders
    acknowledged = load.acknowledged
    users = len(set().union(*(s.users for s in senders)))
    verification = servers[0].attempt("figures", "verify")
    stored = int(database.ask("SELECT coalesce(sum(event_count), 0) FROM event_blocks"))
    counted = int(database.ask("SELECT coalesce(sum(event_count), 0) FROM event_days"))
    known = int(database.ask("SELECT users FROM figure_totals"))
    rows = [
        ("batches answered 202", load.batches),
        ("events in them", acknowledged),
        ("  of these known already, as an answer was lost", sum(s.duplicates for s in senders)),
        ("events stored", stored),
        ("events in the figures", counted),
        ("users sent", users),
        ("users in the figures", known),
        ("attempts that failed and were made again", sum(s.failures for s in senders)),
    ]
    for name, number in rows:
        say(f"{name:55}{number:>10}")
    say(f"{'longest that a batch waited':55}{max(s.longest_wait for s in senders):>8.1f} s")
    say(verification.stdout.strip())
    faults = [f"a sender ended early: {s.fault}" for s in senders if s.fault]
    if not acknowledged == load.batches * BATCH == stored == counted:
        faults.append("what was sent, acknowledged, stored and counted differs")
    if users != known:
        faults.append("the users differ")
    if verification.returncode != 0:
        faults.append(f"figures verify: {verification.stdout} {verification.stderr}")
    if int(database.ask("SELECT count(*) FROM schema_migrations")) != migrations:
        faults.append("migrations were applied twice")
    doubled = database.ask("SELECT count(*) FROM (SELECT job FROM job_leases GROUP BY job HAVING count(*) > 1) d")
    if doubled != "0":
        faults.append("a job is there twice")
    expect(not faults, "; ".join(faults))
