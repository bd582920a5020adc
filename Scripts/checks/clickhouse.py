"""ClickHouse and ZooKeeper of Debian's packages, and chdb (a current engine) behind HTTP, for a check. Everything
runs on loopback addresses, in folders of its own, and as an unprivileged user where the check itself runs as root.

The nodes of a cluster have the same ports on different loopback addresses, as the hosts of a real one.
"""

import contextlib
import http.client
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import xml.sax.saxutils

from harness import ROOT, WAIT_SECONDS, eventually, expect, free_port

USER = "nobody"
PROGRAMS = ("/usr/sbin/clickhouse-server", ROOT / ".build/tools/clickhouse-server")
JARS = "/usr/share/java"
ZOOKEEPER_JARS = (
    "zookeeper", "zookeeper-jute", "slf4j-api", "slf4j-nop", "metrics-core", "commons-cli", "commons-io", "snappy-java",
    "netty-buffer", "netty-common", "netty-handler", "netty-transport", "netty-all", "netty", "jackson-core",
    "jackson-databind", "jackson-annotations", "log4j-1.2", "guava")


def as_user(folder):
    """The words that run a program as the unprivileged user, who gets the folder."""
    if os.getuid() != 0:
        return []
    entry = pwd.getpwnam(USER)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, entry.pw_uid, entry.pw_gid)
    return ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups", "--"]


class Program:
    """A process in a folder of its own; its output is in a file there."""

    def __init__(self, folder, name):
        self.folder, self.name = pathlib.Path(folder) / name, name
        self.folder.mkdir(mode=0o755, parents=True)
        self.process = None

    def spawn(self, command, environment=None):
        owner = as_user(self.folder)
        with (self.folder / "output").open("ab") as output:
            self.process = subprocess.Popen(
                [*owner, *command], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env={"PATH": os.environ["PATH"], "HOME": str(self.folder), **(environment or {})})

    def output(self):
        return (self.folder / "output").read_text(encoding="utf-8", errors="replace")[-2000:]

    def kill(self, how=signal.SIGKILL):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(WAIT_SECONDS)


def ask(host, port, statement, user="default", password="", timeout=120):
    """The body of a response; raises Refusal for any status but 200, and OSError without a response."""
    connection = http.client.HTTPConnection(host, port, timeout=timeout)
    with contextlib.closing(connection):
        connection.request("POST", "/?wait_end_of_query=1", statement.encode(),
                           {"X-ClickHouse-User": user, "X-ClickHouse-Key": password})
        answer = connection.getresponse()
        body = answer.read().decode(errors="replace")
    expect(answer.status == 200, f"{host}: {statement[:300]}: {body[:500]}")
    return body


def table(text):
    """The cells of a response in the format TabSeparated."""
    return [tuple(line.split("\t")) for line in text.splitlines()]


