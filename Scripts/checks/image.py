#!/usr/bin/env python3
"""Proves the Dockerfile where no Docker engine runs: performs its stages as it states them, and starts the result.

Build stage: its RUN lines run in the repository, with this machine's Swift instead of the swift image; the packages
that it installs must be installed here. Runtime stage: debootstrap makes the Debian that FROM names (Debian's minimal
system, larger than the slim image), RUN runs inside, COPY copies. The binary then starts there as the stage's USER
with its ENV, ENTRYPOINT and CMD, as process 1, on a read-only root with only the volume writable, in a network of its
own. The mirror is the one that this machine's apt uses.

Usage: Scripts/image-check [--fresh]      (--fresh forgets the cached root)
Needs root for the second part, by sudo where it is not root. Leaves no mount behind: each is made in a private
mount namespace, which ends with its process.
"""

import fcntl
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
import dockerfile  # noqa: E402
from dockerfile import ROOT  # noqa: E402

WORK = ROOT / ".build" / "image-check"
IMAGE = WORK / "root"
VOLUME = WORK / "volume"
BASE_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
CACHE_LIMIT_SECONDS = 7 * 24 * 3600  # security updates come in with the next root
STEP_LIMIT_SECONDS = 900
BUILD_LIMIT_SECONDS = 1500
CALL_LIMIT_SECONDS = 120
READY_LIMIT_SECONDS = 30
STOP_LIMIT_SECONDS = 30


class Refusal(Exception):
    """A promise of the image that did not hold, or a step that failed."""


def expect(holds, message):
    if not holds:
        raise Refusal(message)


def say(text):
    print(text, flush=True)


class Child(subprocess.Popen):
    """A process that does not outlive its `with` block, nor do its descendants: they share its session's group.
    `unshare --kill-child` would not do, as the kernel forgets that wish when the child changes its user."""

    def __init__(self, command, **options):
        super().__init__(command, stdin=subprocess.DEVNULL, start_new_session=True, **options)

    def __exit__(self, *reason):
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        return super().__exit__(*reason)


def output_of(command, limit, **options):
    """Runs a command to its end: its status, and what it printed."""
    with Child(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
               **options) as child:
        printed, _ = child.communicate(timeout=limit)
        return child.returncode, printed


def perform(command, limit=STEP_LIMIT_SECONDS, **options):
    """Runs a step; what it prints is shown only when it fails."""
    status, printed = output_of(command, limit, **options)
    if status != 0:
        raise Refusal(f"status {status}: {' '.join(map(str, command))}\n{printed}")
    return printed


def size_of(path):
    """Bytes on disk, hard links counted once."""
    return int(perform(["du", "--summarize", "--block-size=1", "--one-file-system", path]).split()[0])


def megabytes(count):
    return f"{count / 1_000_000:.1f} MB"


# The build stage.

def host_release():
    lines = pathlib.Path("/etc/os-release").read_text(encoding="utf-8")
    found = re.search(r"^VERSION_CODENAME=(\w+)$", lines, re.MULTILINE)
    return found[1] if found else "unknown"


def note_differences(image):
    """The build image is `swift:VERSION-RELEASE`; the binary built here stands in for it only when both are alike."""
    version, _, release = image.rpartition(":")[2].partition("-")
    found = re.search(r"Swift version ([\d.]+)", perform(["swift", "--version"]))
    if not found or not f"{found[1]}.".startswith(f"{version}."):
        say(f"note: the image builds with Swift {version}, this machine with {found[1] if found else 'another'}")
    expect(release == host_release(),
           f"the image builds on {release}; a binary from {host_release()} may need another libc and proves nothing")


def installed_here(packages):
    listing = perform(["dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package}\\n"])
    return {line.split()[1] for line in listing.splitlines() if line.startswith("installed ")} & set(packages)


