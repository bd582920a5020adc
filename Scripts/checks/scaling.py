"""Check that nothing is lost with three servers on one PostgreSQL behind HAProxy, under constant ingest, while servers
are killed and disconnected and the database is restarted, killed and filled with connections. Prints how much was sent,
acknowledged and stored.

Usage: Scripts/check scaling [-- SECONDS [BINARY]]      (SECONDS between two faults, 4 by default)
"""

import base64
import hashlib
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import uuid

import harness
from database import Database
from harness import debug_binary, eventually, expect, free_port, main, say, status_of

SENDERS, BATCH = 6, 20


def make_server(binary, database, folder, number):
    # The servers differ only in their settings and ports.
    return harness.Server(binary, folder, {
        "DATABASE_URL": database.url, "RATE_LIMIT_ENABLED": "false", "LOG_LEVEL": "warning",
        "DATABASE_CONNECTIONS": "8"}, f"server-{number}").start()


class Sender(threading.Thread):
    """A device that never gives up a batch: it sends each batch until the response is 202."""

    def __init__(self, port, number, stop):
        super().__init__()
        self.port, self.number, self.stop = port, number, stop
        self.accepted = self.duplicates = self.batches = self.failures = 0
        self.longest_wait = 0.0
        self.users = set()
        self.connection = None

    def run(self):
        while not self.stop.is_set():
            self.send(self.batch())

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
        self.longest_wait = max(self.longest_wait, time.monotonic() - start)
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
            expect(response.status in (408, 429, 500, 502, 503, 504),
                   f"a batch was answered {response.status}: {text[:300]}")
        except (OSError, http.client.HTTPException):
            pass
        if self.connection is not None:
            self.connection.close()
        self.connection = None
        return None


PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==")


def ask(server, method, path, body=None, fields=None, token=None):
    """The body of a response that must be successful."""
    status, content, _ = server.call(method, path, body, fields, token)
    expect(status in (200, 201), f"{method} {path} was answered {status}: {content[:300]}")
    return content


def upload_logo(server):
    """Creates an item with a logo on one server, and returns the logo's path."""
    token = server.token("editor")
    item = json.loads(ask(server, "POST", "/api/v1/admin/catalogue", {
        "name": "Ciné", "slug": "cine", "category": "streaming", "typical_amount": "12.34", "currency": "EUR",
        "billing_cycle": "monthly"}, token=token))
    path = f"/api/v1/admin/catalogue/{item['id']}/logo"
    return json.loads(ask(server, "PUT", path, PICTURE, {"Content-Type": "image/png"}, token))["logo_url"]


def require_logo(servers, path):
    for server in servers:
        expect(ask(server, "GET", path) == PICTURE, f"{server.name} has another logo")


def proxy(folder, servers):
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
    return port, process


def check(folder):
    pause = float(sys.argv[1]) if len(sys.argv) > 1 else 4
    binary = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else debug_binary("subguardd")
    database = haproxy = None
    stop = threading.Event()
    senders = []
    try:
        database = Database(folder)
        servers = [make_server(binary, database, folder, number) for number in (1, 2, 3)]

        def all_ready():
            return all(server.is_ready() for server in servers)

        # All three start at once on an empty database, which must be migrated once.
        eventually(all_ready, "all servers are ready")
        migrations = int(database.ask("SELECT count(*) FROM schema_migrations"))
        logo = upload_logo(servers[0])
        require_logo(servers, logo)
        port, haproxy = proxy(folder, servers)
        eventually(lambda: status_of(port) == 200, "the proxy is ready")
        senders = [Sender(port, number, stop) for number in range(SENDERS)]
        for sender in senders:
            sender.start()

        def sent():
            return sum(s.batches for s in senders)

        def goes_on(what, seconds=30):
            """Every sender gets responses again."""
            before = [s.batches for s in senders]
            began = time.monotonic()
            eventually(lambda: all(s.batches > b for s, b in zip(senders, before)), what, seconds)
            say(f"{what}: {time.monotonic() - began:.1f} s, {sent()} batches so far")

        time.sleep(pause)
        goes_on("undisturbed")

        servers[0].kill()
        goes_on("server 1 killed, the others go on")
        time.sleep(pause / 2)
        servers[0].start()
        eventually(servers[0].is_ready, "server 1 is back")

        servers[1].process.send_signal(signal.SIGSTOP)
        goes_on("server 2 cut off, the others go on", 60)
        time.sleep(pause / 2)
        servers[1].process.send_signal(signal.SIGCONT)
        eventually(servers[1].is_ready, "server 2 is back")

        database.stop()
        eventually(lambda: all(status_of(s.port) == 503 for s in servers), "every server says that it is not ready")
        time.sleep(pause / 2)
        expect(status_of(servers[0].port, "/healthz") == 200, "a server without its database does not live")
        database.start()
        began = time.monotonic()
        eventually(all_ready, "all are ready again")
        say(f"database restarted, all ready again after {time.monotonic() - began:.1f} s")
        goes_on("database restarted")

        time.sleep(pause / 2)
        database.stop(signal.SIGQUIT)
        database.start()
        eventually(all_ready, "all are ready again")
        goes_on("database killed and recovered")

        crowd = database.fill(pause)
        time.sleep(pause / 2)
        goes_on("every connection taken by others", 60)
        for one in crowd:
            one.wait()
        eventually(all_ready, "all are ready again")
        goes_on("connections free again")

        servers[2].stop()
        servers[2].start()
        eventually(servers[2].is_ready, "server 3 is back")
        goes_on("server 3 restarted in order")
        time.sleep(pause / 2)

        stop.set()
        for sender in senders:
            sender.join()
        # Two of them were restarted and have nothing in memory.
        require_logo(servers, logo)
        account(database, servers, senders, migrations)
    finally:
        stop.set()
        for sender in senders:
            sender.join(timeout=20)
        if haproxy:
            haproxy.kill()
            haproxy.wait()
        if database and database.process.poll() is None:
            database.stop(signal.SIGQUIT)
    return "nothing was lost, nothing counted twice"


def account(database, servers, senders, migrations):
    settled = "SELECT folded_block_id = last_block_id FROM event_folds, event_log"
    eventually(lambda: database.ask(settled).strip() == "t", "everything is counted")
    acknowledged = sum(s.accepted + s.duplicates for s in senders)
    users = len(set().union(*(s.users for s in senders)))
    verification = servers[0].attempt("figures", "verify")
    stored = int(database.ask("SELECT coalesce(sum(event_count), 0) FROM event_blocks"))
    counted = int(database.ask("SELECT coalesce(sum(event_count), 0) FROM event_days"))
    known = int(database.ask("SELECT users FROM figure_totals"))
    rows = [
        ("batches answered 202", sum(s.batches for s in senders)),
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
    expected = sum(s.batches for s in senders) * BATCH
    faults = []
    if not acknowledged == expected == stored == counted:
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


main("scaling", check)
