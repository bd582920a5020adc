"""Check the event sink with real ClickHouse: a single server, and two shards of two replicas, of Debian's package
(18.16), and chdb, which is a current engine. A seeded history of late, repeated and wrongly dated events is sent while
subguardd and ClickHouse are killed and two servers compete; devices are forgotten. In the end the database, the ledger
and every replica must agree exactly, `sink verify` must say so and find planted differences, and the figures of the
views must be those of subguardd. Where there is one server, it then purges what is older than a week, while ClickHouse
is away.

Usage: Scripts/check sink [-- [--only single|cluster|current] [--seed N] [--rounds N] [--no-purge] [BINARY]]
"""

import argparse
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import uuid

import harness
import sink_losses
import sink_purge
from clickhouse import CurrentEngine, Keeper, Node
from database import Database
from harness import ROOT, Refusal, debug_binary, eventually, expect, free_port, main, say
from namespaces import separate
from sink_explorer import compare_counts
from sink_figures import Figures, compare_rows
from sink_history import History, Sending
from sink_server import ask_database, expect_verified, verify

USERS, EVENTS = 600, 24_000
CLUSTER_EVENTS = 100_000
DISK_MEBIBYTES = 512
PASSWORD = "s3cret/+&"


def settings_of(url, folder, password=PASSWORD, **others):
    secret = folder / "password"
    secret.write_text(password)
    secret.chmod(0o644)
    return {"RATE_LIMIT_ENABLED": "false", "LOG_LEVEL": "warning", "EVENT_SINK_URL": url,
            "EVENT_SINK_PASSWORD_FILE": secret, **others}


def import_items(server, token):
    """Items with known ids, so that the ranking has them."""
    ids = [str(uuid.uuid5(uuid.NAMESPACE_URL, f"item {number}")) for number in range(40)]
    items = [{"id": item, "name": f"Service {number}", "slug": f"service-{number}", "category": "travel",
              "typical_amount": "9.99", "currency": "EUR", "billing_cycle": "monthly"}
             for number, item in enumerate(ids)]
    status, body, _ = server.call("POST", "/api/v1/admin/catalogue/import", items, token=token)
    expect(status == 200, f"import was answered {status}: {body[:300]}")
    return ids


def has_arrived(server):
    unsent = ask_database(server, "SELECT count(*) FROM event_sink_parts WHERE sent_at IS NULL")[0][0]
    return unsent == 0 and "waiting: 0 blocks" in server.attempt("sink", "status").stdout


def settle(server):
    """Waits until everything is counted and sent."""
    eventually(lambda: has_arrived(server), "everything is in ClickHouse", 180, 0.5)


def forget(server, users):
    """Makes devices anonymous, and waits until the log is rewritten."""
    for user in users:
        status, body, _ = server.call("POST", "/api/v1/analytics/erasure", {"user_id": user})
        expect(status == 202, f"erasure was answered {status}: {body[:200]}")


