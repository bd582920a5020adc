"""Check subguardd behind PgBouncer: with pools by session nothing is lost under load while PgBouncer is restarted, and
with pools by transaction the start says why it ends.

Usage: Scripts/check pooler [-- SECONDS [BINARY]]      (SECONDS of load before and after the restart, 5 by default)
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import harness
from database import Database
from harness import ROOT, debug_binary, eventually, expect, free_port, main, say
from load import Load, account, end, make_server, proxy


class Pooler:
    def __init__(self, folder, database, mode):
        tools = os.environ["PATH"] + os.pathsep + "/usr/sbin" + os.pathsep + str(ROOT / ".build/tools")
        program = shutil.which("pgbouncer", path=tools)
        expect(program, "pgbouncer is missing: run Scripts/setup check")
        # The user of PostgreSQL may not reach the folder of the tools.
        self.folder = pathlib.Path(folder, f"pooler-{mode}")
        self.folder.mkdir()
        self.program = shutil.copy(program, self.folder)
        self.owner = database.owner
        self.port = free_port()
        (self.folder / "users").write_text('"subguard" ""\n')
        self.configuration = self.folder / "pgbouncer.ini"
        self.configuration.write_text("\n".join([
            "[databases]", f"postgres = host={database.folder} port=5432 user=subguard", "[pgbouncer]",
            "listen_addr = 127.0.0.1", f"listen_port = {self.port}", "unix_socket_dir =", "auth_type = trust",
            f"auth_file = {self.folder}/users", f"pool_mode = {mode}", "default_pool_size = 30", ""]))
        if self.owner:
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, "postgres", "postgres")
        self.url = f"postgres://subguard@127.0.0.1:{self.port}/postgres"
        self.process = None
        self.start()

    def start(self):
        log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [*self.owner, self.program, "-q", str(self.configuration)], stdout=log, stderr=log, cwd=self.folder)

    def stop(self):
        """Also closes the connections of clients."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()


def require_refusal(binary, folder, pooler):
    """The start must name the reason, whichever session of the pool it meets."""
    for attempt in range(5):
        server = harness.Server(binary, folder, {"DATABASE_URL": pooler.url}, f"refused-{attempt}")
        done = eventually(lambda: attempt_of(server), "the start ends")
        expect(done.returncode != 0 and "pools by transaction" in done.stderr,
               f"status {done.returncode} with pools by transaction: {done.stdout} {done.stderr}")
    say(re.sub(r"\s+", " ", done.stderr.strip()))


def attempt_of(server):
    """None while the pooler does not respond yet."""
    done = server.attempt("serve")
    return None if "no server responds" in done.stderr else done


def check(folder):
    pause = float(sys.argv[1]) if len(sys.argv) > 1 else 5
    binary = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else debug_binary("subguardd")
    poolers = []
    database = haproxy = load = None
    try:
        database = Database(folder)
        poolers.append(Pooler(folder, database, "session"))
        servers = [make_server(binary, poolers[0].url, folder, number) for number in (1, 2)]

        def all_ready():
            return all(server.is_ready() for server in servers)

        eventually(all_ready, "all servers are ready")
        migrations = int(database.ask("SELECT count(*) FROM schema_migrations"))
        settings = database.ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'subguardd'")
        expect(int(settings) > 0, "no session of subguardd")
        port, haproxy = proxy(folder, servers)
        load = Load(port)
        time.sleep(pause)
        load.goes_on("through PgBouncer, pools by session")
        poolers[0].stop()
        poolers[0].start()
        load.goes_on("PgBouncer restarted", 60)
        time.sleep(pause)
        load.goes_on("through PgBouncer, pools by session")
        load.end()
        eventually(all_ready, "all servers are ready")
        account(database, servers, load, migrations)
        poolers.append(Pooler(folder, database, "transaction"))
        require_refusal(binary, folder, poolers[1])
    finally:
        for pooler in poolers:
            pooler.stop()
        end(load, haproxy, database)
    return "works with pools by session, and names pools by transaction at the start"


main("pooler", check)
