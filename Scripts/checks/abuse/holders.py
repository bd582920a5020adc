"""Holders: 16,384 connections from 16 networks, each with an unfinished part of a request that the server must keep
while it waits for the rest, while an honest client reads the catalogue."""

import contextlib
import dataclasses
import multiprocessing
import os
import select
import socket
import ssl
import time

import client
from bounds import KEPT_MB, Holding, slowness
from crowds import HONEST_PATH, HONEST_PAUSE_SECONDS, client_address
from harness import expect

NETWORKS = 16
CONNECTIONS_OF_NETWORK = 1_024  # as many as one client may have
WINDOW = 64  # connections that are being opened at once, as many as a crowd has clients
OPEN_SECONDS = 90  # at most, to open all connections
LEAST_SENT = 4_000  # connections that must have sent their part, else nothing was attacked
SECONDS = 5  # from the last byte sent; an unfinished head is closed after 10
REST_SECONDS = 60  # at most, after the connections have ended
# Made once: reading the authorities of the system takes longer than a request.
TRUSTING = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE
HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
FIELDS = b"".join(b"X-%d: %s\r\n" % (number, b"a" * 1_000) for number in range(31))
POST = b"POST /api/v1/analytics HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
FIRST_RECORD = b"\x16\x03\x01\x3f\x00\x01\x00\x3e\xfc"


@dataclasses.dataclass(frozen=True)
class Plan:
    """What each connection sends and leaves unfinished."""

    name: str
    part: bytes = b""
    tls: bool = False
    shakes_hands: bool = True
    record: bytes = b""  # beneath TLS


PLANS = (
    Plan("unfinished heads", HEAD + FIELDS),
    Plan("unfinished heads of one line", HEAD + b"X: " + b"a" * 31_000),
    Plan("short unfinished heads", HEAD),
    Plan("large heads of unfinished bodies", POST + FIELDS + b"Content-Length: 1000\r\n\r\n{"),
    Plan("unfinished chunk sizes", CHUNKED + b"1;" + b"a" * 4_000),
    Plan("unfinished trailers", CHUNKED + b"0\r\nX: " + b"a" * 8_000),
    Plan("unfinished heads through TLS", HEAD + FIELDS, tls=True),
    Plan("unfinished TLS records", tls=True, record=b"\x17\x03\x03\x40\x00" + b"a" * 16_000),
    Plan("unfinished TLS handshakes", tls=True, shakes_hands=False, record=FIRST_RECORD + b"a" * 16_000),
)


class Connection:
    """A connection of a holder, opened without waiting."""

    def __init__(self, port, address, plan):
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.bind((address, 0))
        self.socket.connect_ex(("127.0.0.1", port))
        self.plan = plan
        self.session = None
        self.rest = plan.record if plan.tls else plan.part
        if plan.tls and plan.shakes_hands:
            self.rest = b""
            self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            self.session = TRUSTING.wrap_bio(self.incoming, self.outgoing)

    @property
    def is_done(self):
        return self.session is None and not self.rest

    def advance(self, readable):
        """Goes on with the handshake and sends what it can."""
        if readable and self.session is not None:
            part = self.socket.recv(65_536)
            if not part:
                raise ConnectionResetError
            self.incoming.write(part)
        if self.session is not None:
            with contextlib.suppress(ssl.SSLWantReadError):
                self.session.do_handshake()
                if self.plan.part:
                    self.session.write(self.plan.part)
                self.rest = self.outgoing.read() + self.plan.record
                self.session = None
            if self.session is not None:
                self.rest += self.outgoing.read()
        if self.rest:
            with contextlib.suppress(BlockingIOError):
                self.rest = self.rest[self.socket.send(self.rest):]


