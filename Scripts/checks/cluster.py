"""Three PostgreSQL nodes under Patroni with etcd, on loopback, for a check. A node is an etcd, a Patroni and a
PostgreSQL, which takes connections with a password only. Their data, write-ahead log and etcd are on small disks of
their own, in memory, where the kernel permits a private mount.
"""

import contextlib
import glob
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import time
import urllib.parse

from harness import ROOT, Refusal, eventually, expect, request, say, status_of
from namespaces import separate

SCOPE = "subguard"
# Patroni requires ttl >= loop_wait + 2 * retry_timeout.
TTL, LOOP_WAIT, RETRY_TIMEOUT = 7, 1, 3
DISKS = {"data": 176, "wal": 512, "etcd": 128}  # in MiB; each node has one of each
DATA_OF_A_ROUND = 320  # what the load of a round may add to the data, in MiB
POSTGRES = {
    "max_connections": 60, "shared_buffers": "64MB", "synchronous_commit": "on", "max_wal_size": "64MB",
    # What a node needs that returns after seconds of load; without it, it must be copied anew by hand.
    "min_wal_size": "32MB", "wal_keep_size": "160MB", "max_slot_wal_keep_size": "320MB",
    # With recycled segments it would live on a full disk for minutes.
    "wal_recycle": "off",
    # A standby without a sign of life is given up, so that Patroni names another synchronous one.
    "wal_sender_timeout": "3s", "wal_receiver_timeout": "3s", "tcp_keepalives_idle": 2, "tcp_keepalives_interval": 1,
    "tcp_keepalives_count": 3,
    # With the default of 5 s, promotion and the first synchronous standby of the new primary each wait that long.
    "wal_retrieve_retry_interval": "500ms",
    "hot_standby_feedback": "on", "password_encryption": "scram-sha-256",
}
USERS = {"superuser": "subguard", "replication": "replicator", "rewind": "rewinder"}
# Characters that a URL has as a % and two digits, that a .pgpass escapes, and that SQL quotes. Patroni 3.0.2 starts no
# cluster with a password that is not ASCII.
PASSWORDS = {name: f"{name}:p@ss/w%20rd?#[1]&+='\"\\ $" for name in USERS.values()}


def address(nodes, *parameters, password=PASSWORDS["subguard"], timeout=2):
    """The URL of these nodes."""
    hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
    return f"postgres://subguard:{urllib.parse.quote(password, safe='')}@{hosts}/postgres?" \
        + "&".join((f"connect_timeout={timeout}", *parameters))


def lasting_port():
    """A free port below those that the kernel lends to clients, because processes return to it after a restart."""
    while True:
        port = random.randint(20000, 32000)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


class Node:
    def __init__(self, folder, number, owner, is_mounted, disks):
        self.name, self.owner = f"node{number}", owner
        self.folder = pathlib.Path(folder, self.name)
        self.folder.mkdir()
        self.is_mounted = is_mounted
        for part, size in disks.items():
            disk = self.folder / part
            disk.mkdir(mode=0o700)
            if is_mounted:
                subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}m,mode=0700", "none", disk], check=True)
        if owner:
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, "postgres", "postgres")
        self.port, self.rest, self.etcd, self.etcd_peer = (lasting_port() for _ in range(4))
        self.children = []

    def configure(self, nodes, programs):
        self.program = str(self.folder.parent / "etcd")
        self.cluster = ",".join(f"{n.name}=http://127.0.0.1:{n.etcd_peer}" for n in nodes)
        log = str(self.folder / "wal/postgres")
        configuration = {
            "scope": SCOPE, "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.rest}", "connect_address": f"127.0.0.1:{self.rest}"},
            # Not "etcd3": with it, a primary of Patroni 3.0.2 that was cut off and returns may overwrite the leader
            # key. The new primary is then rewound to the old one, and what it acknowledged is lost.
            "etcd": {"hosts": [f"127.0.0.1:{n.etcd}" for n in nodes]},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL, "loop_wait": LOOP_WAIT, "retry_timeout": RETRY_TIMEOUT,
                    # A PostgreSQL that crashed is replaced at once instead of being restarted in place.
                    "primary_start_timeout": 0,
                    # Commits wait for a standby, and go on waiting if there is none.
                    "synchronous_mode": True, "synchronous_mode_strict": True, "synchronous_node_count": 1,
                    "postgresql": {"use_pg_rewind": True, "use_slots": True, "parameters": POSTGRES},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, {"wal-segsize": "4"}, {"waldir": log},
                           "data-checksums"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}", "connect_address": f"127.0.0.1:{self.port}",
                "data_dir": str(self.folder / "data/postgres"), "bin_dir": programs,
                "pgpass": str(self.folder / "pgpass"),
                "basebackup": [{"waldir": log}, {"checkpoint": "fast"}],
                # A node whose data cannot be rewound is copied anew.
                "remove_data_directory_on_rewind_failure": True,
                "remove_data_directory_on_diverged_timelines": True,
                "parameters": {"unix_socket_directories": str(self.folder)},
                "pg_hba": [f"host {database} all 127.0.0.1/32 scram-sha-256" for database in ("all", "replication")],
                "authentication": {role: {"username": name, "password": PASSWORDS[name]}
                                   for role, name in USERS.items()},
            },
        }
        # JSON is YAML.
        (self.folder / "patroni.yml").write_text(json.dumps(configuration, indent=1))

    def run(self, name, *command):
        with (self.folder / f"{name}.log").open("ab") as log:
            self.children.append(subprocess.Popen(
                [*self.owner, *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}))

    def start(self):
        client, peer = f"http://127.0.0.1:{self.etcd}", f"http://127.0.0.1:{self.etcd_peer}"
        self.run("etcd", self.program, "--name", self.name, "--data-dir", str(self.folder / "etcd"), "--enable-v2=true",
                 "--logger", "zap", "--log-level", "error", "--initial-cluster", self.cluster,
                 "--listen-client-urls", client, "--advertise-client-urls", client,
                 "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer)
        self.start_patroni()

    def start_patroni(self):
        self.run("patroni", "patroni", str(self.folder / "patroni.yml"))

    def processes(self):
        """The ids of the node's processes: those that work in its folder."""
        found = []
        for link in glob.glob("/proc/[0-9]*/cwd"):
            with contextlib.suppress(OSError):
                if pathlib.Path(os.readlink(link)).is_relative_to(self.folder):
                    found.append(int(link.split("/")[2]))
        return found

    def signal(self, number):
        """Sends a signal to each process of the node, also to those that are started meanwhile."""
        reached = set()
        while new := set(self.processes()) - reached:
            for process in new:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, number)
            reached |= new

    def kill(self):
        self.signal(signal.SIGKILL)
        for child in self.children:
            child.wait()
        self.children = []
        eventually(lambda: not self.processes(), f"the processes of {self.name} end")

    def leads(self):
        return status_of(self.rest, "/primary", timeout=2) == 200

    def fill(self, disk):
        """Fills a disk of the node to the last byte."""
        for size in (1 << 16, 1 << 12, 1):
            with contextlib.suppress(OSError), (self.folder / disk / "filling").open("ab", buffering=0) as file:
                while True:
                    file.write(bytes(size))

    def empty(self, disk):
        (self.folder / disk / "filling").unlink()

    def log_end(self, lines=15):
        path = self.folder / "patroni.log"
        return "\n".join(path.read_text(errors="replace").splitlines()[-lines:]) if path.exists() else ""