def perform_build_stage(stage):
    note_differences(stage.image)
    copied = []
    for entry in stage.instructions:
        if entry.keyword == "COPY":
            copied += entry.copied()[0]
        elif entry.keyword == "RUN" and entry.installed_packages():
            missing = set(entry.installed_packages()) - installed_here(entry.installed_packages())
            expect(not missing, f"the build stage installs what Scripts/setup run does not: {sorted(missing)}")
        elif entry.keyword == "RUN":
            say(f"-- build: {entry.text}")
            if "swift build" in entry.text:
                expect_whole_package(copied)
            perform(["/bin/sh", "-c", entry.text], limit=BUILD_LIMIT_SECONDS, cwd=ROOT)


def expect_whole_package(copied):
    """Here the build sees the whole repository, in Docker only what was copied: each target must be part of it."""
    manifest = json.loads(subprocess.check_output(["swift", "package", "dump-package"], cwd=ROOT))
    for target in manifest["targets"]:
        folder = "Tests" if target["type"] == "test" else "Sources"
        path = pathlib.PurePosixPath(target.get("path") or f"{folder}/{target['name']}")
        expect(any(path.is_relative_to(source) for source in copied),
               f"target {target['name']} lies in {path}, which the Dockerfile does not copy")


# The runtime stage.

def apt_repositories(release):
    """(address, suite) of Debian's main component for `release` and its updates, from this machine's apt."""
    suites = [release, f"{release}-updates", f"{release}-security"]
    targets = perform(["apt-get", "indextargets", "--format", "$(IDENTIFIER)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)"])
    found = []
    for line in targets.splitlines():
        identifier, address, suite, component = line.split("|")
        if identifier == "Packages" and component == "main" and suite in suites:
            found.append((address, suite))
    expect(any(suite == release for _, suite in found), f"this machine's apt has no Debian repository for {release}")
    return list(dict.fromkeys(found))


