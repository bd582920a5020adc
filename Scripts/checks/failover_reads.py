"""Holds that reads from standbys are as current as from the primary, under load: figures have everything that was
acknowledged before `counted_until`, and a session reads what it wrote, also while the standbys replay nothing. Used by
the check `failover`."""

import datetime
import re
import time
import uuid

from cluster import SCOPE
from harness import eventually, expect, say
from load import BATCH

USERS_OF_A_SENDER = 500
UNDISTURBED_SECONDS, PAUSE_SECONDS = 3, 8
WRITES = 6  # while the standbys replay nothing
# The last statement of a session whose read a standby served; of one that it was late for, it asks for the position.
SERVED = """SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'subguardd' AND query LIKE 'COMMIT%' AND query_start > to_timestamp({since})"""
STORED = "SELECT coalesce(sum(event_count), 0) FROM event_blocks"


class Reader:
    """Reads figures from each server in turn, and compares them with what had been acknowledged."""

    def __init__(self, servers, token, load):
        self.servers, self.token, self.load = servers, token, load
        self.reads = self.complete = 0

    def get(self, server, path):
        status, body, _ = server.json("GET", f"/api/v1/admin/{path}", token=self.token)
        expect(status == 200, f"GET {path} was answered {status} by {server.name}: {body}")
        return body

    def acknowledged(self, moment):
        """(events, users) of the batches that were acknowledged before a moment."""
        until = datetime.datetime.fromisoformat(moment).timestamp() - time.time() + time.monotonic()
        batches = [sum(answered < until for answered in list(s.answered)) for s in self.load.senders]
        return sum(batches) * BATCH, sum(min(count, USERS_OF_A_SENDER) for count in batches)

    def read(self):
        server = self.servers[self.reads % len(self.servers)]
        today = datetime.datetime.now(datetime.timezone.utc).date()
        window = f"from={today - datetime.timedelta(days=1)}&to={today}"
        for path in ("dashboard", f"series?figure=events.app_opened&step=day&{window}"):
            answer = self.get(server, path)
            events, users = self.acknowledged(answer["counted_until"])
            if path == "dashboard":
                found, wanted = answer["total_users"]["value"], users
            else:
                found, wanted = sum(point["value"] or 0 for point in answer["points"]), events
            expect(found >= wanted, f"{path} of {server.name} has {found}, but {wanted} were acknowledged before "
                                    f"{answer['counted_until']}, until when it counts")
            self.complete += answer["complete"]
        self.reads += 1

    def read_for(self, seconds, what):
        self.reads = self.complete = 0
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            self.read()
        expect(self.complete > 0, f"no figure was complete {what}")
        say(f"  {2 * self.reads} figures read {what}, {self.complete} of them complete")


def served(cluster, nodes, since):
    """The number of sessions in which standbys have served a read."""
    return sum(int(cluster.ask(SERVED.format(since=since), node)) for node in nodes)


def write_and_read(reader):
    """A change by an administrator is in every list that is read after it, from whichever server."""
    for number in range(WRITES):
        server, other = (reader.servers[(number + step) % len(reader.servers)] for step in (0, 1))
        name = f"Standby {uuid.uuid4()}"
        status, body, _ = server.json("POST", "/api/v1/suggestions", {"id": str(uuid.uuid4()), "name": name})
        expect(status == 202, f"a suggestion was answered {status}: {body}")
        group = listed(reader, (server, other), "pending", name)
        status, body, _ = server.json("POST", f"/api/v1/admin/suggestions/{group}/reject", token=reader.token)
        expect(status == 200, f"the rejection was answered {status}: {body}")
        listed(reader, (server, other), "rejected", name)
        newest = reader.get(server, "audit?limit=1&action=suggestion.reject")["items"][0]
        expect(newest["subject_id"] == group, f"the audit log of {server.name} is late: {newest}")
    say(f"  {2 * WRITES} changes were in each list that was read after them")


def listed(reader, servers, state, name):
    """The id of a suggestion, which all of the servers list."""
    for server in servers:
        found = reader.get(server, f"suggestions?status={state}&sort=-last_seen_at")["items"]
        groups = [group["id"] for group in found if group["name"] == name]
        expect(groups, f"{server.name} does not list {name} as {state}: {[group['name'] for group in found]}")
    return groups[0]


def standby_reads(server):
    """The counts of the metric by outcome."""
    page = server.call("GET", "/metrics")[1].decode()
    return {outcome: int(count) for outcome, count in
            re.findall(r'^subguard_standby_reads_total{outcome="(\w+)"} (\d+)$', page, re.MULTILINE)}


def check_reads(cluster, servers, load):
    reader = Reader(servers, servers[0].token(), load)
    standbys = cluster.standbys()
    began = time.time()
    reader.read_for(UNDISTURBED_SECONDS, "while standbys follow")
    eventually(lambda: reader.read() or served(cluster, standbys, began), "a standby serves reads")
    # Patroni would go on with the replay.
    cluster.command("pause", SCOPE, "--wait")
    for node in standbys:
        cluster.ask("SELECT pg_wal_replay_pause()", node)
        eventually(lambda: cluster.ask("SELECT pg_get_wal_replay_pause_state()", node) == "paused", "the replay pauses")
    try:
        paused = time.time()
        late = {node: int(cluster.ask(STORED, node)) for node in standbys}
        reader.read_for(PAUSE_SECONDS, "while standbys replay nothing")
        write_and_read(reader)
        stored = int(cluster.ask(STORED))
        for node in standbys:
            expect(int(cluster.ask(STORED, node)) == late[node] < stored, f"{node.name} goes on replaying")
        expect(served(cluster, standbys, paused) == 0, "a standby served reads while it was late")
    finally:
        for node in standbys:
            cluster.ask("SELECT pg_wal_replay_resume()", node)
        cluster.command("resume", SCOPE, "--wait")
    resumed = time.time()
    say(f"  the standbys were {stored - max(late.values())} events late")
    eventually(lambda: all(int(cluster.ask(STORED, node)) >= stored for node in standbys), "the standbys catch up")
    eventually(lambda: reader.read() or served(cluster, standbys, resumed), "a standby serves reads again")
    say(f"  a standby serves reads {time.time() - resumed:.1f} s after they go on")
    counts = [standby_reads(server) for server in servers]
    expect(sum(count["served"] for count in counts) > 0 < sum(count["late"] for count in counts), f"metrics: {counts}")
    reader.read_for(UNDISTURBED_SECONDS, "while standbys follow again")
    write_and_read(reader)
