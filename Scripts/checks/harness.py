"""Shared by the checks: programs, free ports, a server on a scratch database, receivers, PostgreSQL, expectations.

A check is a script in this folder that passes its function to `main`. The function gets a temporary folder, and either
returns a sentence that states the result or raises Refusal.
"""

import contextlib
import functools
import http.client
import http.server
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAIT_SECONDS = 60
STOP_SECONDS = 30
LOG_BYTES = 6000  # of the end of a server's log, printed when a check fails


class Refusal(Exception):
    """An expectation that is not met."""


def expect(holds, message):
    if not holds:
        raise Refusal(message)


def say(text=""):
    print(text, flush=True)


def eventually(condition, message, seconds=WAIT_SECONDS, pause=0.02):
    """Returns the condition's value once it is true. Raises Refusal after the timeout."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        expect(time.monotonic() < deadline, f"not within {seconds} s: {message}")
        time.sleep(pause)
    return value


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def toolchain(call):
    """The output of a function of Scripts/toolchain.sh; build output is shown."""
    return subprocess.run(["bash", "-c", f"source Scripts/toolchain.sh; {call}"], cwd=ROOT, check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


@functools.cache
def debug_binary(product):
    """A program built by `make test`."""
    path = toolchain(f"debug_binary {product}")
    expect(os.access(path, os.X_OK), f"{path} is missing: run make test first")
    return path


def release_binary(product):
    """Builds the product first, which is quick after `make build`."""
    return toolchain(f"build_release {product} >&2; release_binary {product}")


def make_certificate(folder, days=30):
    """Files with a self-signed certificate for localhost and 127.0.0.1, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-subj",
         "/CN=localhost", "-days", str(days), "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key,
         "-out", certificate], check=True, stderr=subprocess.DEVNULL)
    return certificate, key


def request(port, method, path, body=None, fields=None, token=None, timeout=20, tls=False):
    """(status, body, fields) of a response. A body other than text or bytes is sent as JSON. Redirects are not
    followed, no proxy is used, and certificates are not verified."""
    fields = dict(fields or {})
    if token:
        fields["Authorization"] = f"Bearer {token}"
    if body is not None and not isinstance(body, (bytes, str)):
        body = json.dumps(body)
        fields.setdefault("Content-Type", "application/json")
    if isinstance(body, str):
        body = body.encode()
    if tls:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=timeout, context=context)
    else:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    with contextlib.closing(connection):
        connection.request(method, path, body, fields)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers


def status_of(port, path="/readyz", timeout=8, tls=False):
    """The status of a response; 0 without one."""
    try:
        return request(port, "GET", path, timeout=timeout, tls=tls)[0]
    except (OSError, http.client.HTTPException):
        return 0


def expect_one_sign_in(link):
    """A link to the console opens a session when its form is sent, and only once."""
    parts = urllib.parse.urlsplit(link)
    fields = {"Host": parts.netloc, "Origin": f"{parts.scheme}://{parts.netloc}",
              "Content-Type": "application/x-www-form-urlencoded"}
    status, page, _ = request(parts.port, "GET", parts.path, fields=fields)
    expect(status == 200 and parts.path in page.decode(), f"the page of the link answers {status}")
    status, _, answered = request(parts.port, "POST", parts.path, b"", fields)
    expect(status == 303 and "Set-Cookie" in answered, f"the link answers {status}")
    status, _, _ = request(parts.port, "POST", parts.path, b"", fields)
    expect(status == 404, f"a second use of the link answers {status}")


