"""How long the console's pages take on a filled store, until their HTML is read and until a browser has painted them;
and how large they are."""

import gzip
import http.client
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.parse

from measuring.building import ROOT
from measuring.console_store import (
    CRASH_GROUPS, EVENTS, ITEMS, SUGGESTIONS, PostgreSQL, SQLite, fill, flood, known_ids)
from measuring.postgres import Database
from measuring.report import Table
from measuring.servers import SubGuard

BUDGET = json.loads((ROOT / "Benchmarks/budget.json").read_text())["console"]
GOAL_MS = 10
PAINT_GOAL_MS = 200
READS = 20
QUICK_PART = 20
CHROMIUM = pathlib.Path("/usr/bin/chromium-headless-shell")
# Each page once, lists with their filters, orders and searches. {…}: ids of the filled store.
PAGES = {
    "overview": "/console",
    "funnel": "/console/funnel", "funnel, a year": "/console/funnel?from=2026-01-01",
    "cohorts": "/console/cohorts", "ranking": "/console/ranking", "series": "/console/series",
    "series, users by day": "/console/series?figure=users",
    "catalogue": "/console/catalogue", "catalogue, order": "/console/catalogue?sort=-updated_at",
    "catalogue, filter": "/console/catalogue?category=music&has_logo=false",
    "catalogue, best matches": "/console/catalogue?q={typo}",
    "catalogue, search": "/console/catalogue?q=play&sort=name",
    "item": "/console/catalogue/{item}", "item, new": "/console/catalogue/new",
    "item, delete": "/console/catalogue/{item}/delete",
    "duplicates": "/console/catalogue/duplicates", "duplicates, two": "/console/catalogue/duplicates/{item}/{other}",
    "import": "/console/catalogue/import", "logos": "/console/catalogue/logos",
    "suggestions": "/console/suggestions",
    "suggestions, all, newest": "/console/suggestions?status=all&sort=-last_seen_at",
    "suggestions, search": "/console/suggestions?q=play", "suggestions, none": "/console/suggestions?q=nothing-like-it",
    "suggestion": "/console/suggestions/{suggestion}",
    "suggestion, items": "/console/suggestions/{suggestion}?item=play",
    "crashes": "/console/crashes", "crashes, all": "/console/crashes?status=all&sort=-count",
    "crashes, filters": "/console/crashes?platform=ios&release=1.3.0%20(1)",
    "crashes, search": "/console/crashes?q=NullPointer%2049",
    "crash group": "/console/crashes/{crash}", "crash releases": "/console/crashes/releases",
    "alerts": "/console/alerts", "alerts, rule": "/console/alerts/rules/new",
    "alerts, thresholds": "/console/alerts/thresholds",
    "access": "/console/access", "roles": "/console/access/roles", "sessions": "/console/sessions",
    "audit": "/console/audit", "audit, filter": "/console/audit?action=catalogue.insert&actor=bench",
    "audit, no row": "/console/audit?actor=nobody", "audit row": "/console/audit/1",
    "operations": "/console/operations", "configuration": "/console/operations/configuration",
    "stored data": "/console/operations/privacy",
    "search": "/console/search?q=play", "search, nothing": "/console/search?q=zzzzzzzz", "keys": "/console/keys",
}



def console(stage):
    """With `--full`, that many events, and PostgreSQL too."""
    tables = [_on_sqlite(stage)]
    if stage.options.full:
        with Database() as database:
            url = database.make("console")
            with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
                server = SubGuard(stage.binary, folder, {"DATABASE_URL": url})
                tables.append(_measure(stage, server, PostgreSQL(database, "console")))
    return tables


def _on_sqlite(stage):
    with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
        server = SubGuard(stage.binary, folder)
        return _measure(stage, server, SQLite(server.store))


