"""The server under attack: started with default limits on a store of its own, and its processor time and memory."""

import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

from routes import POSTHOG_KEY, SENTRY_KEY

ROOT = pathlib.Path(__file__).resolve().parents[2]
START_LIMIT_SECONDS = 60


class Refusal(Exception):
    """The check itself could not be carried out."""


class Target:
    """A running process that listens on `port`."""

    def __init__(self, pid, port):
        self.pid = pid
        self.port = port

    def cpu_ms(self):
        """Processor time of all threads, also of those that have ended, in user and kernel mode."""
        # The clock of another process, as clock_getcpuclockid(3) makes it on Linux.
        return time.clock_gettime((~self.pid << 3) | 2) * 1000

    def settled_cpu_ms(self):
        """The processor time once the server rests: work that goes on after an answer counts, too."""
        deadline = time.monotonic() + 5
        before = self.cpu_ms()
        while time.monotonic() < deadline:
            time.sleep(0.004)
            now = self.cpu_ms()
            if now - before < 0.2:
                return now
            before = now
        return before

    def disk_bytes(self):
        """Bytes that the process has caused to be written to a disk."""
        return int(re.search(r"^write_bytes: (\d+)", pathlib.Path(f"/proc/{self.pid}/io").read_text(), re.MULTILINE)[1])

    def forget_peak(self):
        pathlib.Path(f"/proc/{self.pid}/clear_refs").write_text("5")

    def peak_mb(self):
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"^VmHWM:\s*(\d+) kB", status, re.MULTILINE)[1]) * 1024 / 1_000_000


class Server(Target):
    """subguardd in a folder of its own, with the starter catalogue, all doors open and a token of each role."""

    ROLES = ("owner", "moderator")

    def __init__(self, binary):
        self.binary = str(pathlib.Path(binary).resolve())
        self.scratch = tempfile.TemporaryDirectory(prefix="subguard-abuse.")
        self.folder = pathlib.Path(self.scratch.name)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        # Only the settings that open doors; limits have their defaults.
        self.environment = {
            "PATH": os.environ["PATH"], "SUBGUARD_PORT": str(port),
            "SUBGUARD_DATABASE_URL": f"sqlite:{self.folder}/subguard.sqlite",
            "SUBGUARD_INGEST_SENTRY_KEY": SENTRY_KEY, "SUBGUARD_INGEST_POSTHOG_KEY": POSTHOG_KEY,
            "SUBGUARD_APPLE_CLIENT_IDS": "app.example", "SUBGUARD_APPLE_KEYS_URL": "http://127.0.0.1:9/keys",
            "SUBGUARD_APP_STORE_BUNDLE_ID": "app.example",
        }
        self.run("migrate")
        self.run("catalogue", "import", str(ROOT / "Config/catalogue.csv"))
        self.tokens = {role: self.run("token", "create", "--role", role, "--name", role).strip() for role in self.ROLES}
        self.log = self.folder / "server.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [self.binary, "serve"], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT)
        super().__init__(self.process.pid, port)
        self.wait_until_ready()

    def run(self, *arguments):
        done = subprocess.run([self.binary, *arguments], env=self.environment, cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            raise Refusal(f"subguardd {' '.join(arguments)}: status {done.returncode}: {done.stderr}")
        return done.stdout

    def wait_until_ready(self):
        deadline = time.monotonic() + START_LIMIT_SECONDS
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=2).close()
                return
            except OSError:
                self.expect_alive()
                if time.monotonic() > deadline:
                    raise Refusal(f"the server is not ready after {START_LIMIT_SECONDS} s") from None
                time.sleep(0.05)

    def expect_alive(self):
        if self.process.poll() is not None:
            tail = self.log.read_text(errors="replace")[-2000:]
            raise Refusal(f"the server ended with status {self.process.returncode}:\n{tail}")

    def stop(self):
        """Ends the server; it must end well, after all that it went through."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(30)
        except subprocess.TimeoutExpired:
            raise Refusal("the server did not end within 30 s of SIGTERM") from None
        if status != 0:
            raise Refusal(f"after SIGTERM the server ended with status {status}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.scratch.cleanup()