def send_history(server, history, disturbances):
    """Sends the history in a portion for each disturbance, which happens meanwhile. After half of them some devices are
    forgotten, one of which reports again."""
    bodies = history.batches()
    size = -(-len(bodies) // len(disturbances))
    for number, disturb in enumerate(disturbances):
        sending = Sending(server.port, bodies[number * size:(number + 1) * size])
        eventually(lambda: sending.done >= sending.count // 4, "batches are accepted", 300)
        disturb()
        sending.wait()
        if number == len(disturbances) // 2:
            forget(server, history.users[:5])
            eventually(lambda: not pending_erasures(server), "the devices are forgotten", 120)


def pending_erasures(server):
    return ask_database(server, "SELECT count(*) FROM analytics_erasures")[0][0]


def compare_figures(server, token, node):
    # The ranking is taken once a day, and a server that has run for a minute may have done so halfway.
    sink_purge.forget_ranking(server)
    figures = Figures(server, token, node)
    eventually(lambda: figures.read("dashboard")["complete"], "the figures are complete")
    return figures.compare()


def cut_days(server, token, zone):
    """Restarts the server with another time zone, and waits until figures and views have it."""
    server.stop()
    server.environment["SUBGUARD_REPORTS_TIME_ZONE"] = zone
    server.start().wait_until_ready()
    eventually(lambda: json.loads(server.call("GET", "/api/v1/admin/dashboard", token=token)[1])["zone"] == zone,
               f"days are those of {zone}", 120)
    eventually(lambda: server.attempt("sink", "status").returncode == 0, "the views cut days anew", 60)


COLUMNS = ("event", "moment", "received", "user", "item", "platform", "app_version", "id", "block", "place",
           "properties")


def plant_differences(server, node, table="subguard.event_rows_1"):
    """An event too many, a changed value and a missing week: each must be found."""
    event, week = node.rows(f"SELECT id, toMonday(day) FROM {table} WHERE block <= 3 ORDER BY day, id LIMIT 1")[0]
    for column, value, words in (
            ("user", "user + 1", "other values of user"),
            ("id", f"toUUID('{uuid.uuid4()}')", "distinct ids instead of")):
        columns = ", ".join(f"{value} AS {column}" if name == column else name for name in COLUMNS)
        node.ask(f"INSERT INTO {table} ({', '.join(COLUMNS)}) SELECT {columns} FROM "
                 f"(SELECT {', '.join(COLUMNS)} FROM {table} WHERE id = toUUID('{event}') LIMIT 1)")
        expect_found(server, node, week, words)
    node.ask(f"ALTER TABLE {table} DROP PARTITION '{week}'")
    expect_found(server, node, week, "0 events instead of")


def expect_found(server, node, week, words):
    status, found = verify(server)
    lines = [line for line in found.splitlines() if line.startswith("differs")]
    expect(status == 1 and any(words in line and node.host in line and week in line for line in lines),
           f"sink verify does not find '{words}' of {week}: {found[:2000]}")
    say(f"  {server.name} found: {next(line for line in lines if words in line)[:200]}")


def check_examples(node, user, password):
    """Executes each query of the documentation as the user who only reads."""
    page = (ROOT / "docs/events.md").read_text(encoding="utf-8")
    queries = [query.strip().rstrip(";") for block in re.findall(r"```sql\n(.*?)```", page, re.S)
               for query in block.split(";\n") if query.strip()]
    queries = [query for query in queries if query.startswith("SELECT")]
    expect(len(queries) >= 6, f"{len(queries)} queries in docs/events.md")
    for query in queries:
        expect(node.ask(query, user, password) is not None, query)
    return len(queries)


ZONES = ("America/New_York", "Asia/Kolkata", "Europe/Paris", "Australia/Lord_Howe")


def check_engine(folder, binary, seed, purges, node, name, password, tls=None):
    """One server of ClickHouse and SQLite. `tls` has the port for it and the certificate."""
    def tell(words):
        say(f"  {name}: {words}")

    url = f"clickhouse://subguard@{node.host}:{node.port}/subguard?tls=off"
    others = {"ANALYTICS_RETENTION_DAYS": sink_purge.RETENTION_DAYS}
    if tls:
        url = f"clickhouse://subguard@{node.host}:{tls[0]}/subguard"
        stranger = harness.Server(binary, folder / "stranger", settings_of(url, folder, password), "stranger",
                                  catalogue=False).prepare()
        refused = stranger.attempt("sink", "migrate")
        expect(refused.returncode == 1 and "certificate" in refused.stderr.lower(),
               f"an unknown certificate is taken: {refused.stdout} {refused.stderr}")
        others["ALERTS_CA_FILE"] = tls[1]
    server = harness.Server(binary, folder / "server", settings_of(url, folder, password, **others), f"server-{name}",
                            catalogue=False)
    server.database = None
    with server:
        sink_purge.hold_jobs(server)
        token = server.token()
        history = History(seed, USERS, EVENTS, import_items(server, token), int(time.time() * 1000))
        # Without tables nothing is sent and nothing else notices.
        Sending(server.port, history.batches()[:5]).wait()
        eventually(lambda: "sink does not take events" in server.log(), "the missing table is logged")
        tell(server.run("sink", "migrate").splitlines()[0])

        def kill():
            server.kill()
            server.start().wait_until_ready()

        send_history(server, history, (kill, kill, lambda: None))
        began = time.monotonic()
        settle(server)
        tell(f"in ClickHouse {time.monotonic() - began:.1f} s after the last answer")
        tell(f"{compare_rows(server, node)} events are the same in the database and in ClickHouse")
        tell(expect_verified(server))
        tell(f"{compare_figures(server, token, node)} cells are the same")
        tell(f"{check_examples(node, 'reader', 'reads')} queries of the documentation were executed")
        tell(f"{compare_counts(server, token, history)} cells of the event explorer are the same")
        for zone in (*(ZONES if purges else ZONES[:2]), "UTC"):
            cut_days(server, token, zone)
            tell(f"{compare_figures(server, token, node)} cells are the same in {zone}")
        plant_differences(server, node)
        tell(server.run("sink", "rebuild").strip())
        expect_verified(server)
        compare_rows(server, node)
        compare_figures(server, token, node)
        if purges:
            check_purge(server, token, node, history, tell)
        lag = [line for line in server.call("GET", "/metrics")[1].decode().splitlines()
               if line.startswith("subguard_event_sink_")]
        expect(len(lag) == 5, f"metrics: {lag}")
        sink_losses.check_losses(server, node, purges, tell)
    return f"{len(history.lines)} events"


def check_purge(server, token, node, history, tell):
    """The figures, exports, counts and rows are the same when the server purges, and when what it purged is rebuilt."""
    twin = sink_purge.purge(server, token, node, history, has_arrived, tell)
    try:
        for rebuild in (False, True):
            if rebuild:
                tell(server.run("sink", "rebuild").strip())
            tell(f"{compare_rows(twin, node)} events are in ClickHouse after the purge, each with the same values")
            tell(expect_verified(server))
            sink_purge.compare_after_purge(server, twin, token, history, tell)
            tell(f"{compare_figures(server, token, node)} cells are the same")
    finally:
        twin.kill()


def single(folder, binary, seed, purges):
    say("single, by TLS:")
    ports = {"http": free_port(), "tcp": free_port(), "interserver": free_port()}
    certificate, key = harness.make_certificate(folder)
    key.chmod(0o644)
    port = free_port()
    node = Node(folder, "127.0.0.1", ports, PASSWORD, tls=(port, certificate, key)).start().wait_until_ready()
    try:
        check_engine(folder, binary, seed, purges, node, "single", PASSWORD, (port, certificate))
    finally:
        node.kill()


def current(folder, binary, seed, purges):
    node = CurrentEngine(folder).start().wait_until_ready()
    try:
        say(f"current: engine {node.ask('SELECT version()').strip()}")
        check_engine(folder, binary, seed, purges, node, "current", "")
    finally:
        node.kill()


def cluster(folder, binary, seed):
    """Two shards of two replicas, PostgreSQL, and two servers of subguardd."""
    say("cluster:")
    keeper = Keeper(folder).start().wait_until_ready()
    ports = {"http": free_port(), "tcp": free_port(), "interserver": free_port()}
    shards = [["127.0.0.2", "127.0.0.3"], ["127.0.0.4", "127.0.0.5"]]
    nodes = [Node(folder, host, ports, PASSWORD, shards, keeper.port) for shard in shards for host in shard]
    with contextlib.ExitStack() as disks:
        reason = separate()
        if reason:
            say(f"  no disk is filled: {reason}")
        else:
            # The one that is sent to first.
            disks.enter_context(nodes[0].disk(DISK_MEBIBYTES))
        run_cluster(folder, binary, seed, [node.start() for node in nodes], keeper, has_disk=not reason)


def run_cluster(folder, binary, seed, nodes, keeper, has_disk):
    ports = {"http": nodes[0].port}
    database = Database(folder)
    try:
        for node in nodes:
            node.wait_until_ready()
        # The password is sent only to hosts that are named here.
        hosts = ",".join(f"{nodes[number].host}:{ports['http']}" for number in (0, 2, 1, 3))
        url = f"clickhouse://subguard@{hosts}/subguard?tls=off&cluster=events"
        servers = [harness.Server(binary, folder / f"server-{number}",
                                  settings_of(url, folder, DATABASE_URL=database.url), f"server-{number}", False)
                   for number in range(2)]
        for server in servers:
            server.database = database
        check_cluster(servers, nodes, keeper, seed, has_disk)
    finally:
        for program in (*nodes, keeper):
            program.kill()
        database.stop(signal.SIGQUIT)


def check_cluster(servers, nodes, keeper, seed, has_disk):
    first, second = servers
    first.prepare().start().wait_until_ready()
    second.start().wait_until_ready()
    token = first.token()
    history = History(seed, USERS, CLUSTER_EVENTS, import_items(first, token), int(time.time() * 1000))
    say("  " + first.run("sink", "migrate").splitlines()[0])
    stop = threading.Event()
    fight = threading.Thread(target=take_leases, args=(first.database, stop), daemon=True)
    fight.start()
    send_history(first, history, disturbances(servers, nodes, keeper, has_disk))
    settle(first)
    # As if every response had been lost.
    first.database.ask("UPDATE event_sink_parts SET sent_at = NULL")
    settle(first)
    stop.set()
    fight.join()
    sent = [number_of(server, "subguard_event_sink_ranges_total") for server in servers]
    failures = [number_of(server, "subguard_event_sink_failures_total") for server in servers]
    ranges = ask_database(first, "SELECT count(DISTINCT range_number) FROM event_sink_parts")[0][0]
    say(f"  {ranges} ranges, sent since the last kill {sum(sent)} times by two servers, "
        f"{sum(failures)} attempts failed")
    # All of them before the first comparison: a view reads any replica of each shard.
    for node in nodes:
        eventually(lambda: same_as_others(node, nodes), f"{node.host} has everything", 120, 0.5)
    for node in nodes:
        count = compare_rows(first, node)
    say(f"  {count} events are the same in the database and on every server")
    say(f"  {expect_verified(first)}")
    for node in (nodes[1], nodes[2]):
        cells = compare_figures(first, token, node)
    say(f"  {compare_counts(first, token, history)} cells of the event explorer are the same")
    say(f"  {cells} cells are the same, {check_examples(node, 'reader', 'reads')} queries were executed")
    # Only the leader of a shard drops partitions.
    leaders = [node for node in nodes[2:] if node.rows("SELECT is_leader FROM system.replicas")[0][0] == "1"]
    plant_differences(first, leaders[0])
    say("  " + first.run("sink", "rebuild").strip())
    eventually(lambda: verify(first)[0] == 0, "the replicas are the same after the rebuild")
    compare_rows(first, nodes[0])
    for server in servers:
        server.stop()
    sink_losses.check_losses_of_cluster(first, nodes[3], lambda words: say(f"  {words}"))


def disturbances(servers, nodes, keeper, has_disk):
    """Each kills something while events arrive and ranges are sent."""
    def kill_server(number):
        servers[number].kill()
        servers[number].start().wait_until_ready()

    def kill(*programs):
        for program in programs:
            program.kill()
        time.sleep(2)
        for program in programs:
            program.start()
        for program in programs:
            program.wait_until_ready()

    def hang(node):
        # Longer than its ZooKeeper session.
        node.process.send_signal(signal.SIGSTOP)
        time.sleep(12)
        node.process.send_signal(signal.SIGCONT)

    def fill(node):
        filling = node.fill()
        refused = None
        try:
            node.ask("CREATE TABLE default.filler (text String) ENGINE = MergeTree ORDER BY tuple()")
            node.ask("INSERT INTO default.filler SELECT toString(number) FROM numbers(100000)")
        except Refusal as refusal:
            refused = str(refusal)
        time.sleep(8)
        filling.unlink()
        expect(refused and "space" in refused.lower(), f"the disk was not full: {refused}")
        node.ask("DROP TABLE IF EXISTS default.filler")
        say("  a disk was full for 8 s")

    return [*([lambda: fill(nodes[0])] if has_disk else []), lambda: kill_server(0), lambda: kill(nodes[0]),
            lambda: kill_server(1), lambda: kill(*nodes[2:]),
            lambda: kill_server(0), lambda: kill(keeper), lambda: hang(nodes[2]), lambda: kill_server(1)]


def take_leases(database, stop):
    """Keeps the lease from every server, so that both servers send the same ranges."""
    while not stop.wait(0.2):
        with contextlib.suppress(subprocess.SubprocessError):
            database.ask("DELETE FROM job_leases WHERE job = 'event sink'")


def number_of(server, metric):
    lines = server.call("GET", "/metrics")[1].decode().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(f"{metric} ")))