def apt_environment():
    """Environment of commands that download: this machine's proxies, as apt or the environment name them."""
    environment = {"PATH": BASE_PATH, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    settings = perform(["apt-config", "dump"])
    for scheme in ("http", "https"):
        found = re.search(rf'^Acquire::{scheme}::proxy "([^"]+)";$', settings, re.MULTILINE | re.IGNORECASE)
        value = found[1] if found else os.environ.get(f"{scheme}_proxy")
        if value and value != "DIRECT":
            environment[f"{scheme}_proxy"] = value
    if "no_proxy" in os.environ:
        environment["no_proxy"] = os.environ["no_proxy"]
    return environment


class BorrowedNetwork:
    """Within it, the root downloads as this machine does: name servers, repositories, certificates. After it, the
    root's own files are back."""

    def __init__(self, repositories):
        checks = [line for line in perform(["apt-config", "dump"]).splitlines() if re.match(r"Acquire::Check-", line)]
        self.files = {
            "etc/resolv.conf": pathlib.Path("/etc/resolv.conf").read_bytes(),
            "etc/apt/sources.list": "".join(f"deb {where} {suite} main\n" for where, suite in repositories).encode(),
            "etc/apt/apt.conf.d/99-this-machine": "\n".join(checks + [""]).encode(),
        }
        authorities = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")
        if any(where.startswith("https:") for where, _ in repositories) and authorities.exists():
            self.files["etc/ssl/certs/ca-certificates.crt"] = authorities.read_bytes()
        self.before = {}

    def __enter__(self):
        for name, content in self.files.items():
            path = IMAGE / name
            self.before[name] = path.read_bytes() if path.exists() else None
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def __exit__(self, *_):
        for name, content in self.before.items():
            if content is None:
                (IMAGE / name).unlink(missing_ok=True)
            else:
                (IMAGE / name).write_bytes(content)
        drop_apt_cache()


def drop_apt_cache():
    """Debian's images are set to keep none; debootstrap and apt here do."""
    for pattern in ("archives/*.deb", "*.bin"):
        for path in (IMAGE / "var/cache/apt").glob(pattern):
            path.unlink()


def make_base(stage, leading_runs, fresh):
    """The root with FROM and the RUN lines before the first COPY done; both take long, so they are kept as archive."""
    release = re.fullmatch(r"debian:(\w+)-slim", stage.image)
    expect(release, f"FROM {stage.image}: only debian:RELEASE-slim can be made by debootstrap")
    repositories = apt_repositories(release[1])
    recipe = "\n".join([stage.image] + [entry.text for entry in leading_runs])
    archive = WORK / f"base-{hashlib.sha256(recipe.encode()).hexdigest()[:16]}.tar"
    if not fresh and archive.exists() and time.time() - archive.stat().st_mtime < CACHE_LIMIT_SECONDS:
        say(f"-- runtime: {stage.image} and its packages from {archive.relative_to(ROOT)}")
        IMAGE.mkdir()
        perform(["tar", "--extract", "--numeric-owner", "--file", archive, "--directory", IMAGE])
        return
    for stale in WORK.glob("base-*.tar*"):
        stale.unlink()
    say(f"-- runtime: debootstrap {release[1]}")
    mirror = next(where for where, suite in repositories if suite == release[1])
    perform(["unshare", "--mount", "debootstrap", "--variant=minbase", release[1], IMAGE, mirror],
            env=apt_environment())
    drop_apt_cache()
    for entry in leading_runs:
        run_inside(entry, repositories)
    perform(["tar", "--create", "--numeric-owner", "--file", f"{archive}.part", "--directory", IMAGE, "."])
    os.rename(f"{archive}.part", archive)


def run_inside(entry, repositories):
    say(f"-- runtime: RUN {entry.text}")
    with BorrowedNetwork(repositories):
        perform(["unshare", "--mount", "--pid", "--fork", f"--root={IMAGE}", "--mount-proc", "--wd=/",
                 "/bin/sh", "-c", entry.text], env=apt_environment())


def copy_into_image(entry, stages):
    sources, destination = entry.copied()
    origin = ROOT
    if "from" in entry.flags:
        build = next(stage for stage in stages if stage.name == entry.flags["from"])
        folder = build.last("WORKDIR").text
        # The repository stands where the build stage has its working folder.
        expect(all(source.startswith(f"{folder}/") for source in sources), f"COPY from outside {folder}")
        sources = [source.removeprefix(f"{folder}/") for source in sources]
    for source in sources:
        target = IMAGE / destination.lstrip("/")
        if destination.endswith("/"):
            target = target / pathlib.Path(source).name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (origin / source).is_dir():
            shutil.copytree(origin / source, target, dirs_exist_ok=True)
        else:
            shutil.copy(origin / source, target)


def perform_runtime_stage(stages, fresh):
    stage = stages[-1]
    steps = [entry for entry in stage.instructions if entry.keyword in ("RUN", "COPY")]
    leading_runs = []
    while steps and steps[0].keyword == "RUN":
        leading_runs.append(steps.pop(0))
    make_base(stage, leading_runs, fresh)
    for entry in steps:
        if entry.keyword == "RUN":
            run_inside(entry, apt_repositories(host_release()))
        else:
            say(f"-- runtime: COPY {entry.text}")
            copy_into_image(entry, stages)


# The container.

class Container:
    """What Docker would start: the runtime stage's own words, and nothing added to its environment."""

    def __init__(self, stage):
        self.entrypoint = stage.last("ENTRYPOINT").exec_form()
        self.command = stage.last("CMD").exec_form()
        self.health = stage.last("HEALTHCHECK").checked_command()
        self.user, self.group = map(int, stage.last("USER").text.split(":"))
        self.folder = stage.last("WORKDIR").text
        self.volume = stage.last("VOLUME").text
        self.port = int(stage.last("EXPOSE").text)
        self.stop_signal = signal.Signals[stage.last("STOPSIGNAL").text]
        self.environment = {"PATH": BASE_PATH, "HOME": "/", "HOSTNAME": "image-check", **stage.environment()}

    def confined(self, command):
        """As process 1, with /proc of its own: Swift reads its arguments there."""
        return ["unshare", "--mount", "--pid", "--fork", f"--root={IMAGE}", "--mount-proc", f"--wd={self.folder}",
                f"--setgid={self.group}", f"--setuid={self.user}", *command]

    def call(self, command):
        """Runs a command as the container's user and waits: its status and what it printed."""
        return output_of(self.confined(command), CALL_LIMIT_SECONDS, env=self.environment)

    def must(self, arguments):
        status, output = self.call(self.entrypoint + arguments)
        expect(status == 0, f"`{' '.join(arguments)}` ended with status {status}:\n{output}")
        return output

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
            return answer.read()

    def is_ready(self):
        try:
            self.get("/readyz")
            return True
        except (urllib.error.URLError, OSError):
            return False


def mount_image(container):
    """A read-only root with the volume on it. A new volume takes owner and mode from the image's folder."""
    source = IMAGE / container.volume.lstrip("/")
    expect(source.is_dir(), f"the image has no folder {container.volume} to be the volume's model")
    perform(["cp", "--archive", source, VOLUME])
    perform(["mount", "--bind", IMAGE, IMAGE])
    perform(["mount", "--options", "remount,bind,ro", IMAGE])
    perform(["mount", "--bind", VOLUME, source])


def raise_loopback():
    """A new network namespace begins with its loopback interface down."""
    get_flags, set_flags, up = 0x8913, 0x8914, 1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP of <linux/if.h>
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        answer = fcntl.ioctl(control, get_flags, struct.pack("16sh22x", b"lo", 0))
        flags = struct.unpack("16sh22x", answer)[1]
        fcntl.ioctl(control, set_flags, struct.pack("16sh22x", b"lo", flags | up))


def child_of(process, deadline):
    """The container's process 1, as seen from here: the one child of unshare."""
    path = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (children := path.read_text().split()):
        expect(process.poll() is None and time.monotonic() < deadline, "the container did not start")
        time.sleep(0.001)
    return int(children[0])


def expect_unprivileged(pid, container):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    ids = dict(re.findall(r"^(Uid|Gid|Groups|CapEff):[ \t]*(.*?)[ \t]*$", status, re.MULTILINE))
    expect(set(ids["Uid"].split()) == {str(container.user)}, f"the server runs as user {ids['Uid']}")
    expect(set(ids["Gid"].split()) == {str(container.group)}, f"the server runs as group {ids['Gid']}")
    expect(int(ids["CapEff"], 16) == 0, f"the server holds capabilities {ids['CapEff']}")


def serve_and_stop(container):
    """Checks the server from its start to the end of its stop: the seconds that either took."""
    log = WORK / "server.log"
    begun = time.monotonic()
    with log.open("wb") as output, Child(
            container.confined(container.entrypoint + container.command), env=container.environment,
            stdout=output, stderr=subprocess.STDOUT) as process:
        try:
            server = child_of(process, begun + READY_LIMIT_SECONDS)
            while not container.is_ready():
                expect(process.poll() is None, f"the server ended with status {process.returncode}")
                expect(time.monotonic() < begun + READY_LIMIT_SECONDS, "/readyz did not answer 200 in time")
                time.sleep(0.005)
            ready_after = time.monotonic() - begun
            expect_unprivileged(server, container)
            status, printed = container.call(container.health)
            expect(status == 0, f"HEALTHCHECK ends with status {status} although /readyz answers 200:\n{printed}")
            items = json.loads(container.get("/api/v1/catalogue?limit=1"))["items"]
            expect(items, "the catalogue of the image is empty")

            begun = time.monotonic()
            os.kill(server, container.stop_signal)
            expect(process.wait(STOP_LIMIT_SECONDS) == 0,
                   f"after {container.stop_signal.name} the server ended with status {process.returncode}")
            return ready_after, time.monotonic() - begun
        except (Refusal, OSError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
            raise Refusal(f"{error}\n-- the server's output:\n{log.read_text(errors='replace')}") from error


def start_and_check(stages):
    stage = stages[-1]
    container = Container(stage)
    mount_image(container)
    raise_loopback()

    catalogue = next(entry.copied()[1] for entry in stage.all("COPY") if "Config/catalogue.csv" in entry.copied()[0])
    container.must(["migrate"])
    container.must(["catalogue", "import", catalogue])
    token = container.must(["token", "create", "--role", "owner", "--name", "image-check"])
    expect(len(token.split()) == 1, "`token create` does not print the token alone")
    expect(container.call(container.health)[0] != 0, "HEALTHCHECK is content although nothing serves")

    ready_after, stopped_after = serve_and_stop(container)
    expect(container.call(container.health)[0] != 0, "HEALTHCHECK is content although the server has stopped")
    written = sorted(path.name for path in VOLUME.rglob("*") if path.is_file())
    expect(written, f"nothing was written to {container.volume}")
    say(f"-- started as {container.user}:{container.group}, process 1, read-only root; wrote {', '.join(written)}")
    say(f"-- ready after {ready_after * 1000:.0f} ms; {container.stop_signal.name}: status 0 after "
        f"{stopped_after * 1000:.0f} ms; health: 1 before, 0 while serving, 1 after")


def report_sizes(stages):
    binary = IMAGE / stages[-1].last("ENTRYPOINT").exec_form()[0].lstrip("/")
    everything = size_of(IMAGE)
    say(f"-- sizes: binary {megabytes(binary.stat().st_size)}, system {megabytes(everything - size_of(binary))}, "
        f"together {megabytes(everything)}")


def clear_root():
    for path in (IMAGE, VOLUME):
        perform(["rm", "--recursive", "--force", "--one-file-system", path])


def root_part(stages, fresh):
    clear_root()
    try:
        perform_runtime_stage(stages, fresh)
        report_sizes(stages)
        subprocess.run(["unshare", "--mount", "--net", sys.executable, __file__, "--confined"], check=True)
    except subprocess.CalledProcessError:
        return 1
    finally:
        clear_root()
        if "SUDO_UID" in os.environ:
            perform(["chown", "--recursive", f"{os.environ['SUDO_UID']}:{os.environ['SUDO_GID']}", WORK])
    return 0


def main(arguments):
    expect(not set(arguments) - {"--fresh", "--root-part", "--confined"}, __doc__)
    stages = dockerfile.read_stages()
    fresh = [argument for argument in arguments if argument == "--fresh"]
    if "--confined" in arguments:
        start_and_check(stages)
        return 0
    if "--root-part" in arguments:
        return root_part(stages, fresh)

    subprocess.run([ROOT / "Scripts/setup", "run", "image"], check=True)
    subprocess.run([ROOT / "Scripts/lint-dockerfile"], check=True)
    for stage in stages[:-1]:
        perform_build_stage(stage)
    WORK.mkdir(parents=True, exist_ok=True)
    if os.geteuid() == 0:
        return root_part(stages, fresh)
    expect(shutil.which("sudo"), "a root folder and a container need root, and there is no sudo here")
    return subprocess.run(["sudo", "--", sys.executable, __file__, "--root-part", *fresh]).returncode


try:
    status = main(sys.argv[1:])
    if status == 0 and not {"--root-part", "--confined"} & set(sys.argv):
        say("image-check: the image builds, starts, serves and stops.")
    sys.exit(status)
except (Refusal, dockerfile.DockerfileError, subprocess.SubprocessError) as refusal:
    sys.exit(f"error: image-check: {refusal}")
