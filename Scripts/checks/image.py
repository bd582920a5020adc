"""Build the Dockerfile with buildah, without a Docker engine or a registry, and start the result.

Usage: Scripts/check image [-- --built] [--fresh]

The base images cannot be pulled: debootstrap makes a Debian, larger than the slim one, which is imported under the name
in FROM; the swift image is the same with a compiler's packages and this machine's toolchain mounted. buildah runs each
stage with chroot isolation. --built, as in `make check`, skips the build stage (ten minutes) and uses the binary in
.build/release. --fresh deletes the imported Debian first.

No OCI runtime works without control groups, so the image's root is entered by unshare, with the settings printed by
`buildah inspect`: user, environment, entrypoint and command, as process 1, on a read-only root with only the volume
writable, in its own network namespace. Needs root, or sudo. Mounts and processes end with this script.
"""

import fcntl
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

from harness import ROOT, STOP_SECONDS, Refusal, eventually, expect, main, request, say, status_of, toolchain

WORK = ROOT / ".build/image-check"
BUILDAH = ["buildah", "--storage-driver", "vfs", "--root", str(WORK / "storage"), "--runroot", str(WORK / "run")]
IMAGE = "localhost/subguard"
RELEASE = "bookworm"
DEBIAN = f"docker.io/library/debian:{RELEASE}-slim"
# The packages that swift.org lists for Debian 12.
COMPILER_PACKAGES = """binutils ca-certificates gcc git libcurl4-openssl-dev libedit-dev libicu-dev libncurses-dev libpython3-dev
    libsqlite3-dev libstdc++-12-dev libxml2-dev pkg-config tzdata uuid-dev"""
BASE_SECONDS = 7 * 24 * 3600  # then a new Debian with security updates is made
CALL_SECONDS = 120
READY_SECONDS = 30
PROXIES = [f"--build-arg={name}" for name in ("http_proxy", "https_proxy", "no_proxy") if name in os.environ]


