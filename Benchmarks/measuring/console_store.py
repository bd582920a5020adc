"""A store for the pages of the console: items, suggestions, crash groups and events, on SQLite or PostgreSQL."""

import itertools
import json
import pathlib
import random
import sqlite3
import subprocess
import sys
import time
import uuid

from measuring.ingest import analyst_token, load, wait_until_complete

ITEMS, SUGGESTIONS, CRASH_GROUPS, EVENTS = 20_000, 100_000, 5_000, 1_000_000
DAY = 86_400_000
SYLLABLES = ["ba", "co", "di", "fu", "gra", "ho", "ji", "ka", "lum", "mer", "no", "or", "pix", "quo", "ri", "so", "tre",
             "um", "vi", "wo", "xa", "yo", "zen", "play", "net", "box", "cast", "fit"]
CATEGORIES = ["streaming", "music", "news", "telecom", "software", "fitness", "gaming", "cloud"]


class SQLite:
    """Rows are written as the stores write them."""

    name = "SQLite"

    def __init__(self, path):
        self.path = path

    def insert(self, table, columns, rows):
        with sqlite3.connect(self.path) as store:
            places = ", ".join("?" for _ in columns)
            store.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)
        store.close()

    def value(self, sql):
        store = sqlite3.connect(self.path)
        value = store.execute(sql).fetchone()[0]
        store.close()
        return value


class PostgreSQL:
    """`database` is a running `measuring.postgres.Database`, `name` one of its databases."""

    name = "PostgreSQL"

    def __init__(self, database, name):
        self.database = database
        self.name_of_database = name

    def insert(self, table, columns, rows):
        lines = ["\t".join(self._text(value) for value in row) for row in rows]
        self.database.run(
            self.name_of_database, f"\\copy {table} ({', '.join(columns)}) FROM STDIN",
            input="\n".join(lines) + "\n\\.\n")

    @staticmethod
    def _text(value):
        if value is None:
            return "\\N"
        if isinstance(value, bytes):
            return "\\\\x" + value.hex()
        return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")

    def value(self, sql):
        text = self.database.run(self.name_of_database, sql).strip()
        return bytes.fromhex(text[2:]) if text.startswith("\\x") else text


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


def fill(server, store, part):
    """Items by an import, the rest by SQL. Returns an owner's token."""
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
    fill_suggestions(store, items, now, part)
    fill_crashes(store, now, part)
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
    groups, sent = [], []
    for number, (folded, name) in enumerate(known.items()):
        key = uuid.UUID(int=(number + 1 << 80) | 0x4000_8000_0000_0000_0000, version=4).bytes
        count = 1 + int(dice.paretovariate(1.2)) % 500
        seen = now - dice.randrange(90 * DAY)
        status = "rejected" if number % 10 == 9 else "pending"
        groups.append((key, folded, name, status, count, seen - DAY, seen, seen if status == "rejected" else None))
        sent.append((uuid.uuid4().bytes, key))
    store.insert(
        "suggestion_groups",
        ["id", "normalised_name", "name", "status", "suggestion_count", "first_seen_at", "last_seen_at", "decided_at"],
        groups)
    store.insert("suggestions", ["id", "group_id"], sent)


def fill_crashes(store, now, part):
    dice = random.Random(9)
    today = now // DAY
    body = json.dumps({
        "timestamp": "2026-01-01T00:00:00.000Z", "type": "NullPointer", "app_version": "1.3.0", "app_build": "1",
        "platform": "ios", "os_version": "18.1", "device_model": "iPhone15,2", "handled": False,
        "frames": [{"function": f"Screen.body.{n}", "module": "SubGuard", "line": n, "in_app": True}
            for n in range(40)]})
    groups, days, releases, samples = [], [], [], []
    for number in range(CRASH_GROUPS // part):
        key = uuid.UUID(int=(number + 1 << 80) | 0x8000_0000_0000_0000, version=4).bytes
        seen = now - dice.randrange(30 * DAY)
        groups.append(
            (key, key * 2, f"NullPointer {number}", f"Screen.body.{number % 300}", dice.choice(["ios", "macos"]),
             "error",
             dice.choice(["open", "open", "open", "resolved", "ignored"]), dice.randint(1, 9000), seen - 30 * DAY, seen,
             number + 1))
        days += [(key, today - day, dice.randint(1, 50)) for day in range(30)]
        releases += [(key, 1000 + place, dice.randint(1, 900), seen) for place in dice.sample(range(40), 3)]
        samples += [(key, seen - n, body) for n in range(5)]
    store.insert("crash_releases", ["id", "name", "first_seen_at"],
                 [(1000 + number, f"1.{number}.0 (1)", now - (40 - number) * DAY) for number in range(40)])
    store.insert(
        "crash_groups",
        ["id", "group_key", "title", "culprit", "platform", "level", "status", "event_count", "first_seen_at",
         "last_seen_at", "number"], groups)
    store.insert("crash_group_days", ["group_id", "day_number", "event_count"], days)
    store.insert("crash_group_releases", ["group_id", "release_id", "event_count", "last_seen_at"], releases)
    store.insert("crash_samples", ["group_id", "occurred_at", "body"], samples)
    hour = now // 3_600_000
    store.insert(
        "session_hours",
        ["hour_number", "release_id", "session_count", "crashed_count", "abnormal_count", "errored_count"],
        [(hour - back, 1000 + place, 100, 1, 0, 2) for back in range(720) for place in range(32, 40)])


def flood(stage, server, token, events, part):
    """Events of the last weeks as devices send them, then as many more as are wanted. Returns their number."""
    subprocess.run([stage.load_program, "--history", "--devices", str(4000 // part), "--weeks", "14", "--url",
                    f"http://127.0.0.1:{server.port}", "--token", analyst_token(server)], check=True,
                   stdout=subprocess.DEVNULL)
    sent = 0
    while sent < events:
        seconds = 5 if events <= EVENTS else 30
        figures = load(stage, server.port, seconds, "--closed", "--days", "60", "--users", str(50_000 // part),
            sizes=1000)
        if figures["failure"]:
            sys.exit(f"error: bench: filling stopped: {figures['failure']}")
        sent += figures["events"]["accepted"]["server"]
        print(f"  {sent:,} events", file=sys.stderr)
    wait_until_complete(server, token)
    return sent


def known_ids(store):
    """Ids of the filled store for the addresses of the pages."""
    def one(sql):
        return str(uuid.UUID(bytes=store.value(sql)))
    name = store.value("SELECT name FROM catalogue_items ORDER BY slug LIMIT 1 OFFSET 50")
    return {
        "item": one("SELECT id FROM catalogue_items ORDER BY slug LIMIT 1"),
        "other": one("SELECT id FROM catalogue_items ORDER BY slug LIMIT 1 OFFSET 1"),
        "suggestion": one("SELECT id FROM suggestion_groups WHERE status = 'pending' LIMIT 1"),
        "crash": one("SELECT id FROM crash_groups WHERE status = 'open' LIMIT 1"), "typo": name[:2] + "x" + name[2:]}