class Server:
    """subguardd on its own database in a folder; started and stopped by `with`. Settings are SUBGUARD_… variables
    without the prefix; of this machine's environment it inherits only PATH."""

    running = []

    def __init__(self, binary, folder, settings=None, name="server", catalogue=True):
        self.binary, self.folder, self.name = str(binary), pathlib.Path(folder), name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.log_path = self.folder / f"{name}.log"
        settings = {"PORT": self.port, "DATABASE_URL": f"sqlite:{self.folder / 'subguard.sqlite'}", **(settings or {})}
        self.tls = "TLS_CERTIFICATE" in settings
        self.catalogue = catalogue
        self.environment = {
            "PATH": os.environ["PATH"], "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""), "SUBGUARD_CONFIG": "",
            **{f"SUBGUARD_{key}": str(value) for key, value in settings.items()}}
        self.process = None
        Server.running.append(self)

    @property
    def url(self):
        return f"http{'s' if self.tls else ''}://127.0.0.1:{self.port}"

    @property
    def store(self):
        return self.folder / "subguard.sqlite"

    def run(self, *arguments):
        """The output of a command that must succeed."""
        done = self.attempt(*arguments)
        expect(done.returncode == 0, f"subguardd {' '.join(arguments)}: status {done.returncode}: {done.stderr}")
        return done.stdout

    def attempt(self, *arguments):
        return subprocess.run([self.binary, *arguments], env=self.environment, cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)

    def prepare(self):
        """Migrates the database and, if required, imports the starter catalogue."""
        self.run("migrate")
        if self.catalogue:
            self.run("catalogue", "import", str(ROOT / "Config/catalogue.csv"))
        return self

    def token(self, role="owner"):
        return self.run("token", "create", "--role", role, "--name", f"check {role}").strip()

    def start(self):
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen([self.binary, "serve"], env=self.environment, cwd=self.folder,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        return self

    def wait_until_ready(self):
        def is_ready():
            self.expect_alive()
            return self.is_ready()
        eventually(is_ready, f"{self.name} is ready")
        return self

    def is_ready(self):
        return status_of(self.port, tls=self.tls) == 200

    def expect_alive(self):
        expect(self.process.poll() is None, f"{self.name} ended with status {self.process.returncode}")

    def call(self, method, path, body=None, fields=None, token=None):
        return request(self.port, method, path, body, fields, token, tls=self.tls)

    def json(self, method, path, body=None, fields=None, token=None):
        """(status, value, fields) of a JSON response."""
        status, answer, answered = self.call(method, path, body, fields, token)
        return status, json.loads(answer or b"null"), answered

    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace") if self.log_path.exists() else ""

    def stop(self):
        """Sends SIGTERM; the server must exit with status 0."""
        self.expect_alive()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            raise Refusal(f"{self.name} did not end within {STOP_SECONDS} s of SIGTERM") from None
        expect(status == 0, f"after SIGTERM {self.name} ended with status {status}")

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self.prepare().start().wait_until_ready()

    def __exit__(self, kind, *_):
        try:
            if kind is None and self.process.poll() is None:
                self.stop()
        finally:
            self.kill()


class Receiver:
    """An HTTP server on a free port; `answer(handler, body)` returns (status, body, fields) of each response."""

    def __init__(self, answer):
        class Handler(http.server.BaseHTTPRequestHandler):
            def handle_any(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                status, content, fields = answer(self, body)
                with contextlib.suppress(OSError):  # the client was killed meanwhile
                    self.send_response(status)
                    for name, value in fields.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)

            do_GET = do_POST = handle_any

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def main(name, check):
    """Runs the check and exits. On failure, prints the reason and the servers' logs, and exits with status 1."""
    if {"-h", "--help"} & set(sys.argv):
        say(sys.modules["__main__"].__doc__)
        return
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    # The PostgreSQL user must have access to the folder.
    with tempfile.TemporaryDirectory(prefix=f"subguard-{name}-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        try:
            say(f"{name}: {check(pathlib.Path(folder))}")
        except (Refusal, AssertionError, LookupError, TypeError, ValueError, OSError, http.client.HTTPException,
                subprocess.SubprocessError) as refusal:
            for server in {server.log_path: server for server in Server.running}.values():
                if server.log():
                    say(f"-- the end of the log of {server.name}:\n{server.log()[-LOG_BYTES:]}")
            if not isinstance(refusal, Refusal):
                import traceback
                traceback.print_exc()
            sys.exit(f"error: {name}: {refusal}")
        finally:
            for server in Server.running:
                server.kill()