def open_all(port, plan):
    """Opens every connection and sends its part. Returns those that the server has not closed meanwhile."""
    addresses = [f"127.{210 + network}.0.1" for network in range(NETWORKS)] * CONNECTIONS_OF_NETWORK
    poll, busy, opened = select.epoll(), {}, []
    until = time.monotonic() + OPEN_SECONDS
    while (addresses or busy) and time.monotonic() < until:
        while addresses and len(busy) < WINDOW:
            connection = Connection(port, addresses.pop(), plan)
            busy[connection.socket.fileno()] = connection
            poll.register(connection.socket, select.EPOLLIN | select.EPOLLOUT | select.EPOLLET)
        for descriptor, events in poll.poll(5):
            connection = busy[descriptor]
            try:
                connection.advance(bool(events & select.EPOLLIN))
                if not connection.is_done:
                    continue
                poll.unregister(descriptor)
                opened.append(connection.socket)
            except OSError:
                connection.socket.close()
            del busy[descriptor]
    return opened


def hold(port, plan, pipe, end):
    os.nice(10)
    opened = open_all(port, plan)
    pipe.send(len(opened))
    end.wait(120)
    os._exit(0)


def honest_get(server, number):
    """Milliseconds until the response to a GET on a new connection, and its status."""
    if not server.tls:
        return client.timed_get(server.port, HONEST_PATH, client_address(number))
    content = client.request_bytes("GET", HONEST_PATH)
    began, answer = time.monotonic(), b""
    with contextlib.suppress(OSError), client.connect(server.port, client_address(number)) as connection, \
            TRUSTING.wrap_socket(connection) as session:
        session.sendall(content)
        while part := session.recv(65_536):
            answer += part
    return (time.monotonic() - began) * 1000, answer[9:12].decode() or "none"


def hold_connections(server, plan):
    """Lets the holders connect and hold, then ends them. Measures the server's memory before, at its peak and a minute
    later, and the waits of an honest client meanwhile."""
    honest_get(server, 0)
    before = server.resident_mb()
    server.forget_peak()
    receiver, sender = multiprocessing.Pipe(duplex=False)
    end = multiprocessing.Event()
    holder = multiprocessing.Process(target=hold, args=(server.port, plan, sender, end))
    holder.start()
    waits, refusals, opened, until = [], [], None, float("inf")
    try:
        while time.monotonic() < until:
            if opened is None and receiver.poll():
                opened, until = receiver.recv(), time.monotonic() + SECONDS
            expect(opened is not None or holder.is_alive(), f"{plan.name}: the holders ended")
            wait, status = honest_get(server, len(waits))
            waits.append(wait)
            if status != "200":
                refusals.append(f"GET {HONEST_PATH}: {status}")
            time.sleep(HONEST_PAUSE_SECONDS)
    finally:
        end.set()
        holder.join(10)
        if holder.is_alive():
            holder.kill()
    peak, slow = server.peak_mb(), slowness()
    until = time.monotonic() + REST_SECONDS
    while time.monotonic() < until and server.resident_mb() > before + KEPT_MB * 0.75:
        time.sleep(0.5)
    server.expect_alive()
    expect(opened >= LEAST_SENT, f"{plan.name}: only {opened} connections have sent their part")
    return Holding(plan.name, peak, waits, refusals, slow, before, server.resident_mb())


def run_holders(start_server, say):
    """Runs each plan on a separate server. Prints all results and returns those that breach a bound. `start_server`
    makes a server to be used with `with`; its argument says whether it speaks TLS."""
    say("")
    say(f"{f'{NETWORKS * CONNECTIONS_OF_NETWORK:,} connections':<40} {'peak MB':>8} {'honest GET ms: usual':>21} "
        f"{'worst':>8} {'refused':>8} {'before':>7} {'after MB':>9}")
    bad = []
    for plan in PLANS:
        with start_server(plan.tls) as server:
            found = hold_connections(server, plan)
            server.stop()
        say(f"{plan.name:<40} {found.peak_mb:8.0f} {found.usual_wait_ms:21.1f} {max(found.waits_ms):8.1f} "
            f"{len(found.refusals):8} {found.before_mb:7.0f} {found.after_mb:9.0f}")
        for breach in found.breaches():
            say(f"    FAILED: {breach}")
        if found.breaches():
            bad.append(found)
    return bad
