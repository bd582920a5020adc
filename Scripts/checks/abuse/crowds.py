"""Crowds: 64 concurrent hostile clients, each with its own address, while an honest one reads the catalogue."""

import contextlib
import multiprocessing
import os
import select
import socket
import threading
import time

import bodies
import client
from bounds import Crowd, slowness
from routes import SENTRY_KEY, UNKNOWN_TOKEN

CLIENTS = 64
SECONDS = 7
HONEST_PATH = "/api/v1/catalogue?limit=50"
HONEST_PAUSE_SECONDS = 0.05
LEAST_PROBES = 5
ANNOUNCED_BYTES = 30_000_000  # less than the maximum of an import
LEAST_ANNOUNCED_BYTES = 70_000
LENGTH_MARK = b"<length>"
CHUNK_CONNECTIONS = 5  # of each client, 320 in all
BYTES_PER_SECOND = 750  # just above the minimum rate of a connection


def post(path, content, fields=(), media_type="application/json"):
    return client.request_bytes("POST", path, fields, (content, media_type, True))


def hostile_requests():
    """The worst known request for each expensive operation."""
    envelope = next(body for body in bodies.envelope_bodies(None) if body.is_packed)
    return {
        "crash faults": post("/api/v1/crashes", bodies.crash_faults()),
        "property flood": post("/batch/", bodies.property_flood()),
        "envelope header line": post(f"/ingest/api/1/envelope/?sentry_key={SENTRY_KEY}", envelope.content),
        "zip bomb": post("/api/v1/analytics", bodies.zip_bomb()),
    }


def repeat(port, source, request, until):
    """Sends the request repeatedly, each time on a new connection, and reads the responses."""
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            client.exchange(port, request, source)


def send_and_never_read(port, source, request, until):
    """Pipelines requests on one connection for as long as the server accepts them, and leaves the responses unread."""
    with contextlib.suppress(OSError), client.connect(port, source) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.settimeout(0.5)
        rest = b""
        while time.monotonic() < until:
            try:
                rest = rest or request
                rest = rest[connection.send(rest):]
            except TimeoutError:
                continue


def send_tiny_chunks(port, source, request, until):
    """Sends chunked bodies of one-byte chunks on several connections at once, as fast as the server reads them."""
    connections = []
    part = b"1\r\na\r\n" * 10_000
    while time.monotonic() < until:
        while len(connections) < CHUNK_CONNECTIONS:
            with contextlib.suppress(OSError):
                connections.append(client.connect(port, source))
                connections[-1].sendall(request)
                connections[-1].setblocking(False)
        readable, writable, _ = select.select(connections, connections, [], 0.5)
        for connection in {*readable, *writable}:
            try:
                if connection in readable:
                    raise ConnectionResetError  # an answer, or the end
                connection.send(part)
            except BlockingIOError:
                continue
            except OSError:
                connection.close()
                connections.remove(connection)


