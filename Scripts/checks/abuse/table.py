"""The table: every route with hostile bodies and each credential, one connection at a time, on an otherwise idle
server."""

import dataclasses
import json
import pathlib
import re
import time
import uuid

from bodies import FLAG, FLAGS, bodies_for
from bounds import AUDITED_GETS, Row, slowness
from client import exchange, request_bytes
from harness import Refusal
from routes import Credential, Route

KNOWN_FIELDS = pathlib.Path(__file__).resolve().parents[3] / "Sources/Web/Wire/Request/KnownField.swift"
BURST = 20  # requests per connection, if one costs too little to measure, or if responses can be shared
# A row slightly above the bound for CPU time is measured again, and the lowest value counts, because other load on the
# machine only adds. Far above the bound, repeating is pointless.
REPEATS = 3
CLEARLY_BEYOND = 3
HOSTILE_QUERIES = {
    "unknown parameters": "?" + "&".join(f"p{number}=1" for number in range(900)),
    "long q": "?q=" + "a%20" * 1_900,
    "one parameter many times": "?" + "&".join(["limit=x"] * 900),
}


def measure(server, route, name, credential, content, count=1):
    """Measures one row; the content is sent unchanged."""
    best = None
    for _ in range(REPEATS):
        before, written = server.settled_cpu_ms(), server.disk_bytes()
        sent, received, status = exchange(server.port, content)
        cpu_ms = server.settled_cpu_ms() - before
        is_content = route.method == "GET" and status.startswith(("2", "3"))
        is_measured = route.method == "GET" and route.name not in AUDITED_GETS and count > 1
        disk_bytes = server.disk_bytes() - written if is_measured else 0
        row = Row(route.name, name, credential.name, status, sent, received, cpu_ms, count, is_content, disk_bytes)
        if row.cpu_excess > 1:
            row = dataclasses.replace(row, slowness=slowness())
        if best is None or row.cpu_excess < best.cpu_excess:
            best = row
        if not row.breaches() or row.cpu_excess > CLEARLY_BEYOND:
            break
    return best


def rows_of(server, route):
    made = {}
    for credential in route.credentials(server.tokens):
        fields = credential.fields
        if route.method == "GET" or not route.media:
            content = request_bytes(route.method, route.path, fields, closes=False) * (BURST - 1)
            content += request_bytes(route.method, route.path, fields)
            yield measure(server, route, f"{BURST} requests", credential, content, BURST)
        if route.method == "GET":
            for name, query in HOSTILE_QUERIES.items():
                yield measure(server, route, name, credential, request_bytes("GET", route.path + query, fields))
        # Bodies take long to make and are the same for credentials with the same project key.
        if credential.key not in made:
            made[credential.key] = list(bodies_for(route, credential))
        for body in made[credential.key]:
            content = request_bytes(
                route.method, route.path, fields, (body.content, body.media_type, body.is_packed))
            yield measure(server, route, body.name, credential, content)


# Fields that decide about the connection before anything else looks at them.
FRAMING = {"host", "content-length", "transfer-encoding", "connection", "expect"}
# Marks of several classes in a row are sorted whenever the text is compared.
MARKS = "\u0301\u0323\u0327\u0338\u05b0\u0e38"
HOSTILE_VALUES = {
    "one run of marks": "e" + MARKS * 2_400,
    "many short runs": ("e" + MARKS * 5) * 480,
    "one run of flags": FLAG * 7_000,
    "short runs of flags": FLAGS * 110,
    "blanks and commas": " ,;=\"" * 6_000,
}


def run_heads(server, say):
    """Measures every field that the server reads with hostile values, at pages, an open and an admin route. The server
    trusts the client as a proxy."""
    names = set(re.findall(r'equalsIgnoringCase\("([a-z-]+)"\)', KNOWN_FIELDS.read_text(encoding="utf-8"))) - FRAMING
    bad = []
    for path in ("/healthz", "/api/v1/catalogue", "/console/login", "/api/v1/admin/me"):
        route = Route("GET", path, "open", {})
        rows = [measure(server, route, f"{name}: {kind}", Credential("none"),
                        request_bytes("GET", path, ((name, value),)))
                for name in sorted(names) for kind, value in HOSTILE_VALUES.items()]
        server.expect_alive()
        breaches = [row for row in rows if row.breaches()]
        bad += breaches
        for row in dict.fromkeys([*breaches, max(rows, key=lambda row: row.cpu_ms_per_kb)]):
            say(line(row))
            for breach in row.breaches():
                say(f"    FAILED: {breach}")
    say(f"heads: {len(names)} fields, {len(bad)} beyond a bound")
    return bad


def leave_crash_groups(server):
    """Creates what an attacker can leave behind within the limits: over 1,000 invented crash groups of 500 releases."""
    for batch in range(11):
        crashes = [{"id": str(uuid.uuid4()), "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                    "type": f"E{batch}x{number}", "app_version": f"{batch}.{number % 50}.0", "platform": "ios",
                    "frames": [{"function": f"f{batch}x{number}", "module": "M", "in_app": True}]}
                   for number in range(100)]
        content = json.dumps({"crashes": crashes}).encode()
        _, _, status = exchange(server.port, request_bytes(
            "POST", "/api/v1/crashes", (), (content, "application/json", False)))
        # Limits may reject some requests, but their form is valid.
        if status not in ("202", "429"):
            raise Refusal(f"invented crashes were answered {status or 'with nothing'}")


def heading():
    return (f"{'route':<46} {'body':<40} {'credential':<13} {'status':<6} {'KB sent':>8} {'KB back':>9} {'CPU ms':>8} "
            f"{'ms/KB':>7} {'answer':>7}")


def line(row):
    return (f"{row.route:<46} {row.body:<40} {row.credential:<13} {row.status or 'none':<6} {row.sent / 1000:8.1f} "
            f"{row.received / 1000:9.1f} {row.cpu_ms:8.1f} {row.cpu_ms_per_kb:7.2f} {row.answer_ratio:7.1f}")


def run_table(server, routes, shows_all, say):
    """Measures and prints all rows; returns those that breach a bound."""
    say(heading())
    bad, count = [], 0
    # Reading comes last, when the database contains what an attacker has left in it.
    writing = [route for route in routes if route.method != "GET"]
    reading = [route for route in routes if route.method == "GET"]
    for route in [*writing, None, *reading]:
        if route is None:
            leave_crash_groups(server)
            continue
        rows = list(rows_of(server, route))
        server.expect_alive()
        count += len(rows)
        breaches = [row for row in rows if row.breaches()]
        bad += breaches
        worst = max(rows, key=lambda row: row.cpu_ms_per_kb), max(rows, key=lambda row: row.answer_ratio)
        for row in rows if shows_all else dict.fromkeys([*breaches, *worst]):
            say(line(row))
            for breach in row.breaches():
                say(f"    FAILED: {breach}")
    say(f"{count} rows of {len(routes)} routes, {len(bad)} beyond a bound")
    return bad