def perform(*command, **options):
    """The output of a step; prints it if the step fails."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False, **options)
    if done.returncode:
        raise Refusal(f"status {done.returncode}: {' '.join(map(str, command))}\n{done.stdout[-6000:]}")
    return done.stdout.strip()


def buildah(*arguments, **options):
    return perform(*BUILDAH, *arguments, **options)


def mirror():
    lines = perform("apt-get", "indextargets", "--format", "$(IDENTIFIER)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)")
    found = [line.split("|")[1] for line in lines.splitlines() if line.startswith("Packages|") and f"|{RELEASE}|main" in line]
    expect(found, f"this machine's apt has no Debian repository for {RELEASE}")
    return found[0]


def make_base(fresh):
    """Makes the Debian named in FROM."""
    stamp = WORK / "debian"
    if not fresh and stamp.exists() and time.time() - stamp.stat().st_mtime < BASE_SECONDS:
        return
    say(f"-- debootstrap {RELEASE}, imported as {DEBIAN}")
    for folder in (WORK / "root", WORK / "storage", WORK / "run"):
        perform("rm", "--recursive", "--force", "--one-file-system", folder)
    WORK.mkdir(parents=True, exist_ok=True)
    root = WORK / "root"
    perform("unshare", "--mount", "debootstrap", "--variant=minbase", RELEASE, root, mirror())
    # This machine's apt settings and certificate authorities, which Debian's image lacks.
    settings = re.findall(r"^Acquire::.*$", perform("apt-config", "dump"), re.MULTILINE)
    (root / "etc/apt/apt.conf.d/99-this-machine").write_text("\n".join([*settings, ""]))
    shutil.copytree("/etc/ssl/certs", root / "etc/ssl/certs", dirs_exist_ok=True)
    for pattern in ("archives/*.deb", "*.bin"):
        for path in (root / "var/cache/apt").glob(pattern):
            path.unlink()
    container = buildah("from", "scratch")
    buildah("copy", "--quiet", container, root, "/")
    buildah("config", "--cmd", "bash", container)
    buildah("commit", "--quiet", "--rm", container, DEBIAN)
    perform("rm", "--recursive", "--force", "--one-file-system", root)
    stamp.touch()


def make_compiler(name, toolchain_folder):
    """Makes the swift image named in FROM; the toolchain itself is mounted while it is used."""
    if buildah("images", "--quiet", "--filter", f"reference={name}"):
        return
    say(f"-- {name}: Debian and the packages of a compiler")
    container = buildah("from", DEBIAN)
    packages = " ".join(COMPILER_PACKAGES.split())
    buildah("run", "--isolation", "chroot", container, "sh", "-c",
            f"apt-get update && apt-get install --yes --no-install-recommends {packages}")
    buildah("config", "--env", f"PATH={toolchain_folder}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", container)
    buildah("commit", "--quiet", "--rm", container, name)


def build_image(is_built):
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    bases = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    expect(bases[-1] == f"debian:{RELEASE}-slim", f"FROM {bases[-1]}: only debian:{RELEASE}-slim can be made here")
    options = ["--isolation", "chroot", "--format", "docker", "--tag", IMAGE, *PROXIES]
    if not is_built:
        swift = pathlib.Path(shutil.which("swift")).resolve().parents[1]
        version = re.search(r"Swift version (\d+\.\d+)", perform("swift", "--version"))[1]
        expect(bases[0] == f"swift:{version}-{RELEASE}", f"FROM {bases[0]}, but this machine has Swift {version}")
        make_compiler(f"docker.io/library/{bases[0]}", swift)
        say("-- buildah build, both stages (about ten minutes)")
        buildah("build", *options, "--volume", f"{swift}:{swift}:ro", ".", cwd=ROOT)
        return
    # The release build of this checkout replaces the output of the build stage.
    expect(toolchain('printf "%s" "swift build ${release_flags[*]} --product subguardd"') in text,
           "the Dockerfile builds with other flags than Scripts/toolchain.sh")
    expect_everything_is_copied(text)
    binary = toolchain("release_binary subguardd")
    stage = WORK / "built"
    perform("install", "--strip", "-D", binary, stage / "src/.build/image/subguardd")
    last = WORK / "Dockerfile"
    last.write_text(text[text.rindex("\nFROM ") + 1:], encoding="utf-8")
    say("-- buildah build, the last stage with the binary of .build/release")
    buildah("build", *options, "--build-context", f"build={stage}", "--file", last, ".", cwd=ROOT)


def expect_everything_is_copied(text):
    """The build in .build/release had the whole repository, Docker only has the copied files."""
    copied = [source for line in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.MULTILINE) for source in line.split()]
    manifest = json.loads(perform("swift", "package", "dump-package", cwd=ROOT))
    for target in manifest["targets"]:
        path = pathlib.PurePosixPath(target["path"])
        expect(any(path.is_relative_to(source) for source in copied),
               f"target {target['name']} lies in {path}, which the Dockerfile does not copy")


class Container:
    """What Docker would start: the image's configuration, with nothing added to its environment."""

    def __init__(self, root):
        config = json.loads(buildah("inspect", "--type", "image", IMAGE))["Docker"]["config"]
        self.root = root
        self.entrypoint, self.command = config["Entrypoint"], config["Cmd"]
        health = config["Healthcheck"]["Test"]
        expect(health[0] == "CMD", "the health check runs in a shell, which the image may lack")
        self.health = health[1:]
        expect(re.fullmatch(r"[1-9]\d*:[1-9]\d*", config["User"]), f"USER {config['User']}: not two numbers other than 0")
        self.user, self.group = map(int, config["User"].split(":"))
        self.folder = config["WorkingDir"]
        self.volume, = config["Volumes"]
        port, = config["ExposedPorts"]
        self.port = int(port.partition("/")[0])
        self.stop_signal = signal.Signals[config["StopSignal"]]
        self.environment = dict(entry.split("=", 1) for entry in config["Env"]) | {"HOME": "/", "HOSTNAME": "image-check"}

    def confined(self, command):
        """Runs as process 1, with its own /proc: Swift reads its arguments there."""
        return ["unshare", "--mount", "--pid", "--fork", f"--root={self.root}", "--mount-proc", f"--wd={self.folder}",
                f"--setgid={self.group}", f"--setuid={self.user}", *command]

    def call(self, command):
        done = subprocess.run(self.confined(command), env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=CALL_SECONDS, check=False)
        return done.returncode, done.stdout

    def must(self, *arguments):
        status, output = self.call([*self.entrypoint, *arguments])
        expect(status == 0, f"`{' '.join(arguments)}` ended with status {status}:\n{output}")
        return output


def mount_read_only(container):
    """A read-only root with the volume mounted. A new volume takes owner and mode from the image's folder."""
    source, volume = container.root / container.volume.lstrip("/"), WORK / "volume"
    expect(source.is_dir(), f"the image has no folder {container.volume} to be the volume's model")
    perform("rm", "--recursive", "--force", volume)
    perform("cp", "--archive", source, volume)
    perform("mount", "--bind", container.root, container.root)
    perform("mount", "--options", "remount,bind,ro", container.root)
    perform("mount", "--bind", volume, source)
    return volume


