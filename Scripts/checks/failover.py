"""Check that nothing is lost when the host of PostgreSQL fails: three nodes under Patroni with etcd and synchronous
replication, three servers behind HAProxy under constant ingest. Reads from standbys are as current as from the primary,
also while these replay nothing. Then the primary's node is killed, cut off and filled, the synchronous standby is
killed, and operators switch over and back. Prints the longest silence of each fault: the longest time in which no batch
was acknowledged.

Usage: Scripts/check failover [-- --rounds N] [--goal SECONDS] [--binary PATH]
"""

import argparse
import os
import signal
import subprocess
import time

from cluster import LOOP_WAIT, PASSWORDS, RETRY_TIMEOUT, TTL, Cluster, address
from failover_reads import check_reads, standby_reads
from harness import Server, debug_binary, eventually, expect, main, say
from load import Load, account, end, make_server, proxy

PAUSE_SECONDS = 3  # of undisturbed load around each fault
PROBES = 20  # writes sent to a node that was cut off
PROBE_SECONDS = 60


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--goal", type=float, default=15, help="the longest silence that passes, in seconds")
    parser.add_argument("--binary")
    return parser.parse_args()


class Faults:
    """Each fault takes the primary's node, and returns after the cluster is whole again."""

    def __init__(self, cluster, load):
        self.cluster, self.load = cluster, load
        self.probe_count = 0

    def kill_primary(self):
        """the primary's node killed"""
        node = self.cluster.primary()
        node.kill()
        self.load.goes_on("  others go on", 60)
        node.start()

    def cut_off_primary(self):
        """the primary's node cut off"""
        node = self.cluster.primary()
        node.signal(signal.SIGSTOP)
        self.load.goes_on("  others go on", 60)
        time.sleep(PAUSE_SECONDS)
        expect(self.cluster.primary() is not node, "no other node leads")
        # Half of the writes wait for the node to come back, as if clients had found it before its Patroni does.
        probes = [self.probe(node) for _ in range(PROBES // 2)]
        time.sleep(0.5)
        node.signal(signal.SIGCONT)
        for _ in range(PROBES // 2):
            probes.append(self.probe(node))
            time.sleep(0.1)
        taken = []
        for number, process in probes:
            output, _ = process.communicate(timeout=PROBE_SECONDS)
            if "INSERT 0 1" in output:
                taken.append(number)
        expect(not taken, f"{node.name} took {len(taken)} writes as a second primary")
        say(f"  {node.name} is back, and took none of {PROBES} writes sent to it")

    def probe(self, node):
        """(number, process) of a write to one node, outside of the program's tables."""
        self.probe_count += 1
        statement = f"INSERT INTO probe.writes VALUES ({self.probe_count})"
        url = address([node], timeout=10)
        return self.probe_count, subprocess.Popen(
            [f"{self.cluster.programs}/psql", "-c", statement, url], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)

    def fill_log(self):
        """the disk of the primary's log filled"""
        node = self.cluster.primary()

        def stops():
            node.fill("wal")  # again, as checkpoints make room
            return not node.leads()

        eventually(stops, "PostgreSQL stops without room for its log")
        self.load.goes_on("  others go on", 60)
        node.empty("wal")

    def fill_data(self):
        """the disk of the primary's data filled, switched over by command"""
        node = self.cluster.primary()
        node.fill("data")
        # PostgreSQL refuses what needs room, and lives; so Patroni does nothing by itself.
        eventually(lambda: self.load.silence(time.monotonic() - 2) >= 2, "nothing is acknowledged", 90, 0.2)
        began = time.monotonic()
        self.cluster.switch_over(node)
        self.load.goes_on("  others go on", 60)
        say(f"  {time.monotonic() - began:.1f} s after the command")
        node.empty("data")
        return began

    def kill_synchronous_standby(self):
        """the synchronous standby's node killed"""
        name = next(m["name"] for m in self.cluster.members() if m["role"] == "sync_standby")
        node = next(n for n in self.cluster.nodes if n.name == name)
        node.kill()
        self.load.goes_on("  the primary goes on", 60)
        node.start()

    def switch_over(self):
        """switched over by command"""
        node = self.cluster.primary()
        self.cluster.switch_over(node)
        self.load.goes_on("  others go on", 60)

    def fail_back(self):
        """switched back to the first node by command"""
        first = self.cluster.nodes[0]
        node = self.cluster.primary()
        if node is first:
            self.cluster.switch_over(node)
            self.cluster.settle()
            node = self.cluster.primary()
        # A switchover goes to a synchronous standby only, so both standbys become that for a while.
        self.cluster.set_synchronous_nodes(2)
        eventually(lambda: [m["role"] for m in self.cluster.members()].count("sync_standby") == 2,
                   "both standbys are synchronous", 60, 0.2)
        self.cluster.switch_over(node, first)
        self.load.goes_on("  others go on", 60)
        self.cluster.set_synchronous_nodes(1)
        eventually(lambda: self.cluster.primary() is first, "the first node leads")


WRONG = PASSWORDS["subguard"].replace("p@ss", "an0ther")


def expect_reason(words):
    expect("rejects this user, password or database" in words, f"no reason: {words}")
    for secret in (WRONG, WRONG.partition(":")[2], "an0ther"):
        expect(secret not in words, f"the password is in the error: {words}")


def refuse_wrong_password(binary, folder, cluster):
    url = address(cluster.nodes, "target_session_attrs=read-write", password=WRONG)
    done = Server(binary, folder, {"DATABASE_URL": url}, "refused").attempt("serve")
    words = done.stdout + done.stderr
    expect(done.returncode != 0, f"started with a wrong password: {words}")
    expect_reason(words)
    say(f"a wrong password: {words.strip()}")


def name_wrong_read_password(binary, folder, cluster):
    """The primary serves the reads, and the log and the metrics say so."""
    url = address(cluster.nodes, "target_session_attrs=prefer-standby", password=WRONG)
    server = make_server(binary, cluster.url, folder, 4, DATABASE_READ_URL=url)
    try:
        eventually(lambda: "DATABASE_READ_URL cannot be used" in server.log(), "the log names the setting")
        expect_reason(server.log())
        status, _, _ = server.json("GET", "/api/v1/admin/dashboard", token=server.token())
        reads = standby_reads(server)
        expect(status == 200 and reads["served"] == 0 < reads["unavailable"], f"{status} for the dashboard, {reads}")
    finally:
        server.stop()
    say(f"a wrong password for reads: {reads['unavailable']} reads went to the primary")


def rounds(cluster, load, count):
    """Plays all faults, and returns the longest silences by fault."""
    faults = Faults(cluster, load)
    plays = [faults.kill_primary, faults.cut_off_primary]
    if cluster.why_not_mounted:
        say(f"disks are not filled: {cluster.why_not_mounted}")
    else:
        plays += [faults.fill_log, faults.fill_data]
    plays += [faults.kill_synchronous_standby, faults.switch_over, faults.fail_back]
    silences = {play.__doc__: [] for play in plays}
    for number in range(1, count + 1):
        for play in plays:
            time.sleep(PAUSE_SECONDS)
            load.goes_on(f"round {number}: {play.__doc__}")
            began = time.monotonic()
            # For an operator's fault, from the command.
            began = play() or began
            whole = cluster.settle()
            time.sleep(PAUSE_SECONDS)
            acknowledged = load.acknowledged
            stored = int(cluster.ask("SELECT coalesce(sum(event_count), 0) FROM event_blocks"))
            expect(stored >= acknowledged, f"{acknowledged - stored} acknowledged events are lost")
            silences[play.__doc__].append(load.silence(began))
            say(f"  longest silence {silences[play.__doc__][-1]:.1f} s; whole again {whole:.1f} s later")
    return silences


def check(folder):
    chosen = options()
    binary = os.path.abspath(chosen.binary) if chosen.binary else debug_binary("subguardd")
    haproxy = load = None
    cluster = Cluster(folder, chosen.rounds)
    try:
        cluster.start()
        cluster.ask("CREATE SCHEMA probe; CREATE TABLE probe.writes (number integer PRIMARY KEY)")
        refuse_wrong_password(binary, folder, cluster)
        name_wrong_read_password(binary, folder, cluster)
        servers = [make_server(binary, cluster.url, folder, number, DATABASE_SYNCHRONOUS_STANDBYS=1,
                               DATABASE_READ_URL=cluster.read_url) for number in (1, 2, 3)]
        eventually(lambda: all(server.is_ready() for server in servers), "all servers are ready")
        migrations = int(cluster.ask("SELECT count(*) FROM schema_migrations"))
        port, haproxy = proxy(folder, servers)
        load = Load(port)
        check_reads(cluster, servers, load)
        silences = rounds(cluster, load, chosen.rounds)
        load.end()
        for server in servers:
            server.expect_alive()
        eventually(lambda: all(server.is_ready() for server in servers), "all servers are ready")
        account(cluster, servers, load, migrations)
    except Exception:
        cluster.explain()
        raise
    finally:
        end(load, haproxy)
        cluster.end()
    say(f"longest silences in seconds, with ttl {TTL}, loop_wait {LOOP_WAIT}, retry_timeout {RETRY_TIMEOUT}:")
    for fault, seconds in silences.items():
        say(f"  {fault:66}{' '.join(f'{s:5.1f}' for s in seconds)}")
    longest = max(s for seconds in silences.values() for s in seconds)
    expect(longest <= chosen.goal, f"a silence of {longest:.1f} s; the goal is {chosen.goal:.0f} s")
    return f"nothing was lost, nothing counted twice, never silent for more than {longest:.1f} s"


main("failover", check)
