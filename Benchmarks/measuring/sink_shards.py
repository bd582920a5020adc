"""The views of the event sink on one server of ClickHouse and over two shards on the same cores: what merging the users
of all shards costs the server that is asked."""

import pathlib
import subprocess
import tempfile
import time

from measuring import processes
from measuring.ingest import subguard
from measuring.report import Table
from measuring.servers import unused_port
from measuring.sink import Node, read_view

USERS, EVENTS_OF_A_USER = 2_000_000, 5
USERS_QUICKLY = 50_000
ROWS_OF_A_BLOCK = 1_000_000
VIEWS = ("users", "active_users", "funnel", "cohorts")
REPEATS = 3
LOOPBACK_BYTES = pathlib.Path("/sys/class/net/lo/statistics/rx_bytes")


def sink_shards(stage):
    users = USERS_QUICKLY if stage.options.quick else USERS
    table = Table(
        f"views over {users:,} users of {EVENTS_OF_A_USER} events each, on one server and on two shards",
        {"seconds": ("s", 2), "asked": ("asked CPU", 2), "other": ("other CPU", 2), "merge": ("merge us", 2),
         "bytes": ("bytes/user", 0), "memory": ("most MB", 0)},
        "`asked CPU`: of the server that is asked, `other CPU`: of the other shard; `merge us`: the difference "
        "for each user; `bytes/user`: over the loopback, for each user of the other shard; `most MB`: VmHWM of the "
        "server "
        "that is asked after this view and those above")
    for shards in (1, 2):
        with tempfile.TemporaryDirectory(dir=stage.folder) as folder:
            _measure(table, stage, folder, users, shards)
    return [table]


def _measure(table, stage, folder, users, shards):
    # ClickHouse runs as another user, who must reach its own folder below this one.
    for path in (pathlib.Path(stage.folder), pathlib.Path(folder)):
        path.chmod(0o755)
    ports = {name: unused_port() for name in ("http", "tcp", "interserver")}
    hosts = [f"127.0.0.{number + 2}" for number in range(shards)]
    nodes = [Node(pathlib.Path(folder), host, ports, cluster=[[host] for host in hosts]) for host in hosts]
    try:
        for node in nodes:
            node.start().wait_until_ready()
        server = subguard(stage, folder)
        server.settings = {
            "EVENT_SINK_URL": "clickhouse://subguard@" + ",".join(f"{host}:{ports['http']}" for host in hosts)
            + "/subguard?tls=off&cluster=events"}
        subprocess.run([stage.binary, "sink", "migrate"], env=server.environment(), check=True,
            stdout=subprocess.DEVNULL)
        for number, node in enumerate(nodes):
            _fill(node, users, number, shards)
        for view in VIEWS:
            for _ in range(REPEATS):
                _time_view(table, view, nodes, users)
    finally:
        for node in nodes:
            node.kill()


def _fill(node, users, shard, shards):
    """Gives a shard its events without SubGuard: users as the sink divides them, at random times of 60 days."""
    events = users * EVENTS_OF_A_USER // shards
    for start in range(0, events, ROWS_OF_A_BLOCK):
        node.ask(
            "INSERT INTO subguard.event_rows_1 (event, moment, received, user, platform, app_version, id, block, "
            "place) "
            "SELECT ['app_opened', 'app_downloaded', 'subscription_added', 'retention_d7', 'screen_viewed']"
            "[1 + k % 5], "
            "(toInt64(toUnixTimestamp(now())) - (k * 7919) % 5184000) * 1000 AS moment, moment, "
            f"toInt64(intHash64(k) % {users // shards}) * {shards} + {shard}, 'ios', '1.4.0', generateUUIDv4(), "
            "toInt64(intDiv(k, 1000)), toInt32(k % 1000) "
            f"FROM (SELECT number + {start} AS k FROM system.numbers LIMIT {min(ROWS_OF_A_BLOCK, events - start)})")


def _time_view(table, view, nodes, users):
    before = [sum(processes.cpu_seconds([node.process.pid])) for node in nodes]
    received = int(LOOPBACK_BYTES.read_text())
    begun = time.monotonic()
    read_view(nodes[0], view)
    seconds = time.monotonic() - begun
    received = int(LOOPBACK_BYTES.read_text()) - received
    asked, *others = (sum(processes.cpu_seconds([node.process.pid])) - busy for node, busy in zip(nodes, before))
    figures = {"other": others[0], "merge": (asked - others[0]) * 1e6 / users,
               "bytes": received * 2 / users} if others else {}
    table.add(
        f"{view}, {'two shards' if others else 'one server'}", seconds=seconds, asked=asked,
        memory=processes.memory_mb(nodes[0].process.pid, "VmHWM"), **figures)