def fill_and_dribble(port, source, request, until):
    """Announces large bodies with a well-formed, unknown token. After each rejection it halves the size, until every
    gap in the server's budget for bodies is filled."""
    size = ANNOUNCED_BYTES
    while time.monotonic() < until:
        head = request.replace(LENGTH_MARK, str(size).encode())
        with contextlib.suppress(OSError), client.connect(port, source) as connection:
            connection.sendall(head)
            hold(connection, size, until)
        size = max(size // 2, LEAST_ANNOUNCED_BYTES)


def hold(connection, size, until):
    """Sends nearly all of a body at once and the rest slowly, so that the server holds it as long as possible. Returns
    when the server has closed the connection."""
    left = max(0, size - BYTES_PER_SECOND * SECONDS)
    while time.monotonic() < until:
        readable, _, _ = select.select([connection], [], [], 0 if left else 0.25)
        if readable and not connection.recv(65_536):
            return
        if left:
            left -= connection.send(bytes(min(left, client.SEND_BUFFER_BYTES)))
        else:
            connection.send(bytes(BYTES_PER_SECOND // 4))


def honest(port, until, pipe, sends_batches):
    """An honest client: repeatedly times a catalogue request and, if required, sends a large batch."""
    waits, refusals = [], []
    batch = client.request_bytes("POST", "/api/v1/analytics", (), (honest_batch(), "application/json", False))
    while time.monotonic() < until or len(waits) < LEAST_PROBES:
        wait, status = client.timed_get(port, HONEST_PATH, client_address(len(waits)))
        waits.append(wait)
        if status != "200":
            refusals.append(f"GET {HONEST_PATH}: {status}")
        if sends_batches and len(waits) % 10 == 1:
            status = "none"
            with contextlib.suppress(OSError):
                _, _, status = client.exchange(port, batch, client_address(len(waits)))
            if status not in ("202", "422"):
                refusals.append(f"POST /api/v1/analytics of {len(batch):,} bytes: {status or 'none'}")
        time.sleep(HONEST_PAUSE_SECONDS)
    pipe.send((waits, refusals))


def client_address(number):
    return f"127.200.{number // 250 % 250}.{number % 250 + 1}"


def honest_batch():
    """A large body, which uses the budget for bodies. Its only event is invalid, so no figure changes."""
    return b'{"events":[{"name":"no_such_event","note":"' + b"a" * 200_000 + b'"}]}'


def crowd(server, name, act, request, seconds=SECONDS, sends_batches=False):
    """Lets the crowd run for some seconds and measures the effect on the server and on the honest client. Without
    `sends_batches` the honest client only reads: a busy server may ask it to send its events later."""
    server.forget_peak()
    until = time.monotonic() + seconds
    receiver, sender = multiprocessing.Pipe(duplex=False)
    attacker = multiprocessing.Process(target=attack, args=(server.port, act, request, until))
    probe = multiprocessing.Process(target=honest, args=(server.port, until, sender, sends_batches))
    counted_before = server.cpu_ms()
    attacker.start()
    probe.start()
    try:
        waits, refusals = receiver.recv()
    finally:
        probe.join(5)
        attacker.join(40)
        for process in (probe, attacker):
            if process.is_alive():
                process.kill()
    server.expect_alive()
    found = Crowd(name, server.peak_mb(), waits, refusals, slowness())
    return found, (server.cpu_ms() - counted_before) / 1000


def attack(port, act, request, until):
    # The attackers would use other processors: here they have lower priority.
    os.nice(10)
    threads = [threading.Thread(target=act, args=(port, client_of_crowd(number), request, until), daemon=True)
               for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.01, until + 2 - time.monotonic()))
    # Connections that still wait for a response end with the process.
    os._exit(0)


def client_of_crowd(number):
    return f"127.201.{time.monotonic_ns() // 1_000_000_000 % 250}.{number + 1}"


def plans():
    """Name, what each client does, the request, and whether the honest client sends batches."""
    requests = hostile_requests()
    pipelined = requests["crash faults"].replace(b"Connection: close\r\n", b"")
    pages = client.request_bytes("GET", "/api/v1/catalogue?limit=500", closes=False) * 50
    fields = (("Authorization", f"Bearer {UNKNOWN_TOKEN}"), ("Content-Type", "text/csv"),
              ("Content-Length", LENGTH_MARK.decode()))
    slow = client.request_bytes("POST", "/api/v1/admin/catalogue/import", fields).replace(b"Content-Length: 0\r\n", b"")
    yield from ((f"{name}, answers read", repeat, request, False) for name, request in requests.items())
    yield "crash faults, answers never read", send_and_never_read, pipelined, False
    yield "catalogue pages, answers never read", send_and_never_read, pages, False
    chunked = client.request_bytes("GET", "/api/v1/analytics", (("Transfer-Encoding", "chunked"),), closes=False)
    yield "one-byte chunks", send_tiny_chunks, chunked.replace(b"GET", b"POST", 1), False
    yield "slow bodies with an unknown token", fill_and_dribble, slow, True


def run_crowds(start_server, say):
    """Runs each crowd on a separate server, whose memory then reflects this crowd only. Prints all results and returns
    those that breach a bound. `start_server` makes a server to be used with `with`."""
    say("")
    say(f"{f'{CLIENTS} clients at once for {SECONDS} s':<40} {'peak MB':>8} {'honest GET ms: usual':>21} {'worst':>8} "
        f"{'refused':>8} {'CPU s':>6}")
    bad = []
    for name, act, request, sends_batches in plans():
        with start_server() as server:
            found, cpu_seconds = crowd(server, name, act, request, sends_batches=sends_batches)
            server.stop()
        say(f"{name:<40} {found.peak_mb:8.0f} {found.usual_wait_ms:21.1f} {max(found.waits_ms):8.1f} "
            f"{len(found.refusals):8} {cpu_seconds:6.1f}")
        for breach in found.breaches():
            say(f"    FAILED: {breach}")
        if found.breaches():
            bad.append(found)
    return bad
