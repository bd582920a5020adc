"""Load generators: wrk for maximum throughput, paced-load for a constant rate, a plain socket for counting."""

import dataclasses
import json
import socket
import subprocess
import sys

from measuring.building import BENCHMARKS

CONNECTIONS = 64


@dataclasses.dataclass
class Outcome:
    requests: int
    seconds: float
    p50_us: int
    p90_us: int
    p99_us: int
    errors: int

    @property
    def rate(self):
        return self.requests / self.seconds


def saturate(port, path, seconds, headers=None, scheme="http", connections=CONNECTIONS):
    """wrk with one thread and keep-alive connections, each of which sends the next request after the response."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(BENCHMARKS / "tools/report.lua")]
    for name, value in (headers or {}).items():
        command += ["-H", f"{name}: {value}"]
    done = subprocess.run(
        [*command, f"{scheme}://127.0.0.1:{port}{path}"], check=True, stdout=subprocess.PIPE, text=True)
    outcome = Outcome(**json.loads(done.stdout.splitlines()[-1]))
    if outcome.requests == 0:
        sys.exit(f"error: bench: nothing was answered on {path}:\n{done.stdout}")
    return outcome


class PacedLoad:
    """paced-load. After construction all connections are open and have completed one request."""

    def __init__(self, tool, port, path, connections, rate=0, seconds=5, warm_up=1, sources=1):
        self.process = subprocess.Popen(
            [tool, "-c", str(connections), "-r", str(rate), "-d", str(seconds), "-w", str(warm_up), "-u", path,
             "-s", str(sources), str(port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "open":
            self.process.wait()
            sys.exit(f"error: bench: {connections} connections could not be opened on {path}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def is_running(self):
        return self.process.poll() is None

    def outcome(self):
        """The output of paced-load at its end; closes connections that were only kept open."""
        output, _ = self.process.communicate()
        if self.process.returncode != 0:
            sys.exit("error: bench: paced-load failed")
        return json.loads(output.splitlines()[-1])


class OneByOne:
    """One keep-alive connection that sends a request, waits for the complete response, and repeats."""

    def __init__(self, port, path, headers=None):
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.request = "".join(f"{line}\r\n" for line in [*lines, ""]).encode()
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def ask(self, times):
        for _ in range(times):
            self.socket.sendall(self.request)
            self._read_answer()

    def _read_answer(self):
        received = b""
        missing = None
        while missing is None or missing > 0:
            piece = self.socket.recv(1 << 18)
            if not piece:
                sys.exit("error: bench: the server closed the connection")
            received += piece
            head, separator, body = received.partition(b"\r\n\r\n")
            if separator and missing is None:
                if not head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 304")):
                    sys.exit(f"error: bench: {head.splitlines()[0].decode()}")
                lengths = [line for line in head.lower().splitlines() if line.startswith(b"content-length:")]
                missing = int(lengths[0].split(b":")[1]) - len(body) if lengths and b" 304" not in head[:12] else 0
            elif missing is not None:
                missing -= len(piece)
