"""How long the pages of the app take with 10,000 subscriptions, until their HTML is read and until a browser has
painted them; search while typing, the memory of the server, and the time from `subguard open` to a drawn page."""

import gzip
import http.client
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.parse

from measuring import building
from measuring.building import ROOT
from measuring.engine import LEDGER_ROWS_EACH, SUBSCRIPTIONS
from measuring.report import Table

PAGE_GOAL_MS = 30
SEARCH_GOAL_MS = 50
PAINT_GOAL_MS = 300
MEMORY_GOAL_MIB = 60
OPEN_GOAL_MS = 1000
READS = 20
CHROMIUM = pathlib.Path("/usr/bin/chromium-headless-shell")
PAGES = {
    "subscriptions": "/", "by next charge": "/?sort=next", "by cost": "/?sort=yearly", "personal": "/?scope=personal",
    "subscription": "/subscriptions/{id}", "add": "/add",
    "add, catalogue": "/add?q=netflx", "due": "/due", "calendar": "/calendar",
    "together": "/together", "year": "/year", "import": "/import", "settings": "/settings", "backups": "/backups",
    "small widget": "/widget/small", "medium widget": "/widget/medium", "large widget": "/widget/large",
}
SEARCHES = {"search, one": "/?q=4711", "search, many": "/?q=a", "search, none": "/?q=nothing-like-it"}


def app(stage):
    table = Table(
        f"the app's pages with {SUBSCRIPTIONS:,} subscriptions and {SUBSCRIPTIONS * LEDGER_ROWS_EACH:,} charges",
        {"first": ("first ms", 1), "ms": ("median ms", 2), "worst": ("worst ms", 2), "packed": ("gzip bytes", 0),
         "plain": ("bytes", 0), "paint": ("paint ms", 0), "python": ("python ms", 1)},
        f"{READS} reads after the first, half of them French; one connection, loopback, gzip; python is a script with "
        "sqlite3 and html.escape that writes the same list from the same file")
    folder = stage.folder / "app"
    folder.mkdir()
    subprocess.run(
        [building.release_binary("engine-bench"), "--folder", folder, "--subscriptions", str(SUBSCRIPTIONS),
         "--history", str(LEDGER_ROWS_EACH)], stdout=subprocess.DEVNULL, check=True)
    with App(building.release_binary("subguard"), folder / "bench.sqlite") as server:
        connection, cookie = server.enter()
        _, body, _ = _read(connection, "/", cookie, "en")
        found = re.search(rb"/subscriptions/([0-9a-f-]{36})", _unpacked(body))
        pages = {name: path.format(id=found[1].decode()) for name, path in (PAGES | SEARCHES).items()}
        for name, path in pages.items():
            first, body, _ = _read(connection, path, cookie, "en")
            times = [_read(connection, path, cookie, language)[0] for language in ["en", "fr"] * (READS // 2)]
            table.add(name, first=first, packed=len(body), plain=len(_unpacked(body)), worst=max(times))
            for elapsed in times:
                table.add(name, ms=elapsed)
        for elapsed in _peer(folder / "bench.sqlite"):
            table.add("subscriptions", python=elapsed)
        memory = server.memory()
        medians = _paint(server, cookie, {name: pages[name] for name in PAGES}, table)
    slowest = max(PAGES, key=lambda name: table.median(name, "ms"))
    table.hold(f"slowest page ({slowest}), median ms", table.median(slowest, "ms"), PAGE_GOAL_MS, at_least=False,
        unit=" ms")
    slowest = max(table.median(name, "ms") for name in SEARCHES)
    table.hold("search while typing, slowest median ms", slowest, SEARCH_GOAL_MS, at_least=False, unit=" ms")
    table.hold("memory of the server after all pages, MiB", memory, MEMORY_GOAL_MIB, at_least=False, unit=" MiB")
    if medians:
        table.hold("first paint, median of all pages, ms", medians["paint"], PAINT_GOAL_MS, at_least=False, unit=" ms")
        table.hold("`subguard open` to a drawn page, ms", medians["open"], OPEN_GOAL_MS, at_least=False, unit=" ms")
    return [table]


class App:
    """`subguard open` on a store, on a free port."""

    def __init__(self, binary, store):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.command = [binary, "open", "--no-browser", "--port", str(self.port)]
        self.environment = {**os.environ, "SUBGUARD_STORE": str(store), "SUBGUARD_PREMIUM": "true", "LANG": "C.UTF-8"}

    def __enter__(self):
        self.process = subprocess.Popen(self.command, env=self.environment, text=True, stdout=subprocess.PIPE)
        self.address = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)

    def another_address(self):
        return subprocess.run(
            self.command, env=self.environment, capture_output=True, text=True, check=True).stdout.strip()

    def enter(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", "/launch", urllib.parse.urlencode({"code": self.address}), {
            "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin",
            "Origin": f"http://127.0.0.1:{self.port}"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 303:
            sys.exit(f"error: bench: the code is refused: {answer.status}")
        return connection, answer.headers["Set-Cookie"].split(";")[0]

    def memory(self):
        """The resident memory in MiB."""
        lines = pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) / 1024


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


def _unpacked(body):
    return gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body


def _peer(store):
    """The times in ms of a script that writes the list as HTML."""
    import html
    import sqlite3

    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
        for _ in range(READS):
            begun = time.perf_counter()
            rows = database.execute(
                "SELECT name, amount, cycle, status, next_day, category FROM standings ORDER BY sort_name")
            page = "".join(
                f"<li><a href='/subscriptions/{number}'><b>{html.escape(row[0])}</b><small>{row[4]}</small>"
                f"<b>{row[1] / 100:.2f}</b></a></li>" for number, row in enumerate(rows))
            len(gzip.compress(page.encode(), 6))
            yield (time.perf_counter() - begun) * 1000


def _paint(server, cookie, pages, table):
    if not CHROMIUM.exists():
        table.remarks.append(f"first paint not measured: {CHROMIUM} is missing (Scripts/setup check)")
        return None
    script = 'source Scripts/toolchain.sh; prepare_venv >&2; exec .build/venv/bin/python -B "$@"'
    given = {"url": f"http://127.0.0.1:{server.port}", "cookie": cookie, "chromium": str(CHROMIUM), "pages": pages,
             "open": server.command, "environment": server.environment}
    done = subprocess.run(
        ["bash", "-c", script, "bash", str(ROOT / "Benchmarks/measuring/app_paint.py")], cwd=ROOT, check=True,
        input=json.dumps(given), stdout=subprocess.PIPE, text=True)
    times = json.loads(done.stdout)
    for name, values in times["pages"].items():
        for elapsed in values:
            table.add(name, paint=elapsed)
    paints = sorted(table.median(name, "paint") for name in pages)
    return {"paint": paints[len(paints) // 2], "open": sorted(times["open"])[len(times["open"]) // 2]}