def same_as_others(node, nodes):
    """Whether a replica has the same rows as the other one of its shard."""
    place = nodes.index(node)
    other = nodes[place ^ 1]
    query = "SELECT count(), uniqExact(id), sum(user), sum(moment), sum(block) FROM subguard.event_rows_1 FINAL"
    return node.rows(query) == other.rows(query)


CHECKS = {"single": single, "current": current, "cluster": cluster}
MOST_SECONDS = 1800


def run_together(command):
    """Runs all parts as processes of their own, because most of the time is a wait for the first purge. The first one
    that fails ends the others."""
    parts = [subprocess.Popen([*command, "--only", name]) for name in CHECKS]
    try:
        eventually(lambda: any(part.poll() for part in parts) or all(part.poll() == 0 for part in parts),
                   "all parts pass", MOST_SECONDS, 0.5)
        expect(not any(part.poll() for part in parts), "a part failed, see above")
    finally:
        for part in parts:
            part.terminate()
            part.wait()


def check(folder):
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=CHECKS)
    parser.add_argument("--seed", type=int, default=22, help="of the first round")
    parser.add_argument("--rounds", type=int, default=1, help="the first one purges, which takes five minutes")
    parser.add_argument("--no-purge", action="store_true")
    parser.add_argument("binary", nargs="?", type=os.path.abspath)
    options = parser.parse_args()
    binary = options.binary or debug_binary("subguardd")
    for number in range(options.rounds):
        began = time.monotonic()
        place = folder / f"round-{number + 1}"
        place.mkdir(mode=0o755)
        seed, purges = options.seed + number, number == 0 and not options.no_purge
        if options.only == "cluster":
            cluster(place, binary, seed)
        elif options.only:
            CHECKS[options.only](place, binary, seed, purges)
        else:
            run_together([sys.executable, "-B", __file__, binary, "--seed", str(seed),
                          *([] if purges else ["--no-purge"])])
        if options.rounds > 1:
            say(f"round {number + 1} passed in {time.monotonic() - began:.0f} s")
    return "the database, the ledger and ClickHouse agree, and the figures are the same"


main("sink", check)
