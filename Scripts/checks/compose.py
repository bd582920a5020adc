"""Check Config/compose-cluster.yaml without Docker: each service runs its command, configuration, environment and
volumes from the file, in namespaces of its own. Under constant ingest, the node that leads is killed and started again,
a node's etcd and both servers are killed. Prints how long no batch was acknowledged after each. Needs root, or sudo.

Usage: Scripts/check compose [-- --binary PATH] [--goal SECONDS]
"""

import argparse
import itertools
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

import yaml  # comes with openapi-spec-validator

from containers import PATH, Image, Service
from harness import ROOT, Server, debug_binary, eventually, expect, main, request, say, status_of
from load import Load, account
from networks import Network, enter_namespaces

FILE = ROOT / "Config/compose-cluster.yaml"
# The published image of HAProxy, which cannot be pulled.
HAPROXY = """FROM debian:bookworm-slim
WORKDIR /var/lib/haproxy
USER haproxy
STOPSIGNAL SIGUSR1
ENTRYPOINT ["haproxy", "-W", "-db"]
CMD ["-f", "/usr/local/etc/haproxy/haproxy.cfg"]
"""
VOLUMES_SIZE = "2g"
START_SECONDS = 120
PAUSE_SECONDS = 3  # of undisturbed load before each fault


def interpolated(value, place="the file"):
    """The value with $$ as $. Variables are not used in this file."""
    if isinstance(value, dict):
        return {key: interpolated(item, f"{place}, {key}") for key, item in value.items()}
    if isinstance(value, list):
        return [interpolated(item, place) for item in value]
    if isinstance(value, str):
        expect("$" not in value.replace("$$", ""), f"{place}: Compose replaces what follows a single $: {value}")
        return value.replace("$$", "$")
    return value


def require_packages(dockerfile):
    """The packages of the nodes' image exist, and are those with which the checks run."""
    wanted = re.search(r"apt-get install([^&]*)&&", dockerfile.replace("\\\n", " "))[1].split()
    wanted = [word for word in wanted if not word.startswith("-")]
    setup = (ROOT / "Scripts/setup").read_text(encoding="utf-8")
    ours = re.search(r"check_packages=\(([^)]*)\)", setup)[1].split() + re.findall(r"take_out (\S+) usr", setup)
    other = sorted(set(wanted) - set(ours))
    expect(not other, f"the file's image has packages that Scripts/setup does not install: {' '.join(other)}")
    if not shutil.which("apt-cache"):
        say(f"not checked, as there is no apt-cache here: the packages {' '.join(wanted)}")
        return
    for package in wanted:
        known = subprocess.run(["apt-cache", "show", package], check=False, capture_output=True)
        expect(known.returncode == 0 and known.stdout, f"apt knows no package {package}")
    say(f"packages of the nodes' image, known to apt and installed here: {' '.join(wanted)}")


