"""A client that counts bytes: connects from a fresh loopback address, sends a request and reads to the end."""

import itertools
import select
import socket
import time

ANSWER_LIMIT_SECONDS = 30
SEND_BUFFER_BYTES = 65_536  # small, so that bytes the server never reads hardly count as sent

_numbers = itertools.count(1)


def fresh_address():
    """The next loopback address from 127.1.0.0 on; each counts as a separate client."""
    number = next(_numbers)
    return f"127.{1 + number // 62_500 % 250}.{number // 250 % 250}.{number % 250 + 1}"


def connect(port, source=None, timeout=ANSWER_LIMIT_SECONDS):
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    connection.settimeout(timeout)
    connection.bind((source or fresh_address(), 0))
    connection.connect(("127.0.0.1", port))
    return connection


def request_bytes(method, target, fields=(), body=None, closes=True):
    """One request. `body` is (content, media type, whether it is gzip) or None."""
    lines = [f"{method} {target} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in fields]
    content = b""
    if body is not None:
        content, media_type, is_packed = body
        lines += [f"Content-Type: {media_type}", f"Content-Length: {len(content)}"]
        if is_packed:
            lines.append("Content-Encoding: gzip")
    elif method in ("POST", "PUT", "PATCH"):
        lines.append("Content-Length: 0")
    if closes:
        lines.append("Connection: close")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def exchange(port, content, source=None):
    """Sends `content` and reads until the server closes. Returns bytes sent, bytes received, and the first status."""
    sent = received = 0
    head = b""
    deadline = time.monotonic() + ANSWER_LIMIT_SECONDS
    view = memoryview(content)
    with connect(port, source) as connection:
        connection.setblocking(False)
        while time.monotonic() < deadline:
            wants_to_send = sent < len(content)
            readable, writable, _ = select.select([connection], [connection] if wants_to_send else [], [], 1)
            try:
                if readable:
                    part = connection.recv(1 << 20)
                    if not part:
                        break
                    received += len(part)
                    if len(head) < 64:
                        head += part[:64]
                if writable:
                    sent += connection.send(view[sent: sent + SEND_BUFFER_BYTES])
            except BlockingIOError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                break
    status = head.split(b" ", 2)[1].decode(errors="replace") if head.startswith(b"HTTP/") else ""
    return sent, received, status


def timed_get(port, path, source, timeout=ANSWER_LIMIT_SECONDS):
    """Milliseconds until the complete response to a GET, and its status ("none" without a response)."""
    began = time.monotonic()
    status = ""
    try:
        _, _, status = exchange(port, request_bytes("GET", path), source)
    except OSError:
        pass
    return (time.monotonic() - began) * 1000, status or "none"
