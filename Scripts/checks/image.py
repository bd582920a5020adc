"""Build the Dockerfile with buildah, without a Docker engine or a registry, and start the result.

Usage: Scripts/check image [-- --built] [--fresh] [--archive FILE]

The base images cannot be pulled: debootstrap makes a Debian, larger than the slim one, which is imported under the name
in FROM; the swift image is the same with a compiler's packages and this machine's toolchain mounted. buildah runs each
stage with chroot isolation. --built, as in `make check`, skips the build stage (ten minutes) and uses the binary in
.build/release. --fresh deletes the imported Debian first. --archive saves the image as an OCI archive instead of
starting it; times in it are SOURCE_DATE_EPOCH.

No OCI runtime works without control groups, so the image's root is entered by unshare, with the settings printed by
`buildah inspect`: user, environment, entrypoint and command, as process 1, on a read-only root with only the volume
writable, in its own network namespace. Needs root, or sudo. Mounts and processes end with this script.
"""

import fcntl
import http.client
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

from harness import (
    ROOT, STOP_SECONDS, Refusal, eventually, expect, expect_one_sign_in, main, request, say, status_of, toolchain)

WORK = ROOT / ".build/image-check"
BUILDAH = ["buildah", "--storage-driver", "vfs", "--root", str(WORK / "storage"), "--runroot", str(WORK / "run")]
IMAGE = "localhost/subguard"
RELEASE = "bookworm"
DEBIAN = f"docker.io/library/debian:{RELEASE}-slim"
# The packages that swift.org lists for Debian 12.
COMPILER_PACKAGES = """binutils ca-certificates gcc git libcurl4-openssl-dev libedit-dev libicu-dev libncurses-dev
    libpython3-dev libsqlite3-dev libstdc++-12-dev libxml2-dev pkg-config tzdata uuid-dev"""
BASE_SECONDS = 7 * 24 * 3600  # then a new Debian with security updates is made
CALL_SECONDS = 120
READY_SECONDS = 30
# The README's command for a demo in a container.
DEMO_PORT, DEMO = re.search(r"--publish 127\.0\.0\.1:(\d+):\1 subguard (demo [^`]*)`",
                            (ROOT / "README.md").read_text(encoding="utf-8")).groups()
DEMO_PORT, DEMO = int(DEMO_PORT), DEMO.split()
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


def mirrors():
    """Debian's repositories as this machine's apt has them: lines of sources.list, the release itself first."""
    lines = perform("apt-get", "indextargets", "--format", "$(IDENTIFIER)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)")
    found = [line.split("|") for line in lines.splitlines()]
    found = {f"deb {address} {release} main" for identifier, address, release, component in found
             if (identifier, component) == ("Packages", "main") and re.fullmatch(f"{RELEASE}(-.*)?", release)}
    found = sorted(found, key=lambda line: (line.split()[2], line))
    expect(found and found[0].split()[2] == RELEASE, f"this machine's apt has no Debian repository for {RELEASE}")
    return found


def this_machine():
    """Mounts this machine's apt settings during a build, so that no image contains them."""
    settings = WORK / "apt.conf"
    found = re.findall(r"^Acquire::(?:Check-|https?::|Retries).*$", perform("apt-config", "dump"), re.MULTILINE)
    settings.write_text("\n".join([*found, ""]), encoding="utf-8")
    return ["--volume", f"{settings}:/etc/apt/apt.conf.d/99-this-machine:ro"]


def make_base(fresh):
    """Makes the Debian named in FROM, with its security updates."""
    stamp = WORK / "debian"
    if not fresh and stamp.exists() and time.time() - stamp.stat().st_mtime < BASE_SECONDS:
        return
    say(f"-- debootstrap {RELEASE}, imported as {DEBIAN}")
    for folder in (WORK / "root", WORK / "storage", WORK / "run"):
        perform("rm", "--recursive", "--force", "--one-file-system", folder)
    WORK.mkdir(parents=True, exist_ok=True)
    root = WORK / "root"
    sources = mirrors()
    perform("unshare", "--mount", "debootstrap", "--variant=minbase", RELEASE, root, sources[0].split()[1])
    (root / "etc/apt/sources.list").write_text("\n".join([*sources, ""]), encoding="utf-8")
    if any("https:" in line for line in sources):  # Debian's image has no certificate authorities
        shutil.copytree("/etc/ssl/certs", root / "etc/ssl/certs", dirs_exist_ok=True)
    container = buildah("from", "scratch")
    buildah("copy", "--quiet", container, root, "/")
    buildah("run", "--isolation", "chroot", *this_machine(), container, "sh", "-c",
            "apt-get update && apt-get upgrade --yes && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/*")
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
    buildah("run", "--isolation", "chroot", *this_machine(), container, "sh", "-c",
            f"apt-get update && apt-get install --yes --no-install-recommends {packages}")
    buildah("config", "--env",
        f"PATH={toolchain_folder}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", container)
    buildah("commit", "--quiet", "--rm", container, name)


