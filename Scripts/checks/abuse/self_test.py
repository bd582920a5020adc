"""Proof that the check can fail: a server that deliberately breaks each bound, judged by the same code."""

import multiprocessing
import socket
import threading
import time

from bounds import Crowd, Holding, Row
from crowds import crowd, repeat
from harness import expect
from routes import Credential, Route
from server import Target
from table import measure

ROUTE = Route("POST", "/wasteful", "open", {"application/json": {}})


def serve_badly(listener):
    """Answers a POST after 50 ms of CPU time with 200 KB of faults, and keeps 8 MB for each; delays any other request
    by 200 ms."""
    kept = []

    def answer(connection):
        with connection:
            head = connection.recv(65_536)
            if head.startswith(b"POST"):
                kept.append(bytearray(b"x" * 8_000_000))
                until = time.thread_time() + 0.05
                while time.thread_time() < until:
                    pass
                content = b"x" * 200_000
                connection.sendall(b"HTTP/1.1 422 No\r\nContent-Length: %d\r\n\r\n%s" % (len(content), content))
            else:
                time.sleep(0.2)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection,), daemon=True).start()


class Wasteful(Target):
    def expect_alive(self):
        pass


def run_self_test(say):
    fair = dict(route="GET /", body="", credential="none", count=1)
    expect(not Row(status="400", sent=500, received=4_000, cpu_ms=4.9, **fair).breaches(), "a cheap answer is refused")
    expect(Row(status="400", sent=500, received=4_000, cpu_ms=9.9, slowness=1.9, **fair).breaches(),
           "CPU time beyond the bound of a slow machine is not seen")
    written = Row(status="200", sent=500, received=100, cpu_ms=0.1, disk_bytes=3_001, **fair).breaches()
    expect("disk" in " ".join(written), "a write for a GET is not seen")
    expect(not Crowd("", 299, [99] * 20, []).breaches(), "a server within its bounds is refused")
    expect(Crowd("", 301, [99] * 20, []).breaches(), "too much memory is not seen")
    expect(Crowd("", 299, [99] * 20, ["503"]).breaches(), "a refused honest client is not seen")
    expect(Crowd("", 299, [199] * 20, [], slowness=1.9).breaches(), "a wait beyond that of a slow machine is not seen")
    expect(not Holding("", 299, [99] * 20, [], 1.0, 50, 69).breaches(), "memory that comes back is refused")
    expect(Holding("", 299, [99] * 20, [], 1.0, 50, 71).breaches(), "memory that stays is not seen")

    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    process = multiprocessing.Process(target=serve_badly, args=(listener,), daemon=True)
    process.start()
    try:
        target = Wasteful(process.pid, listener.getsockname()[1])
        content = b"POST /wasteful HTTP/1.1\r\nContent-Length: 0\r\n\r\n"
        row = measure(target, ROUTE, "a deliberate violation", Credential("none"), content)
        found = " ".join(row.breaches())
        expect("CPU" in found, f"50 ms of CPU for {row.sent} bytes pass as {row.cpu_ms:.1f} ms")
        expect("answer bytes" in found, f"{row.received} answer bytes for {row.sent} pass")
        result, _ = crowd(target, "a deliberate violation", repeat, content, seconds=2)
        found = " ".join(result.breaches())
        expect("memory" in found, f"{result.peak_mb:.0f} MB pass")
        expect("honest GET" in found, f"waits of {result.usual_wait_ms:.0f} ms pass")
    finally:
        process.kill()
        listener.close()
    say("self-test: a server that wastes processor time, answer bytes and memory fails, each by its own bound")