class Cluster:
    def __init__(self, folder, rounds=1):
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        self.programs = programs[-1] if programs else os.path.dirname(shutil.which("initdb"))
        # The user of PostgreSQL may not reach the folder of the tools.
        tools = os.environ["PATH"] + os.pathsep + str(ROOT / ".build/tools")
        etcd = shutil.which("etcd", path=tools)
        expect(etcd, "etcd is missing: run Scripts/setup check")
        shutil.copy(etcd, folder / "etcd")
        self.why_not_mounted = separate()
        owner = []
        if os.getuid() == 0:
            owner = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
        disks = {**DISKS, "data": DISKS["data"] + DATA_OF_A_ROUND * rounds}
        self.nodes = [Node(folder, number, owner, self.why_not_mounted is None, disks) for number in (1, 2, 3)]
        for node in self.nodes:
            node.configure(self.nodes, self.programs)
        self.url = address(self.nodes, "target_session_attrs=read-write")
        self.read_url = address(self.nodes, "target_session_attrs=prefer-standby")

    def start(self):
        for node in self.nodes:
            node.start()
        self.settle()

    def ask(self, sql, node=None):
        """The answer of the primary, or of a node."""
        url = address([node]) if node else self.url
        answer = subprocess.run(
            [f"{self.programs}/psql", "-At", "-c", sql, url], check=False, capture_output=True, text=True)
        expect(answer.returncode == 0, f"{sql}: {answer.stderr.strip()}")
        return answer.stdout.strip()

    def primary(self, seconds=60):
        """The one node that leads."""
        return eventually(lambda: next((n for n in self.nodes if n.leads()), None), "a node leads", seconds, 0.1)

    def standbys(self):
        primary = self.primary()
        return [node for node in self.nodes if node is not primary]

    def members(self):
        for node in self.nodes:
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                status, body, _ = request(node.rest, "GET", "/cluster", timeout=2)
                if status == 200:
                    return json.loads(body)["members"]
        return []

    def is_settled(self):
        """One leader and two standbys stream, one of them synchronous."""
        roles = sorted(m["role"] for m in self.members() if m["state"] in ("running", "streaming"))
        if roles != ["leader", "replica", "sync_standby"]:
            return False
        with contextlib.suppress(Refusal):
            return self.ask("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") == "2"
        return False

    def settle(self, seconds=90):
        began = time.monotonic()
        eventually(self.is_settled, "one node leads and two stand by", seconds, 0.2)
        return time.monotonic() - began

    def explain(self):
        """Prints what may be the reason of a failure: the logs, and how full the disks are."""
        for node in self.nodes:
            say(f"-- the end of Patroni's log of {node.name}:\n{node.log_end()}")
            for disk in DISKS:
                usage = shutil.disk_usage(node.folder / disk)
                say(f"{disk}: {usage.free >> 20} of {usage.total >> 20} MiB are free")

    def command(self, *words):
        """patronictl, as an operator calls it, from any node."""
        done = subprocess.run(
            ["patronictl", "-c", str(self.nodes[0].folder / "patroni.yml"), *words], check=False, text=True,
            stdin=subprocess.DEVNULL, capture_output=True, env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"})
        expect(done.returncode == 0, f"patronictl {' '.join(words)}: {done.stdout} {done.stderr}")
        return done.stdout

    def switch_over(self, leader, candidate=None):
        chosen = ["--candidate", candidate.name] if candidate else []
        return self.command("switchover", SCOPE, "--leader", leader.name, *chosen, "--force")

    def set_synchronous_nodes(self, count):
        self.command("edit-config", SCOPE, "--set", f"synchronous_node_count={count}", "--force")

    def end(self):
        for node in self.nodes:
            with contextlib.suppress(Refusal):
                node.kill()
            if node.is_mounted:
                for disk in DISKS:
                    subprocess.run(["umount", "--lazy", node.folder / disk], check=False)
