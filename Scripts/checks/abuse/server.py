"""The server under attack: started with default limits on its own database, and its CPU time and memory."""

import pathlib
import re
import tempfile
import time

import harness
from routes import POSTHOG_KEY, SENTRY_KEY

# Only settings that enable features; limits have their defaults.
SETTINGS = {
    "INGEST_SENTRY_KEY": SENTRY_KEY, "INGEST_POSTHOG_KEY": POSTHOG_KEY, "APPLE_CLIENT_IDS": "app.example",
    "APPLE_KEYS_URL": "http://127.0.0.1:9/keys", "APP_STORE_BUNDLE_ID": "app.example"}


class Target:
    """A running process that listens on `port`."""

    def __init__(self, pid, port):
        self.pid = pid
        self.port = port

    def cpu_ms(self):
        """CPU time of all threads, including ended ones, in user and kernel mode."""
        # The CPU clock of another process, computed like clock_getcpuclockid(3) on Linux.
        return time.clock_gettime((~self.pid << 3) | 2) * 1000

    def settled_cpu_ms(self):
        """The CPU time once the server is idle, because work after a response counts, too."""
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
        """Bytes written to disk on behalf of the process."""
        return int(re.search(r"^write_bytes: (\d+)", pathlib.Path(f"/proc/{self.pid}/io").read_text(), re.MULTILINE)[1])

    def forget_peak(self):
        pathlib.Path(f"/proc/{self.pid}/clear_refs").write_text("5")

    def peak_mb(self):
        return self.memory_mb("VmHWM")

    def resident_mb(self):
        return self.memory_mb("VmRSS")

    def memory_mb(self, name):
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(rf"^{name}:\s*(\d+) kB", status, re.MULTILINE)[1]) * 1024 / 1_000_000


class Server(harness.Server, Target):
    """subguardd in its own folder, with the starter catalogue, all features enabled and a token for each role."""

    ROLES = ("owner", "moderator")

    def __init__(self, binary, tls=False, **more):
        self.scratch = tempfile.TemporaryDirectory(prefix="subguard-abuse.")
        settings = SETTINGS | more
        if tls:
            certificate, key = harness.make_certificate(pathlib.Path(self.scratch.name))
            settings |= {"TLS_CERTIFICATE": certificate, "TLS_KEY": key}
        super().__init__(pathlib.Path(binary).resolve(), self.scratch.name, settings)

    @property
    def pid(self):
        return self.process.pid

    def prepare(self):
        super().prepare()
        self.tokens = {role: self.token(role) for role in self.ROLES}
        return self

    def __exit__(self, *reason):
        super().__exit__(*reason)
        self.scratch.cleanup()
