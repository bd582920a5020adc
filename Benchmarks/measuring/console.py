"""How long the console's pages take on a filled store: items, suggestions, crash groups and events; and how large they are."""

import gzip
import http.client
import itertools
import json
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse
import uuid

from measuring.building import ROOT
from measuring.ingest import analyst_token, load, wait_until_complete
from measuring.report import Table
from measuring.servers import SubGuard

BUDGET = json.loads((ROOT / "Benchmarks/budget.json").read_text())["console"]
GOAL_MS = 10
READS = 20
ITEMS, SUGGESTIONS, CRASH_GROUPS, EVENTS = 20_000, 100_000, 5_000, 1_000_000
QUICK_PART = 20
DAY = 86_400_000
SYLLABLES = ["ba", "co", "di", "fu", "gra", "ho", "ji", "ka", "lum", "mer", "no", "or", "pix", "quo", "ri", "so", "tre",
             "um", "vi", "wo", "xa", "yo", "zen", "play", "net", "box", "cast", "fit"]
CATEGORIES = ["streaming", "music", "news", "telecom", "software", "fitness", "gaming", "cloud"]
# Each page once, lists with their filters, orders and searches. {…}: ids of the filled store.
PAGES = {
    "overview": "/console",
    "funnel": "/console/funnel", "funnel, a year": "/console/funnel?from=2026-01-01",
    "cohorts": "/console/cohorts", "ranking": "/console/ranking", "series": "/console/series",
    "series, users by day": "/console/series?figure=users",
    "catalogue": "/console/catalogue", "catalogue, order": "/console/catalogue?sort=-updated_at",
    "catalogue, filter": "/console/catalogue?category=music&has_logo=false",
    "catalogue, best matches": "/console/catalogue?q={typo}", "catalogue, search": "/console/catalogue?q=play&sort=name",
    "item": "/console/catalogue/{item}", "item, new": "/console/catalogue/new", "item, delete": "/console/catalogue/{item}/delete",
    "duplicates": "/console/catalogue/duplicates", "duplicates, two": "/console/catalogue/duplicates/{item}/{other}",
    "import": "/console/catalogue/import", "logos": "/console/catalogue/logos",
    "suggestions": "/console/suggestions", "suggestions, all, newest": "/console/suggestions?status=all&sort=-last_seen_at",
    "suggestions, search": "/console/suggestions?q=play", "suggestions, none": "/console/suggestions?q=nothing-like-it",
    "suggestion": "/console/suggestions/{suggestion}", "suggestion, items": "/console/suggestions/{suggestion}?item=play",
    "crashes": "/console/crashes", "crashes, all": "/console/crashes?status=all&sort=-count",
    "crashes, filters": "/console/crashes?platform=ios&release=1.3.0%20(1)", "crashes, search": "/console/crashes?q=NullPointer%2049",
    "crash group": "/console/crashes/{crash}", "crash releases": "/console/crashes/releases",
    "alerts": "/console/alerts", "alerts, rule": "/console/alerts/rules/new", "alerts, thresholds": "/console/alerts/thresholds",
    "access": "/console/access", "roles": "/console/access/roles", "sessions": "/console/sessions",
    "audit": "/console/audit", "audit, filter": "/console/audit?action=catalogue.insert&actor=bench",
    "audit, no row": "/console/audit?actor=nobody", "audit row": "/console/audit/1",
    "operations": "/console/operations", "configuration": "/console/operations/configuration",
    "stored data": "/console/operations/privacy",
    "search": "/console/search?q=play", "search, nothing": "/console/search?q=zzzzzzzz", "keys": "/console/keys",
}


def console(stage):
    """Each page is read in turn, English and French, by one signed-in browser on one connection."""
    part = QUICK_PART if stage.options.quick else 1
    table = Table(
        f"the console's pages, {ITEMS // part:,} items, {SUGGESTIONS // part:,} suggestions, {CRASH_GROUPS // part:,} crash "
        f"groups, {EVENTS // part:,} events",
        {"first": ("first ms", 1), "ms": ("median ms", 2), "worst": ("worst ms", 2), "packed": ("gzip bytes", 0),
         "plain": ("bytes", 0)},
        f"{READS} reads after the first, half of them French; one connection, loopback, signed in, gzip")
    with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
        server = SubGuard(stage.binary, folder)
        token = fill(server, part)
        with server:
            flood(stage, server, token, part)
            measure(server, token, table)
    slow = [row for row in table.rows if table.median(row, "ms") > GOAL_MS]
    table.hold("slowest page, median ms", max(table.median(row, "ms") for row in table.rows), GOAL_MS, at_least=False,
               unit=" ms")
    table.hold("largest page, gzip bytes", max(table.median(row, "packed") for row in table.rows), BUDGET["page_gzip_bytes"],
               at_least=False)
    if slow:
        table.remarks.append("slow: " + ", ".join(slow))
    return [table]


