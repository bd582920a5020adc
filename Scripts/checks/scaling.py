"""Three servers, one PostgreSQL, HAProxy in front: what fails, and that nothing is lost. See Scripts/check-scaling."""

import base64
import glob
import hashlib
import http.client
import json
import os
import pathlib
import signal
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid

SENDERS, BATCH = 6, 20


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def wait_for(what, condition, seconds=60):
    """Returns how long it took."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > seconds:
            raise SystemExit(f"error: {what}: not within {seconds} s")
        time.sleep(0.02)
    return time.monotonic() - start


def status(port, path="/readyz", timeout=8):
    """The answer's status, 0 when there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


class Database:
    """A PostgreSQL that really writes, reached through a socket of its own folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder, "postgres")
        self.folder.mkdir(mode=0o755)
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        self.programs = programs[-1] if programs else os.path.dirname(shutil.which("initdb"))
        self.owner = []
        if os.getuid() == 0:
            self.owner = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
            shutil.chown(self.folder, "postgres", "postgres")
        self.url = "postgres://subguard@" + str(self.folder).replace("/", "%2F") + "/postgres"
        subprocess.run(
            [*self.owner, f"{self.programs}/initdb", f"--pgdata={self.folder}/data", "--username=subguard",
             "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder)
        self.process = None
        self.start()

    def start(self):
        log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [*self.owner, f"{self.programs}/postgres", "-D", f"{self.folder}/data", "-k", str(self.folder),
             "-c", "listen_addresses=", "-c", "synchronous_commit=on", "-c", "max_connections=40"],
            stdout=log, stderr=log, cwd=self.folder)
        wait_for("the database starts", self.answers)

    def answers(self):
        return subprocess.run(
            [f"{self.programs}/pg_isready", "-q", "-h", str(self.folder)], check=False).returncode == 0

    def stop(self, how=signal.SIGINT):
        """SIGINT is a restart as an administrator does it; SIGQUIT leaves everything to the recovery."""
        self.process.send_signal(how)
        self.process.wait()

    def ask(self, sql):
        answer = subprocess.run(
            [f"{self.programs}/psql", "-h", str(self.folder), "-U", "subguard", "-At", "-c", sql, "postgres"],
            check=True, capture_output=True, text=True)
        return answer.stdout.strip()

    def fill(self, seconds):
        """Takes every connection that is left, for a while."""
        return [
            subprocess.Popen(
                [f"{self.programs}/psql", "-h", str(self.folder), "-U", "subguard", "-c", f"SELECT pg_sleep({seconds})",
                 "postgres"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(60)
        ]


class Server:
    def __init__(self, binary, database, folder, number):
        self.binary, self.number, self.folder = binary, number, folder
        self.port = free_port()
        self.environment = {
            "PATH": "/usr/bin:/bin", "SUBGUARD_DATABASE_URL": database.url, "SUBGUARD_PORT": str(self.port),
            "SUBGUARD_RATE_LIMIT_ENABLED": "false", "SUBGUARD_LOG_LEVEL": "warning",
            "SUBGUARD_DATABASE_CONNECTIONS": "8",
            "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
        }
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.binary, "serve"], env=self.environment, cwd=self.folder,
            stderr=open(f"{self.folder}/server-{self.number}.log", "ab"))

    def is_ready(self):
        return status(self.port) == 200

    def run(self, *arguments):
        return subprocess.run(
            [self.binary, *arguments], env=self.environment, cwd=self.folder, check=False, capture_output=True,
            text=True)


class Sender(threading.Thread):
    """A device that never gives up a batch: it sends it until it is answered 202."""

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
        if answer["rejected"]:
            raise SystemExit(f"error: rejected {answer['rejected']}")

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
            if response.status not in (408, 429, 500, 502, 503, 504):
                raise SystemExit(f"error: a batch was answered {response.status}: {text[:300]}")
        except (OSError, http.client.HTTPException):
            pass
        if self.connection is not None:
            self.connection.close()
        self.connection = None
        return None


PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==")


def ask(port, method, path, body=None, headers=None):
    """The body of an answer that must be a good one."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=8)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            raise SystemExit(f"error: {method} {path} was answered {answer.status}: {content[:300]}")
        return content
    finally:
        connection.close()


def upload_logo(server):
    """Makes an item with a logo by one server, and returns the logo's path."""
    token = server.run("token", "create", "--role", "editor", "--name", "logos").stdout.strip()
    caller = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    item = json.loads(ask(server.port, "POST", "/api/v1/admin/catalogue", json.dumps({
        "name": "Ciné", "slug": "cine", "category": "streaming", "typical_amount": "12.34", "currency": "EUR",
        "billing_cycle": "monthly"}), caller))
    picture = {**caller, "Content-Type": "image/png"}
    return json.loads(ask(server.port, "PUT", f"/api/v1/admin/catalogue/{item['id']}/logo", PICTURE, picture))["logo_url"]


def require_logo(servers, path):
    for server in servers:
        if ask(server.port, "GET", path) != PICTURE:
            raise SystemExit(f"error: server {server.number} has another logo")