class Project:
    """The services of the file, each with its image and with the files that are mounted into it."""

    def __init__(self, folder, binary):
        self.text = FILE.read_text(encoding="utf-8")
        self.file = interpolated(yaml.safe_load(self.text))
        for name, config in self.file["configs"].items():
            (folder / f"config-{name}").write_text(config["content"], encoding="utf-8")
        self.network = Network(folder)
        self.services = {}
        for name, options in self.file["services"].items():
            files = {}
            for config in options.get("configs", []):
                expect(config["source"] in self.file["configs"], f"{name}: no config {config['source']}")
                files[config["target"]] = folder / f"config-{config['source']}"
            for volume in options.get("volumes", []):
                source, _, target = volume.partition(":")
                expect(source in self.file["volumes"], f"{name}: no volume {source}")
                files[target] = folder / "volumes" / source
            self.services[name] = Service(self.network, name, options, *self.image(options, files, binary))
        self.nodes = [s for n, s in self.services.items() if "dockerfile_inline" in str(self.file["services"][n])]
        self.servers = [s for s in self.services.values() if s.image.entrypoint == ["/usr/local/bin/subguardd"]]
        expect((len(self.nodes), len(self.servers)) == (3, 2), "the file does not have three nodes and two servers")

    def image(self, options, files, binary):
        """The image, and the files with the programs that it would hold."""
        build = options.get("build")
        if isinstance(build, dict):
            etcd = shutil.which("etcd", path=PATH + os.pathsep + str(ROOT / ".build/tools"))
            expect(etcd, "etcd is missing: run Scripts/setup check")
            files["/usr/local/bin/etcd"] = pathlib.Path(etcd)
            return Image(build["dockerfile_inline"]), files
        if build:
            files["/usr/local/bin/subguardd"] = pathlib.Path(binary)
            image = Image((FILE.parent / build / "Dockerfile").read_text(encoding="utf-8"))
            image.entrypoint = options.get("entrypoint") or image.entrypoint
            return image, files
        expect(options["image"].startswith("haproxy:"), f"the image {options['image']} is not known here")
        return Image(HAPROXY), files

    def require_proxy(self):
        """The configuration is valid for the version that the file names, and for this machine's."""
        proxy = self.services["haproxy"]
        version = subprocess.run(["haproxy", "-v"], check=True, capture_output=True, text=True).stdout.split()[2]
        expect(version.startswith(proxy.options["image"].partition(":")[2]), f"HAProxy is {version} here")
        path = proxy.files["/usr/local/etc/haproxy/haproxy.cfg"]
        done = subprocess.run(["haproxy", "-c", "-f", path], check=False, capture_output=True, text=True)
        expect(done.returncode == 0, f"haproxy -c: {done.stdout} {done.stderr}")

    def publish(self):
        port, = self.services["haproxy"].options["ports"]
        address, outer, inner = port.split(":")
        expect(address == "127.0.0.1", f"the port is published as {port}")
        self.network.publish(address, int(outer), "haproxy", int(inner))
        return int(outer)

    def members(self):
        """What the command in the file's first comment shows: the role and the state by member."""
        name, command = re.search(r"compose --file \S+ exec (\S+) (patronictl .*)", self.text).groups()
        done = self.services[name].attempt(command=shlex.split(command))
        rows = [[cell.strip() for cell in line.split("|")] for line in done.stdout.splitlines() if line.startswith("|")]
        return {row[1]: (row[3], row[4]) for row in rows if row[1] in self.services}, done.stdout + done.stderr

    def settle(self, seconds=90):
        """Three members run, and one standby confirms commits. Returns the output of the command."""
        def is_whole():
            members, self.shown = self.members()
            roles = sorted(role for role, state in members.values() if state in ("running", "streaming"))
            return roles == ["Leader", "Replica", "Sync Standby"]
        eventually(is_whole, "patronictl lists a leader, a synchronous standby and a replica that run", seconds, 0.5)
        return self.shown

    def with_role(self, role):
        return next(self.services[name] for name, (found, _) in self.members()[0].items() if found == role)

    def ask(self, sql):
        """The answer of the primary, asked in its container."""
        patroni = yaml.safe_load(self.file["configs"]["patroni"]["content"])["postgresql"]
        sockets = patroni["parameters"]["unix_socket_directories"]
        user = patroni["authentication"]["superuser"]["username"]
        done = self.with_role("Leader").attempt(
            command=[f"{patroni['bin_dir']}/psql", "-At", "-h", sockets, "-U", user, "-c", sql, "postgres"])
        expect(done.returncode == 0, f"psql: {done.stderr}")
        return done.stdout.strip()

    def ranks(self):
        """The services, in groups that start one after the other: those on which others depend first."""
        def rank(name):
            return 1 + max((rank(other) for other in self.services[name].options.get("depends_on", [])), default=0)
        names = sorted(self.services, key=rank)
        return [[self.services[name] for name in group] for _, group in itertools.groupby(names, rank)]

    def stop(self):
        """Stops the services as `docker compose stop` does: those of a group at once, dependent groups first."""
        sizes = {node: len(node.log()) for node in self.nodes}
        for group in reversed(self.ranks()):
            began = time.monotonic()
            statuses = {}
            threads = [threading.Thread(target=lambda s=s: statuses.update({s: s.stop()})) for s in group]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for service, status in statuses.items():
                expect(status is not None, f"{service.name} was not stopped within its grace period")
                expect(status == 0 or service in self.nodes, f"{service.name} was stopped with status {status}")
            say(f"stopped {', '.join(s.name for s in group)}: {time.monotonic() - began:.1f} s")
        for node, size in sizes.items():
            expect("database system is shut down" in node.log()[size:], f"PostgreSQL of {node.name} was not shut down")
        expect(not self.network.processes(), f"processes are left: {self.network.processes()}")