# MARK: Filling

def run(server, *arguments):
    return subprocess.run([server.binary, *arguments], env=server.environment(), check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


def names(count):
    dice = random.Random(11)
    found = {}
    while len(found) < count:
        words = ["".join(dice.choices(SYLLABLES, k=dice.randint(2, 3))).capitalize() for _ in range(dice.randint(1, 2))]
        found.setdefault(" ".join(words))
    return list(found)


def fill(server, part):
    """Items by an import, the rest by SQL, as the stores write it. Returns an owner's token."""
    run(server, "migrate")
    token = run(server, "token", "create", "--role", "owner", "--name", "bench")
    items = names(ITEMS // part)
    dice = random.Random(5)
    lines = ["name,slug,category,typical_amount,currency,billing_cycle,website,cancel_url,notice_days,aliases"]
    lines += [f"{name},item-{number},{dice.choice(CATEGORIES)},{dice.randint(1, 90)}.99,EUR,monthly,"
              f"https://item{number % 15_000}.example,,0," for number, name in enumerate(items)]
    file = pathlib.Path(server.folder) / "items.csv"
    file.write_text("\n".join(lines) + "\n")
    run(server, "catalogue", "import", str(file))
    now = int(time.time() * 1000)
    with sqlite3.connect(server.store) as store:
        fill_suggestions(store, items, now, part)
        fill_crashes(store, now, part)
    store.close()
    return token


def fill_suggestions(store, items, now, part):
    dice = random.Random(7)
    known = {}
    for base in itertools.cycle(items):
        if len(known) >= SUGGESTIONS // part:
            break
        place = dice.randrange(len(base))
        name = base[:place] + dice.choice("aeiouxyz") + base[place:]
        known.setdefault(name.lower().strip(), name.strip())
    for number, (folded, name) in enumerate(known.items()):
        key = uuid.UUID(int=(number + 1 << 80) | 0x4000_8000_0000_0000_0000, version=4).bytes
        count = 1 + int(dice.paretovariate(1.2)) % 500
        seen = now - dice.randrange(90 * DAY)
        status = "rejected" if number % 10 == 9 else "pending"
        store.execute(
            "INSERT INTO suggestion_groups (id, normalised_name, name, status, suggestion_count, first_seen_at, last_seen_at, "
            "decided_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (key, folded, name, status, count, seen - DAY, seen, seen if status == "rejected" else None))
        store.execute("INSERT INTO suggestions (id, group_id) VALUES (?, ?)", (uuid.uuid4().bytes, key))


def fill_crashes(store, now, part):
    dice = random.Random(9)
    releases = [f"1.{number}.0 (1)" for number in range(40)]
    store.executemany("INSERT INTO crash_releases (id, name, first_seen_at) VALUES (?, ?, ?)",
                      [(1000 + number, name, now - (40 - number) * DAY) for number, name in enumerate(releases)])
    today = now // DAY
    body = json.dumps({
        "timestamp": "2026-01-01T00:00:00.000Z", "type": "NullPointer", "app_version": "1.3.0", "app_build": "1",
        "platform": "ios", "os_version": "18.1", "device_model": "iPhone15,2", "handled": False,
        "frames": [{"function": f"Screen.body.{n}", "module": "SubGuard", "line": n, "in_app": True} for n in range(40)]})
    for number in range(CRASH_GROUPS // part):
        key = uuid.UUID(int=(number + 1 << 80) | 0x8000_0000_0000_0000, version=4).bytes
        seen = now - dice.randrange(30 * DAY)
        store.execute(
            "INSERT INTO crash_groups (id, group_key, title, culprit, platform, level, status, event_count, first_seen_at, "
            "last_seen_at, number) VALUES (?, ?, ?, ?, ?, 'error', ?, ?, ?, ?, ?)",
            (key, key * 2, f"NullPointer {number}", f"Screen.body.{number % 300}", dice.choice(["ios", "macos"]),
             dice.choice(["open", "open", "open", "resolved", "ignored"]), dice.randint(1, 9000), seen - 30 * DAY, seen,
             number + 1))
        store.executemany("INSERT INTO crash_group_days VALUES (?, ?, ?)",
                          [(key, today - day, dice.randint(1, 50)) for day in range(30)])
        store.executemany("INSERT INTO crash_group_releases VALUES (?, ?, ?, ?)",
                          [(key, 1000 + place, dice.randint(1, 900), seen) for place in dice.sample(range(40), 3)])
        store.executemany("INSERT INTO crash_samples (group_id, occurred_at, body) VALUES (?, ?, ?)",
                          [(key, seen - n, body) for n in range(5)])
    hour = now // 3_600_000
    store.executemany("INSERT INTO session_hours VALUES (?, ?, ?, ?, ?, ?)",
                      [(hour - back, 1000 + place, 100, 1, 0, 2) for back in range(720) for place in range(32, 40)])


def flood(stage, server, token, part):
    """Events of the last weeks as devices send them, then as many more as are wanted."""
    subprocess.run([server.binary, "load", "--history", "--devices", str(4000 // part), "--weeks", "14", "--url",
                    f"http://127.0.0.1:{server.port}", "--token", analyst_token(server)], check=True,
                   stdout=subprocess.DEVNULL)
    sent = 0
    while sent < EVENTS // part:
        figures = load(stage, server.port, 5, "--closed", "--days", "60", "--users", str(50_000 // part), sizes=1000)
        if figures["failure"]:
            sys.exit(f"error: bench: filling stopped: {figures['failure']}")
        sent += figures["events"]["accepted"]["server"]
        print(f"  {sent:,} events", file=sys.stderr)
    wait_until_complete(server, token)


# MARK: Measuring

def sign_in(server, token):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    body = urllib.parse.urlencode({"token": token})
    connection.request("POST", "/console/login", body, {
        "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"})
    answer = connection.getresponse()
    answer.read()
    if answer.status != 303:
        sys.exit(f"error: bench: the sign-in is refused: {answer.status}")
    return connection, answer.headers["Set-Cookie"].split(";")[0]


def read(connection, path, cookie, language):
    begun = time.perf_counter()
    connection.request("GET", path, headers={
        "Cookie": cookie, "Accept": "text/html", "Accept-Language": language, "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    body = answer.read()
    elapsed = (time.perf_counter() - begun) * 1000
    if answer.status != 200:
        sys.exit(f"error: bench: {path}: status {answer.status}: {body[:300]}")
    return elapsed, body, answer.headers


def known_ids(server):
    with sqlite3.connect(server.store) as store:
        def one(sql):
            return str(uuid.UUID(bytes=store.execute(sql).fetchone()[0]))
        name = store.execute("SELECT name FROM catalogue_items ORDER BY slug LIMIT 1 OFFSET 50").fetchone()[0]
        ids = {
            "item": one("SELECT id FROM catalogue_items ORDER BY slug LIMIT 1"),
            "other": one("SELECT id FROM catalogue_items ORDER BY slug LIMIT 1 OFFSET 1"),
            "suggestion": one("SELECT id FROM suggestion_groups WHERE status = 'pending' LIMIT 1"),
            "crash": one("SELECT id FROM crash_groups WHERE status = 'open' LIMIT 1"),
            "typo": urllib.parse.quote(name[:2] + "x" + name[2:])}
    store.close()
    return ids


def measure(server, token, table):
    ids = known_ids(server)
    connection, cookie = sign_in(server, token)
    for name, path in PAGES.items():
        path = path.format(**ids)
        first, body, headers = read(connection, path, cookie, "en")
        results = [read(connection, path, cookie, language)[0] for language in ["en", "fr"] * (READS // 2)]
        plain = gzip.decompress(body) if headers["Content-Encoding"] == "gzip" else body
        table.add(name, first=first, packed=len(body), plain=len(plain))
        for elapsed in results:
            table.add(name, ms=elapsed)
        table.add(name, worst=max(results))
    connection.close()
