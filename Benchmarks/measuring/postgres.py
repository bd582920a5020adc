"""Analytics batches on PostgreSQL: compared with INSERT and COPY on the same database, and with several servers."""

import subprocess
import tempfile
import threading
import time

from measuring import building, processes
from measuring.building import ROOT
from measuring.ingest import BATCH, load
from measuring.report import Table
from measuring.servers import SubGuard

SERVERS = (1, 2, 3)
INSERT_GOAL = 5
COPY_GOAL = 0.5
COPIED_ROWS = 400_000
SETTINGS = ["fsync=on", "synchronous_commit=on", "full_page_writes=on", "shared_buffers=256MB", "max_wal_size=4GB"]


class Database:
    """A private PostgreSQL with durable writes; ends with the `with` block."""

    def __enter__(self):
        self.process = subprocess.Popen(
            [ROOT / "Scripts/private-postgres", *SETTINGS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def make(self, name):
        self.run("postgres", f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name}")
        return self.url.removesuffix("/postgres") + "/" + name

    def run(self, name, *statements, **more):
        commands = [part for statement in statements for part in ("-c", statement)]
        return subprocess.run(
            ["psql", "-q", "-At", "-v", "ON_ERROR_STOP=1", *commands, self.url.removesuffix("/postgres") + "/" + name],
            check=True, stdout=subprocess.PIPE, text=True, **more).stdout

    def cpu_seconds(self):
        return sum(processes.cpu_seconds(processes.family(self.process.pid)))


def postgres(stage):
    table = Table(
        f"Batches of {BATCH} on PostgreSQL, synchronous_commit=on",
        {"rate": ("events/s", 0), "cpu_us": ("server CPU us/event", 2), "database_us": ("database CPU us/event", 2)},
        "subguardd by HTTP, closed loop; CPU of what is measured and of PostgreSQL's processes; one load tool a server")
    with Database() as database:
        for _ in range(stage.options.rounds):
            table.add("INSERT", rate=_insert(stage, database))
            table.add("COPY", rate=_copy(database))
            for count in SERVERS:
                table.add(f"subguardd x {count}", **_serve(stage, database, count))
    table.remarks.append(
        "INSERT: one prepared statement an event, one transaction a batch, through the server's driver")
    table.remarks.append(f"COPY: {COPIED_ROWS:,} rows at once into the same table, with its primary key")
    one = f"subguardd x {SERVERS[0]}"
    table.hold("events/s, subguardd / INSERT", table.ratio(one, "INSERT", "rate"), INSERT_GOAL, unit=" x")
    table.hold("events/s, subguardd / COPY", table.ratio(one, "COPY", "rate"), COPY_GOAL, unit=" x")
    return [table]


def _insert(stage, database):
    done = subprocess.run(
        [building.release_binary("insert-bench"), "--url", database.make("plain"), "--batch", str(BATCH), "--seconds",
         str(stage.options.seconds)], check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def _copy(database):
    database.make("copied")
    database.run("copied", """CREATE TABLE plain_events (id BYTEA PRIMARY KEY, user_hash BYTEA NOT NULL,
        name TEXT NOT NULL, occurred_at BIGINT NOT NULL, properties TEXT)""")
    with tempfile.NamedTemporaryFile("w+") as rows:
        subprocess.run(
            ["psql", "-q", "-c", f"""COPY (SELECT uuid_send(gen_random_uuid()),
             sha256(int8send((random() * 1000000)::bigint)), 'app_opened', 1700000000000 + n,
             '{{"app_version":"1.4.0","locale":"fr"}}' FROM generate_series(1, {COPIED_ROWS}) n) TO STDOUT""",
             database.url], check=True, stdout=rows)
        begun = time.monotonic()
        database.run("copied", f"\\copy plain_events FROM '{rows.name}'")
        return COPIED_ROWS / (time.monotonic() - begun)


def _serve(stage, database, count):
    url = database.make("served")
    with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
        servers = [SubGuard(stage.binary, folder, {"DATABASE_URL": url}) for _ in range(count)]
        subprocess.run([stage.binary, "migrate"], env=servers[0].environment(), check=True, stdout=subprocess.DEVNULL)
        for server in servers:
            server.__enter__()
        try:
            before = sum(sum(server.cpu_seconds()) for server in servers), database.cpu_seconds()
            figures = [None] * count

            def send(number):
                figures[number] = load(
                    stage, servers[number].port, stage.options.seconds, "--closed", "--warm-up", "1s")

            senders = [threading.Thread(target=send, args=(number,)) for number in range(count)]
            for sender in senders:
                sender.start()
            for sender in senders:
                sender.join()
            after = sum(sum(server.cpu_seconds()) for server in servers), database.cpu_seconds()
        finally:
            for server in servers:
                server.__exit__()
    stored = sum(figure["events"]["accepted"]["server"] for figure in figures)
    return {
        "rate": sum(figure["accepted_events_per_second"] for figure in figures),
        "cpu_us": (after[0] - before[0]) * 1e6 / stored, "database_us": (after[1] - before[1]) * 1e6 / stored}