def _measure(stage, server, store):
    """Each page is read in turn, English and French, by one signed-in browser on one connection."""
    part = QUICK_PART if stage.options.quick else 1
    token = fill(server, store, part)
    with server:
        events = flood(stage, server, token, (stage.options.full or EVENTS) // part, part)
        table = Table(
            f"the console's pages, {store.name}, {ITEMS // part:,} items, {SUGGESTIONS // part:,} suggestions, "
            f"{CRASH_GROUPS // part:,} crash groups, {events:,} events",
            {"first": ("first ms", 1), "ms": ("median ms", 2), "worst": ("worst ms", 2), "packed": ("gzip bytes", 0),
             "plain": ("bytes", 0), "paint": ("paint ms", 0)},
            f"{READS} reads after the first, half of them French; one connection, loopback, signed in, gzip")
        pages = {name: path.format(**_quoted(known_ids(store))) for name, path in PAGES.items()}
        connection, cookie = _sign_in(server, token)
        _read_all(connection, cookie, pages, table)
        connection.close()
        _paint_all(server, cookie, pages, table)
    slow = [row for row in table.rows if table.median(row, "ms") > GOAL_MS]
    table.hold("slowest page, median ms", max(table.median(row, "ms") for row in table.rows), GOAL_MS, at_least=False,
               unit=" ms")
    table.hold("largest page, gzip bytes", max(table.median(row, "packed") for row in table.rows),
               BUDGET["page_gzip_bytes"], at_least=False)
    if slow:
        table.remarks.append("slow: " + ", ".join(slow))
    return table


def _quoted(ids):
    return {name: urllib.parse.quote(text) for name, text in ids.items()}


# MARK: HTML

def _sign_in(server, token):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    body = urllib.parse.urlencode({"token": token})
    connection.request("POST", "/console/login", body, {
        "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"})
    answer = connection.getresponse()
    answer.read()
    if answer.status != 303:
        sys.exit(f"error: bench: the sign-in is refused: {answer.status}")
    return connection, answer.headers["Set-Cookie"].split(";")[0]


def _read(connection, path, cookie, language):
    begun = time.perf_counter()
    connection.request("GET", path, headers={
        "Cookie": cookie, "Accept": "text/html", "Accept-Language": language, "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    body = answer.read()
    elapsed = (time.perf_counter() - begun) * 1000
    if answer.status != 200:
        sys.exit(f"error: bench: {path}: status {answer.status}: {body[:300]}")
    return elapsed, body, answer.headers


def _read_all(connection, cookie, pages, table):
    for name, path in pages.items():
        first, body, headers = _read(connection, path, cookie, "en")
        results = [_read(connection, path, cookie, language)[0] for language in ["en", "fr"] * (READS // 2)]
        plain = gzip.decompress(body) if headers["Content-Encoding"] == "gzip" else body
        table.add(name, first=first, packed=len(body), plain=len(plain))
        for elapsed in results:
            table.add(name, ms=elapsed)
        table.add(name, worst=max(results))


# MARK: First paint

def _paint_all(server, cookie, pages, table):
    """Chromium opens each page; Playwright is in the environment of the checks."""
    if not CHROMIUM.exists():
        table.remarks.append(f"first paint not measured: {CHROMIUM} is missing (Scripts/setup check)")
        return
    script = 'source Scripts/toolchain.sh; prepare_venv >&2; exec .build/venv/bin/python -B "$@"'
    done = subprocess.run(
        ["bash", "-c", script, "bash", str(ROOT / "Benchmarks/measuring/console_paint.py")], cwd=ROOT, check=True,
        input=json.dumps({"url": f"http://127.0.0.1:{server.port}", "cookie": cookie, "chromium": str(CHROMIUM),
                          "pages": pages}), stdout=subprocess.PIPE, text=True)
    medians = []
    for name, times in json.loads(done.stdout).items():
        for elapsed in times:
            table.add(name, paint=elapsed)
        medians.append(table.median(name, "paint"))
    medians.sort()
    table.hold("first paint in Chromium, median of all pages, ms", medians[len(medians) // 2], PAINT_GOAL_MS,
               at_least=False, unit=" ms")