def proxy(folder, servers):
    port = free_port()
    lines = [
        "defaults", " mode http", " retries 0", " option redispatch", " timeout connect 1s", " timeout client 30s",
        " timeout server 10s", " timeout check 2s", "frontend f", f" bind 127.0.0.1:{port}", " default_backend b",
        "backend b", " balance roundrobin", " option httpchk GET /readyz", " http-check expect status 200",
    ]
    lines += [f" server s{s.number} 127.0.0.1:{s.port} check inter 300ms fall 2 rise 1" for s in servers]
    configuration = pathlib.Path(folder, "haproxy.cfg")
    configuration.write_text("\n".join(lines) + "\n")
    process = subprocess.Popen(
        ["haproxy", "-db", "-f", str(configuration)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return port, process


def main(binary, pause):
    folder = tempfile.mkdtemp(prefix="subguard-scaling-", dir="/tmp")
    os.chmod(folder, 0o755)
    database = servers = haproxy = None
    stop = threading.Event()
    senders = []
    try:
        database = Database(folder)
        servers = [Server(binary, database, folder, number) for number in (1, 2, 3)]
        # All three start at once on an empty database: it is migrated once.
        wait_for("all servers are ready", lambda: all(s.is_ready() for s in servers))
        migrations = int(database.ask("SELECT count(*) FROM schema_migrations"))
        logo = upload_logo(servers[0])
        require_logo(servers, logo)
        port, haproxy = proxy(folder, servers)
        wait_for("the proxy is ready", lambda: status(port) == 200)
        senders = [Sender(port, number, stop) for number in range(SENDERS)]
        for sender in senders:
            sender.start()

        def sent():
            return sum(s.batches for s in senders)

        def goes_on(what, seconds=30):
            """Every sender gets answers again."""
            before = [s.batches for s in senders]
            took = wait_for(what, lambda: all(s.batches > b for s, b in zip(senders, before)), seconds)
            print(f"{what}: {took:.1f} s, {sent()} batches so far", flush=True)

        time.sleep(pause)
        goes_on("undisturbed")

        servers[0].process.kill()
        servers[0].process.wait()
        goes_on("server 1 killed, the others go on")
        time.sleep(pause / 2)
        servers[0].start()
        wait_for("server 1 is back", servers[0].is_ready)

        servers[1].process.send_signal(signal.SIGSTOP)
        goes_on("server 2 cut off, the others go on", 60)
        time.sleep(pause / 2)
        servers[1].process.send_signal(signal.SIGCONT)
        wait_for("server 2 is back", servers[1].is_ready)

        database.stop()
        wait_for("every server says that it is not ready", lambda: all(status(s.port) == 503 for s in servers))
        time.sleep(pause / 2)
        if status(servers[0].port, "/healthz") != 200:
            raise SystemExit("error: a server without its database does not live")
        database.start()
        took = wait_for("all are ready again", lambda: all(s.is_ready() for s in servers))
        print(f"database restarted, all ready again after {took:.1f} s", flush=True)
        goes_on("database restarted")

        time.sleep(pause / 2)
        database.stop(signal.SIGQUIT)
        database.start()
        wait_for("all are ready again", lambda: all(s.is_ready() for s in servers))
        goes_on("database killed and recovered")

        crowd = database.fill(pause)
        time.sleep(pause / 2)
        goes_on("every connection taken by others", 60)
        for one in crowd:
            one.wait()
        wait_for("all are ready again", lambda: all(s.is_ready() for s in servers))
        goes_on("connections free again")

        servers[2].process.terminate()
        servers[2].process.wait()
        servers[2].start()
        wait_for("server 3 is back", servers[2].is_ready)
        goes_on("server 3 restarted in order")
        time.sleep(pause / 2)

        stop.set()
        for sender in senders:
            sender.join()
        # Two of them were started anew, and have nothing in memory.
        require_logo(servers, logo)
        account(database, servers, senders, migrations)
    finally:
        stop.set()
        for sender in senders:
            sender.join(timeout=20)
        for server in servers or []:
            server.process.send_signal(signal.SIGCONT)
            server.process.kill()
            server.process.wait()
        if haproxy:
            haproxy.kill()
            haproxy.wait()
        if database and database.process.poll() is None:
            database.stop(signal.SIGQUIT)
        if os.environ.get("KEEP"):
            print(folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)


def account(database, servers, senders, migrations):
    settled = "SELECT folded_block_id = last_block_id FROM event_folds, event_log"
    wait_for("everything to be counted", lambda: database.ask(settled).strip() == "t", 30)
    acknowledged = sum(s.accepted + s.duplicates for s in senders)
    users = len(set().union(*(s.users for s in senders)))
    verification = servers[0].run("figures", "verify")
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
        print(f"{name:55}{number:>10}")
    print(f"{'longest that a batch waited':55}{max(s.longest_wait for s in senders):>8.1f} s")
    print(verification.stdout.strip())
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
    if faults:
        raise SystemExit("error: " + "; ".join(faults))
    print("Nothing was lost, nothing counted twice.")


main(os.path.abspath(sys.argv[1]), float(sys.argv[2]))
