"""The compared servers: each listens on its own port and reports its processes."""

import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time

from measuring import processes
from measuring.building import BENCHMARKS, ROOT

START_LIMIT_SECONDS = 120
STOP_LIMIT_SECONDS = 30


def unused_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fetch(port, path, headers=None, tls=False):
    """Status, header fields and body of one response. Certificates are not verified, because they are our own."""
    if tls:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=10, context=context)
    else:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


class Server:
    """A running server; ends with the `with` block. `wrapper` is a command that runs it, such as valgrind."""

    name = ""

    def __init__(self, folder, wrapper=(), preload=None):
        self.folder = pathlib.Path(folder)
        self.wrapper = list(wrapper)
        self.preload = preload or {}
        self.port = unused_port()
        self.tls_port = None
        self.process = None

    def command(self):
        raise NotImplementedError

    def environment(self):
        return {key: value for key, value in os.environ.items() if not key.startswith("SUBGUARD_")}

    def __enter__(self):
        log = self.folder / f"{self.name}-{self.port}.log"
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [*self.wrapper, *self.command()], env={**self.environment(), **self.preload},
                stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        deadline = time.monotonic() + START_LIMIT_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                if fetch(self.port, "/healthz", tls=self.tls_port == self.port)[0] == 200:
                    return self
            except OSError:
                time.sleep(0.0005)
        self.process.kill()
        sys.exit(f"error: bench: {self.name} does not answer: {log.read_text(errors='replace')[-2000:]}")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOP_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def metric(self, name):
        return float(re.search(rf"^{name} (\S+)$", fetch(self.port, "/metrics")[2].decode(), re.MULTILINE)[1])

    def cpu_seconds(self):
        return processes.cpu_seconds(processes.family(self.process.pid))

    def memory_mb(self):
        members = processes.family(self.process.pid)
        return processes.memory_mb(members[0]) if len(members) == 1 else processes.family_memory_mb(members)


class SubGuard(Server):
    """subguardd with the starter catalogue and default settings, except for the access log and the limits per
    client."""

    name = "subguardd"

    def __init__(self, binary, folder, settings=None, certificate=None, **more):
        super().__init__(folder, **more)
        self.binary = binary
        self.settings = settings or {}
        if certificate:
            self.tls_port = self.port
            self.settings |= {"TLS_CERTIFICATE": certificate[0], "TLS_KEY": certificate[1]}

    @property
    def store(self):
        return self.folder / "subguard.sqlite"

    def command(self):
        return [self.binary, "serve"]

    def environment(self):
        settings = {
            "HOST": "127.0.0.1", "PORT": str(self.port), "DATABASE_URL": f"sqlite:{self.store}",
            "LOG_LEVEL": "warning", "RATE_LIMIT_ENABLED": "false", **self.settings}
        return super().environment() | {f"SUBGUARD_{name}": value for name, value in settings.items()}

    def prepare(self):
        """Creates the database that this server and the peer read."""
        for arguments in (["migrate"], ["catalogue", "import", ROOT / "Config/catalogue.csv"]):
            subprocess.run(
                [self.binary, *arguments], env=self.environment(), check=True, stdout=subprocess.DEVNULL)
        return self


class Hummingbird(Server):
    name = "hummingbird"

    def __init__(self, binary, folder, store, events=None, **more):
        super().__init__(folder, **more)
        self.binary = binary
        self.store = store
        self.events = events  # database file for events, if it accepts any

    def command(self):
        return [self.binary, str(self.port), str(self.store), *([str(self.events)] if self.events else [])]


class DispatchSource(Server):
    name = "dispatch-source"

    def __init__(self, binary, folder, queues):
        super().__init__(folder)
        self.binary = binary
        self.queues = queues

    def command(self):
        return [self.binary, str(self.port), str(self.queues)]


class Nginx(Server):
    """nginx with Benchmarks/nginx/peer.conf.in; `bodies` are the catalogue's response, plain and gzip."""

    name = "nginx"

    def __init__(self, folder, bodies=None, certificate=None, one_process=False, logs=False, **more):
        super().__init__(folder, **more)
        self.logs = logs
        self.certificate = certificate
        self.one_process = one_process
        if certificate:
            self.tls_port = unused_port()
        if bodies:
            (self.folder / "catalogue.json").write_bytes(bodies[0])
            (self.folder / "catalogue.json.gz").write_bytes(bodies[1])

    def command(self):
        listen = ""
        if self.certificate:
            listen = f"listen 127.0.0.1:{self.tls_port} ssl;\nssl_certificate {self.certificate[0]};\n" \
                     f"ssl_certificate_key {self.certificate[1]};\nssl_protocols TLSv1.2 TLSv1.3;"
        access_log = f"access_log {self.folder}/access-{self.port}.log combined buffer=64k flush=1s;"
        text = (BENCHMARKS / "nginx/peer.conf.in").read_text()
        for name, value in (
                ("@FOLDER@", str(self.folder)), ("@PORT@", str(self.port)), ("@TLS_LISTEN@", listen),
                ("@ACCESS_LOG@", access_log if self.logs else "access_log off;"),
                ("@MASTER@", "off" if self.one_process else "on")):
            text = text.replace(name, value)
        path = self.folder / f"nginx-{self.port}.conf"
        path.write_text(text)
        # If root starts nginx, its workers run as another user, who needs access to the files.
        self.folder.chmod(0o755)
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:{ROOT}/.build/tools")
        return [program, "-c", str(path), "-p", str(self.folder)]