def build_image(is_built):
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    bases = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    expect(bases[-1] == f"debian:{RELEASE}-slim", f"FROM {bases[-1]}: only debian:{RELEASE}-slim can be made here")
    options = ["--isolation", "chroot", "--format", "docker", "--tag", IMAGE, *this_machine(), *PROXIES]
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        options += ["--timestamp", epoch]
    if not is_built:
        swift = pathlib.Path(shutil.which("swift")).resolve().parents[1]
        version = re.search(r"Swift version (\d+\.\d+)", perform("swift", "--version"))[1]
        expect(bases[0] == f"swift:{version}-{RELEASE}", f"FROM {bases[0]}, but this machine has Swift {version}")
        make_compiler(f"docker.io/library/{bases[0]}", swift)
        say("-- buildah build, both stages (about ten minutes)")
        buildah("build", *options, "--volume", f"{swift}:{swift}:ro", ".", cwd=ROOT)
        return
    # The release build of this checkout replaces the output of the build stage.
    stage = WORK / "built"
    commands = re.sub(r"\\\n +", "", text)
    for product in ("subguardd", "subguard-load"):
        flags = toolchain('printf "%s" "${release_flags[*]}"').replace(str(ROOT), "/src")
        expect(f"swift build {flags} --product {product}" in commands,
               "the Dockerfile builds with other flags than Scripts/toolchain.sh")
        binary = toolchain(f"build_release {product} >&2; release_binary {product}")
        perform("install", "--strip", "-D", binary, stage / "src/.build/image" / product)
    expect_everything_is_copied(text)
    last = WORK / "Dockerfile"
    last.write_text(text[text.rindex("\nFROM ") + 1:], encoding="utf-8")
    say("-- buildah build, the last stage with the binary of .build/release")
    buildah("build", *options, "--build-context", f"build={stage}", "--file", last, ".", cwd=ROOT)


def expect_everything_is_copied(text):
    """The build in .build/release had the whole repository, Docker only has the copied files."""
    copied = [source for line in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.MULTILINE)
        for source in line.split()]
    manifest = perform("swift", "package", "dump-package", cwd=ROOT)
    manifest = json.loads(manifest[manifest.index("{"):])  # a wait for another build is announced before it
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
        expect(re.fullmatch(r"[1-9]\d*:[1-9]\d*", config["User"]),
            f"USER {config['User']}: not two numbers other than 0")
        self.user, self.group = map(int, config["User"].split(":"))
        self.folder = config["WorkingDir"]
        self.volume, = config["Volumes"]
        port, = config["ExposedPorts"]
        self.port = int(port.partition("/")[0])
        self.stop_signal = signal.Signals[config["StopSignal"]]
        self.environment = dict(entry.split("=", 1) for entry in config["Env"])
        self.environment |= {"HOME": "/", "HOSTNAME": "image-check"}

    def confined(self, command):
        """Runs as process 1, with its own /proc: Swift reads its arguments there."""
        return ["unshare", "--mount", "--pid", "--fork", f"--root={self.root}", "--mount-proc", f"--wd={self.folder}",
                f"--setgid={self.group}", f"--setuid={self.user}", *command]

    def call(self, command):
        done = subprocess.run(self.confined(command), env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=CALL_SECONDS,
                              check=False)
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


def serve_and_stop(container, expectation, command=None, port=None):
    """Starts the image, by default with its own command, checks the expectation of the running server, and stops it.
    Returns the milliseconds until the server is ready, and until it has stopped."""
    port = port or container.port
    began = time.monotonic()
    with (WORK / "server.log").open("wb") as log:
        process = subprocess.Popen(container.confined(container.entrypoint + (command or container.command)),
                                   env=container.environment,
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                   start_new_session=True)
    try:
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        server = int(eventually(lambda: children.read_text().split(), "the container starts", READY_SECONDS)[0])
        eventually(lambda: status_of(port) == 200 or process.poll() is not None, "/readyz answers 200",
            READY_SECONDS)
        expect(process.poll() is None, f"the server ended with status {process.returncode}")
        ready = time.monotonic() - began
        expect_unprivileged(server, container)
        if port == container.port:
            status, printed = container.call(container.health)
            expect(status == 0, f"HEALTHCHECK ends with status {status} although /readyz answers 200:\n{printed}")
        expectation(container)
        began = time.monotonic()
        os.kill(server, container.stop_signal)
        status = process.wait(STOP_SECONDS)
        expect(status == 0, f"after {container.stop_signal.name} the server ended with status {status}")
        return ready * 1000, (time.monotonic() - began) * 1000
    except Exception as error:
        raise Refusal(
            f"{error}\n-- the server's output:\n{(WORK / 'server.log').read_text(errors='replace')}") from error
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def first_link(container):
    """The link to the console in the server's output, if there is one."""
    found = re.findall(r"^ +(http://localhost:8080/console/link/\S+)$", (WORK / "server.log").read_text(), re.MULTILINE)
    expect(len(found) <= 1, f"the start printed {len(found)} links")
    return found[0] if found else None


def expect_first_start(container):
    """The catalogue is there, and the printed link signs in once."""
    expect(json.loads(request(container.port, "GET", "/api/v1/catalogue?limit=1")[1])["items"],
        "the catalogue is empty")
    link = first_link(container)
    expect(link, "the first start prints no link to the console")
    expect_one_sign_in(link)