class Node(Program):
    """A clickhouse-server. `cluster` lists the hosts of each shard; `keeper` is a port of 127.0.0.1; `tls` has a port,
    and the files of a certificate and its key."""

    def __init__(self, folder, host, ports, password="", cluster=None, keeper=None, tls=None):
        super().__init__(folder, f"node-{host}")
        self.host, self.port, self.password = host, ports["http"], password
        self.program = next((str(path) for path in PROGRAMS if os.access(path, os.X_OK)), None)
        secret = xml.sax.saxutils.escape(password)
        expect(self.program, "clickhouse-server is missing: run Scripts/setup check first")
        shards = "".join(
            "<shard><internal_replication>true</internal_replication>" + "".join(
                f"<replica><host>{replica}</host><port>{ports['tcp']}</port><user>subguard</user>"
                f"<password>{secret}</password></replica>" for replica in replicas) + "</shard>"
            for replicas in cluster or [])
        keepers = f"<zookeeper><node><host>127.0.0.1</host><port>{keeper}</port></node>" \
                  "<session_timeout_ms>10000</session_timeout_ms></zookeeper>" if keeper else ""
        encryption = f"<https_port>{tls[0]}</https_port><openSSL><server><certificateFile>{tls[1]}</certificateFile>" \
                     f"<privateKeyFile>{tls[2]}</privateKeyFile><verificationMode>none</verificationMode>" \
                     "</server></openSSL>" if tls else ""
        (self.folder / "config.xml").write_text(f"""<yandex>
<logger><level>warning</level><log>{self.folder}/log</log><errorlog>{self.folder}/errors</errorlog></logger>
{encryption}<http_port>{ports['http']}</http_port><tcp_port>{ports['tcp']}</tcp_port>
<interserver_http_port>{ports['interserver']}</interserver_http_port>
<interserver_http_host>{host}</interserver_http_host>
<listen_host>{host}</listen_host><path>{self.folder}/data/</path><tmp_path>{self.folder}/tmp/</tmp_path>
<users_config>users.xml</users_config><default_profile>default</default_profile>
<default_database>default</default_database><mark_cache_size>50000000</mark_cache_size>
<timezone>America/New_York</timezone>
<remote_servers>{f'<events>{shards}</events>' if shards else ''}</remote_servers>{keepers}
</yandex>""")
        # As in docs/events.md: one user who writes, and one who only reads.
        (self.folder / "users.xml").write_text(f"""<yandex>
<profiles><default><max_memory_usage>1500000000</max_memory_usage></default>
<reader><readonly>1</readonly></reader></profiles>
<users><subguard><password>{secret}</password><networks><ip>127.0.0.0/8</ip></networks>
<profile>default</profile><quota>default</quota></subguard>
<reader><password>reads</password><networks><ip>127.0.0.0/8</ip></networks>
<profile>reader</profile><quota>default</quota>
<allow_databases><database>subguard</database></allow_databases></reader></users>
<quotas><default/></quotas>
</yandex>""")

    def start(self):
        self.spawn([self.program, "--config-file=config.xml"])
        return self

    def output(self):
        errors = self.folder / "errors"
        return (errors.read_text(encoding="utf-8", errors="replace") if errors.exists() else super().output())[-2000:]

    @contextlib.contextmanager
    def disk(self, mebibytes):
        """Keeps the data on a disk of this size meanwhile."""
        data = self.folder / "data"
        data.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=0755", "none", data], check=True)
        try:
            yield
        finally:
            subprocess.run(["umount", "--lazy", data], check=True)

    def fill(self):
        """Fills that disk to the last byte. Returns the file that does so."""
        filling = self.folder / "data/filling"
        for size in (1 << 16, 1 << 12, 1):
            with contextlib.suppress(OSError), filling.open("ab", buffering=0) as file:
                while True:
                    file.write(bytes(size))
        return filling

    def wait_until_ready(self):
        def answers():
            expect(self.process.poll() is None, f"{self.name} ended: {self.output()}")
            with contextlib.suppress(OSError, http.client.HTTPException):
                return self.ask("SELECT 1")
        eventually(answers, f"{self.name} is ready")
        return self

    def ask(self, statement, user="subguard", password=None):
        return ask(self.host, self.port, statement, user, self.password if password is None else password)

    def rows(self, statement):
        return table(self.ask(statement))


class Keeper(Program):
    """A ZooKeeper."""

    def __init__(self, folder):
        super().__init__(folder, "zookeeper")
        self.port = free_port()
        (self.folder / "zoo.cfg").write_text(
            f"tickTime=1000\ndataDir={self.folder}/data\nclientPort={self.port}\nclientPortAddress=127.0.0.1\n"
            "admin.enableServer=false\nmaxClientCnxns=0\n4lw.commands.whitelist=ruok\n")

    def start(self):
        java = shutil.which("java")
        expect(java, "java is missing: run Scripts/setup check first")
        jars = ":".join(f"{JARS}/{name}.jar" for name in ZOOKEEPER_JARS if os.path.exists(f"{JARS}/{name}.jar"))
        self.spawn([java, "-Xmx256m", "-cp", jars, "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                    f"{self.folder}/zoo.cfg"])
        return self

    def wait_until_ready(self):
        def answers():
            expect(self.process.poll() is None, f"ZooKeeper ended: {self.output()}")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 2) as probe:
                probe.sendall(b"ruok")
                return probe.recv(8) == b"imok"
        eventually(answers, "ZooKeeper is ready")
        return self


class CurrentEngine(Program):
    """chdb behind HTTP."""

    host = "127.0.0.1"

    def __init__(self, folder):
        super().__init__(folder, "chdb")
        self.port = free_port()

    def start(self):
        shim = pathlib.Path(__file__).resolve().parent / "clickhouse_current.py"
        shutil.copy(shim, self.folder)
        # A virtual environment may be out of reach for the unprivileged user, so the engine runs as this one.
        with (self.folder / "output").open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-B", str(shim), str(self.port), str(self.folder / "data")], cwd=self.folder,
                stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        return self

    def wait_until_ready(self):
        def answers():
            expect(self.process.poll() is None, f"chdb ended: {self.output()}")
            with contextlib.suppress(OSError, http.client.HTTPException):
                return self.ask("SELECT 1")
        eventually(answers, "chdb is ready")
        return self

    def ask(self, statement, user="subguard", password=""):
        return ask(self.host, self.port, statement, user, password)

    def rows(self, statement):
        return table(self.ask(statement))