def disturb(project, load):
    """Plays the faults. Returns the longest silence of each."""
    silences = {}

    def play(name, fault, repair):
        time.sleep(PAUSE_SECONDS)
        load.goes_on(name)
        began = time.monotonic()
        fault()
        load.goes_on("  batches go on")
        repair()
        silences[name] = load.silence(began)

    leader = project.with_role("Leader")

    def start_again():
        leader.start()
        say(project.settle().rstrip())

    play(f"{leader.name}, which leads, killed", leader.kill, start_again)
    standby = project.with_role("Sync Standby")
    starts = standby.starts

    def see_it_restarted():
        eventually(lambda: standby.starts > starts, f"{standby.name} is restarted")
        project.settle()

    play(f"etcd of {standby.name}, the synchronous standby, killed",
         lambda: os.kill(standby.process_named("etcd"), signal.SIGKILL), see_it_restarted)
    for server in project.servers:
        before = project.network.addresses[server.name]

        def start_elsewhere():
            server.start()
            eventually(lambda: server.attempt("health").returncode == 0, f"{server.name} is healthy")
            expect(project.network.addresses[server.name] != before, f"{server.name} has its old address")
            time.sleep(PAUSE_SECONDS)  # HAProxy resolves the name and finds it healthy

        play(f"{server.name} killed, started with another address", server.kill, start_elsewhere)
    return silences


def run(folder, chosen):
    binary = os.path.abspath(chosen.binary) if chosen.binary else debug_binary("subguardd")
    mounts = pathlib.Path("/proc/self/mounts").read_text()
    volumes = folder / "volumes"
    volumes.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={VOLUMES_SIZE},mode=755", "none", volumes], check=True)
    load = None
    try:
        project = Project(folder, binary)
        require_packages(project.nodes[0].options["build"]["dockerfile_inline"])
        project.require_proxy()
        port = project.publish()
        began = time.monotonic()
        for service in itertools.chain(*project.ranks()):
            service.start()
        eventually(lambda: status_of(port) == 200, "/readyz through HAProxy is 200", START_SECONDS, 0.2)
        say(f"ready after {time.monotonic() - began:.1f} s; starts until then: "
            + ", ".join(f"{s.name} {s.starts}" for s in project.services.values()))
        done = project.services["haproxy"].attempt("-c", *project.services["haproxy"].image.command)
        expect(done.returncode == 0 and "WARNING" not in done.stderr, f"haproxy -c: {done.stdout} {done.stderr}")
        status = request(port, "GET", "/metrics")[0]
        expect(status == 403, f"/metrics through HAProxy is {status}")
        project.settle()
        migrations = int(project.ask("SELECT count(*) FROM schema_migrations"))
        load = Load(port)
        silences = disturb(project, load)
        load.end()
        account(project, project.servers, load, migrations)
        project.stop()
    finally:
        if load:
            load.end(timeout=1)
        for service in Server.running:
            service.kill()
        subprocess.run(["umount", "--lazy", volumes], check=False)
    expect(pathlib.Path("/proc/self/mounts").read_text() == mounts, "mounts are left")
    say("longest silences in seconds:")
    for fault, seconds in silences.items():
        say(f"  {fault:66}{seconds:5.1f}")
    longest = max(silences.values())
    expect(longest <= chosen.goal, f"a silence of {longest:.1f} s; the goal is {chosen.goal:.0f} s")
    return f"the file works; nothing was lost, never silent for more than {longest:.1f} s"


def check(folder):
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary")
    parser.add_argument("--goal", type=float, default=30, help="the longest silence that passes, in seconds")
    chosen = parser.parse_args()
    if os.geteuid() != 0 and shutil.which("sudo"):
        same = [f"PATH={os.environ['PATH']}", sys.executable, "-B", __file__, *sys.argv[1:]]
        expect(subprocess.run(["sudo", "env", *same], check=False).returncode == 0, "see above")
        return "see above"
    enter_namespaces()
    return run(folder, chosen)


main("compose", check)