def raise_loopback():
    """A new network namespace starts with its loopback interface down."""
    get_flags, set_flags, up = 0x8913, 0x8914, 1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP of <linux/if.h>
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        answer = fcntl.ioctl(control, get_flags, struct.pack("16sh22x", b"lo", 0))
        fcntl.ioctl(control, set_flags, struct.pack("16sh22x", b"lo", struct.unpack("16sh22x", answer)[1] | up))


def expect_unprivileged(pid, container):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    ids = dict(re.findall(r"^(Uid|Gid|Groups|CapEff):[ \t]*(.*?)[ \t]*$", status, re.MULTILINE))
    expect(set(ids["Uid"].split()) == {str(container.user)}, f"the server runs as user {ids['Uid']}")
    expect(set(ids["Gid"].split()) == {str(container.group)}, f"the server runs as group {ids['Gid']}")
    expect(int(ids["CapEff"], 16) == 0, f"the server holds capabilities {ids['CapEff']}")


def serve_and_stop(container):
    """Returns the milliseconds until the server is ready, and until it has stopped."""
    began = time.monotonic()
    with (WORK / "server.log").open("wb") as log:
        process = subprocess.Popen(container.confined(container.entrypoint + container.command), env=container.environment,
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        server = int(eventually(lambda: children.read_text().split(), "the container starts", READY_SECONDS)[0])
        eventually(lambda: status_of(container.port) == 200 or process.poll() is not None, "/readyz answers 200", READY_SECONDS)
        expect(process.poll() is None, f"the server ended with status {process.returncode}")
        ready = time.monotonic() - began
        expect_unprivileged(server, container)
        status, printed = container.call(container.health)
        expect(status == 0, f"HEALTHCHECK ends with status {status} although /readyz answers 200:\n{printed}")
        expect(json.loads(request(container.port, "GET", "/api/v1/catalogue?limit=1")[1])["items"], "the catalogue is empty")
        began = time.monotonic()
        os.kill(server, container.stop_signal)
        status = process.wait(STOP_SECONDS)
        expect(status == 0, f"after {container.stop_signal.name} the server ended with status {status}")
        return ready * 1000, (time.monotonic() - began) * 1000
    except Exception as error:
        raise Refusal(f"{error}\n-- the server's output:\n{(WORK / 'server.log').read_text(errors='replace')}") from error
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def start_and_check(root):
    container = Container(root)
    volume = mount_read_only(container)
    raise_loopback()
    container.must("migrate")
    container.must("catalogue", "import", "/usr/share/subguard/catalogue.csv")
    token = container.must("token", "create", "--role", "owner", "--name", "image-check")
    expect(len(token.split()) == 1, "`token create` does not print the token alone")
    expect(container.call(container.health)[0] != 0, "HEALTHCHECK is content although nothing serves")
    ready, stopped = serve_and_stop(container)
    expect(container.call(container.health)[0] != 0, "HEALTHCHECK is content although the server has stopped")
    written = sorted(path.name for path in volume.rglob("*") if path.is_file())
    expect(written, f"nothing was written to {container.volume}")
    say(f"-- as {container.user}:{container.group}, process 1, read-only root; wrote {', '.join(written)}")
    say(f"-- ready after {ready:.0f} ms; {container.stop_signal.name}: status 0 after {stopped:.0f} ms")
    return "the image starts, serves and stops"


def check(_):
    if "--confined" in sys.argv:
        return start_and_check(pathlib.Path(sys.argv[-1]))
    if os.geteuid() != 0:
        expect(shutil.which("sudo"), "an image needs root, and there is no sudo here")
        perform("sudo", "--preserve-env=http_proxy,https_proxy,no_proxy", "env", f"PATH={os.environ['PATH']}", sys.executable,
                "-B", __file__, *sys.argv[1:])
        return "see above"
    make_base("--fresh" in sys.argv)
    build_image("--built" in sys.argv)
    container = buildah("from", IMAGE)
    try:
        root = buildah("mount", container)
        size = int(perform("du", "--summarize", "--block-size=1", root).split()[0])
        binary = pathlib.Path(root, "usr/local/bin/subguardd").stat().st_size
        say(f"-- sizes: binary {binary / 1e6:.1f} MB, everything {size / 1e6:.1f} MB")
        perform_loudly = subprocess.run(
            ["unshare", "--mount", "--net", sys.executable, "-B", __file__, "--confined", root], check=False)
        expect(perform_loudly.returncode == 0, "the image does not hold what it should")
    finally:
        buildah("rm", container)
    return "the image builds, starts, serves and stops"


main("image", check)