def expect_later_start(container):
    expect(first_link(container) is None, "a later start prints a link again")
    token = container.must("token", "create", "--role", "owner", "--name", "image-check")
    expect(len(token.split()) == 1, "`token create` does not print the token alone")
    listed = [line.split("\t")[2] for line in container.must("token", "list").splitlines()[1:]]
    expect(sorted(listed) == ["first-start", "image-check"], f"the tokens are {listed}")


def expect_no_catalogue(container):
    expect(not json.loads(request(container.port, "GET", "/api/v1/catalogue?limit=1")[1])["items"], "it was imported")
    expect(first_link(container), "the first start prints no link to the console")


def expect_demo(_):
    """It prints its link once it is filled. Requests through a port that Docker publishes come from another address."""
    log, outside = WORK / "server.log", "192.0.2.1"
    eventually(lambda: "/console/link/" in log.read_text(), "the demo prints its link", READY_SECONDS)
    link = re.search(rf"http://(127.0.0.1:{DEMO_PORT})(/console/link/\S+)", log.read_text())
    perform("ip", "address", "add", f"{outside}/32", "dev", "lo")
    caller = http.client.HTTPConnection(outside, DEMO_PORT, timeout=10, source_address=(outside, 0))
    caller.request("POST", link[2], b"", {"Host": link[1], "Origin": f"http://{link[1]}",
                                          "Content-Type": "application/x-www-form-urlencoded"})
    status = caller.getresponse().status
    expect(status == 303, f"the demo's link answers {status} to another address")


def start_and_check(root):
    container = Container(root)
    volume = mount_read_only(container)
    raise_loopback()
    container.environment["SUBGUARD_PUBLIC_URL"] = f"http://localhost:{container.port}"  # as in the documented command
    expect(container.call(container.health)[0] != 0, "HEALTHCHECK is content although nothing serves")
    ready, stopped = serve_and_stop(container, expect_first_start)
    expect(container.call(container.health)[0] != 0, "HEALTHCHECK is content although the server has stopped")
    written = sorted(path.name for path in volume.rglob("*") if path.is_file())
    expect(written, f"nothing was written to {container.volume}")
    say(f"-- as {container.user}:{container.group}, process 1, read-only root; wrote {', '.join(written)}")
    say(f"-- first start: ready after {ready:.0f} ms; {container.stop_signal.name}: status 0 after {stopped:.0f} ms")
    serve_and_stop(container, expect_later_start)
    perform("find", volume, "-mindepth", "1", "-delete")
    container.environment["SUBGUARD_CATALOGUE_IMPORT"] = "never"
    serve_and_stop(container, expect_no_catalogue)
    serve_and_stop(container, expect_demo, [*DEMO, "--devices", "40", "--weeks", "3"], DEMO_PORT)
    return "the image starts, serves and stops"


def save(archive):
    """Saves the image as an OCI archive with the same bytes for the same image. A manifest.json beside the OCI index,
    as in the archives of `docker save`, lets every version of `docker load` read it."""
    layout = WORK / "layout"
    perform("rm", "--recursive", "--force", layout)
    version = (ROOT / "Sources/Server/BackendHTTP/Operations/BuildInfo.swift").read_text(encoding="utf-8")
    version = re.search(r'version = "(.*)"', version)[1]
    buildah("push", "--quiet", IMAGE, f"oci:{layout}:subguard:{version}")
    blobs = layout / "blobs/sha256"
    index = json.loads((layout / "index.json").read_text(encoding="utf-8"))
    manifest = json.loads((blobs / index["manifests"][0]["digest"].partition(":")[2]).read_text(encoding="utf-8"))
    parts = [manifest["config"], *manifest["layers"]]
    config, *layers = (f"blobs/sha256/{part['digest'].partition(':')[2]}" for part in parts)
    docker = {"Config": config, "RepoTags": [f"subguard:{version}", "subguard:latest"], "Layers": layers}
    (layout / "manifest.json").write_text(json.dumps([docker]), encoding="utf-8")
    perform("tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=a+rX,u+w,go-w",
            f"--mtime=@{os.environ['SOURCE_DATE_EPOCH']}", "--create", f"--file={archive}", f"--directory={layout}",
            ".")
    perform("rm", "--recursive", "--force", layout)


def check(_):
    if "--confined" in sys.argv:
        return start_and_check(pathlib.Path(sys.argv[-1]))
    if os.geteuid() != 0:
        expect(shutil.which("sudo"), "an image needs root, and there is no sudo here")
        perform("sudo", "--preserve-env=http_proxy,https_proxy,no_proxy,SOURCE_DATE_EPOCH", "env",
                f"PATH={os.environ['PATH']}", sys.executable, "-B", __file__, *sys.argv[1:])
        return "see above"
    make_base("--fresh" in sys.argv)
    build_image("--built" in sys.argv)
    if "--archive" in sys.argv:
        archive = sys.argv[sys.argv.index("--archive") + 1]
        save(archive)
        return f"saved {archive}"
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


if __name__ == "__main__":
    main("image", check)
