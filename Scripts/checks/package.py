"""Install, upgrade over a running server, remove and purge the Debian package in a bare Debian, as apt does there, and
look at its demo.
Build the packages twice and compare them byte for byte.

Usage: Scripts/check package [-- --into FOLDER] [--once]

--once builds only once and compares nothing. --into keeps the packages in a folder. Debian is that of the check
`image`, in a container whose root is entered by chroot, with a network of its own once its packages are fetched.
Nothing can start systemd there: a script stands for systemctl, and runs the unit's commands as its user. Needs root, or
sudo.
"""

import argparse
import filecmp
import gzip
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

import image
from harness import ROOT, Refusal, eventually, expect, expect_one_sign_in, main, request, say, status_of

PORT = 8080
CONFIGURATION = "etc/subguard/subguardd.yaml"
SHELLS = {"bash": "usr/share/bash-completion/completions/{}", "zsh": "usr/share/zsh/vendor-completions/_{}",
          "fish": "usr/share/fish/vendor_completions.d/{}.fish"}
READY_SECONDS = 30
CALL_SECONDS = 300
LONGEST_GAP_SECONDS = 10
# What maintainer scripts ask systemd for. Processes of the unit outlive it, as they would.
SYSTEMCTL = r"""#!/bin/sh
unit=/lib/systemd/system/subguardd.service
echo "$@" >>/run/systemctl.log
for word; do case $word in -*) ;; *) [ -n "$verb" ] || verb=$word ;; esac; done
value() { sed -n "s/^$1=//p" $unit; }
run() (
    exec >>/run/subguardd.log 2>&1 </dev/null
    exec env -i PATH=/usr/bin:/bin setpriv --reuid="$(value User)" --regid="$(value User)" --clear-groups \
        --inh-caps=-all --bounding-set=-all --no-new-privs "$@"
)
stop() {
    pid=$(cat /run/subguardd.pid 2>/dev/null) || return 0
    kill -TERM "$pid" && while readlink /proc/$pid/exe >/dev/null; do sleep 0.05; done
    rm /run/subguardd.pid
}
start() {
    run $(value ExecStartPre) || exit 1
    (run sh -c 'echo $$ >&3; exec "$@"' start $(value ExecStart) &) 3>/run/subguardd.pid >/dev/null 2>&1 </dev/null
}
case $verb in
start) [ -e /run/subguardd.pid ] || start ;;
stop) stop ;;
restart) stop; start ;;
is-enabled) echo enabled ;;
show) echo LoadState=loaded ;;
esac
"""


class Root:
    """The bare Debian."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def run(self, *command, status=0):
        environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"}
        proxies = ("http_proxy", "https_proxy", "no_proxy")
        environment |= {name: os.environ[name] for name in proxies if name in os.environ}
        done = subprocess.run(
            ["chroot", self.path, *command], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False, timeout=CALL_SECONDS)
        expect(done.returncode == status, f"{' '.join(command)}: status {done.returncode}:\n{done.stdout[-4000:]}")
        return done.stdout

    def apt(self, *arguments):
        """Keeps a changed configuration, as the answer to dpkg's question is by default."""
        return self.run("apt-get", "--yes", "--no-install-recommends", "--option=Dpkg::Use-Pty=0",
                        "--option=Dpkg::Options::=--force-confold", *arguments)

    def file(self, name):
        return self.path / name

    def owner_and_mode(self, name):
        return self.run("stat", "--format=%U:%G %a", f"/{name}").strip()

    def server(self):
        """The process id, or None."""
        path = self.file("run/subguardd.pid")
        return path.read_text().strip() if path.exists() else None

    def wait_until_ready(self):
        try:
            eventually(lambda: status_of(PORT) == 200, "the server of the package is ready", READY_SECONDS)
        except Refusal as refusal:
            logs = [path.read_text() for path in sorted(self.file("run").glob("*.log"))]
            raise Refusal("\n-- ".join([str(refusal), *logs])) from None

    def version(self):
        return json.loads(request(PORT, "GET", "/openapi.json")[1])["info"]["version"]


def mount(root):
    for source, target, *options in (
            ("/dev", "dev", "--rbind"), ("proc", "proc", "--types=proc"), ("run", "run", "--types=tmpfs")):
        subprocess.run(["mount", *options, source, root.file(target)], check=True)
    root.file("run/systemd/system").mkdir(parents=True)
    root.file("usr/bin/systemctl").write_text(SYSTEMCTL)
    root.file("usr/bin/systemctl").chmod(0o755)


def changed(package, folder):
    """The same package as a later version, whose configuration file has other comments."""
    tree, later = folder / "later", folder / "subguard_later.deb"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"^(Version: .*)$", r"\1+later", control.read_text(), flags=re.MULTILINE))
    with (tree / CONFIGURATION).open("a") as file:
        file.write("# A later version says more.\n")
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, later], check=True,
                   stdout=subprocess.DEVNULL)
    return later


def show_the_demo(root, began):
    """As an ordinary user, beside the service."""
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "--chdir=/tmp"]
    log = root.file("run/demo.log")
    with log.open("wb") as output:
        demo = subprocess.Popen(["chroot", root.path, *user, "subguardd", "demo"], stdin=subprocess.DEVNULL,
                                stdout=output, stderr=subprocess.STDOUT)
    try:
        def link():
            expect(demo.poll() is None, f"the demo ended early:\n{log.read_text()[-4000:]}")
            return [line.strip() for line in log.read_text().splitlines() if "/console/link/" in line]
        expect_one_sign_in(eventually(link, "the demo prints its link", CALL_SECONDS, pause=0.1)[0])
        say(f"-- a console with the demo's data {time.monotonic() - began:.1f} s after the installation began")
        demo.terminate()
        expect(demo.wait(CALL_SECONDS) == 0, f"the demo ends with {demo.returncode}:\n{log.read_text()[-4000:]}")
    finally:
        if demo.poll() is None:
            demo.kill()
    root.run(*user, "subguardd", "demo", "--remove")
    expect(not root.file("tmp/.demo").exists(), "the demo is left after its removal")
    expect(status_of(PORT) == 200, "the service does not answer after the demo")


def install(root, package):
    began = time.monotonic()
    printed = root.apt("install", f"/{package.name}")
    root.wait_until_ready()
    say(f"-- installed and ready after {time.monotonic() - began:.1f} s")
    expect("sudo subguardd console link" in printed, f"the installation does not say how to go on:\n{printed}")
    expect(json.loads(request(PORT, "GET", "/api/v1/catalogue?limit=1")[1])["items"], "the catalogue is empty")
    status = pathlib.Path(f"/proc/{root.server()}/status").read_text()
    user = root.run("id", "--user", "subguard").strip()
    expect(re.search(rf"^Uid:\s+{user}\s", status, re.MULTILINE) and int(user), f"the server runs as {status}")
    expect_one_sign_in(root.run("subguardd", "console", "link").strip())
    expect(root.owner_and_mode(CONFIGURATION) == "root:subguard 640", root.owner_and_mode(CONFIGURATION))
    expect(root.owner_and_mode("var/lib/subguard") == "subguard:subguard 750", root.owner_and_mode("var/lib/subguard"))
    expect("/etc/subguard/subguardd.yaml" in root.run("subguardd", "config", "check"), "the configuration is not found")
    refused = root.run("setpriv", "--reuid=65534", "--clear-groups", "subguardd", "token", "list", status=1)
    expect("sudo" in refused, f"another user is told: {refused}")
    root.run("dpkg", "--verify", "subguard")
    show_the_demo(root, began)


def try_files(root):
    for product, section in (("subguard", 1), ("subguard-load", 1), ("subguardd", 8)):
        for shell, place in SHELLS.items():
            root.run(shell, "-n", "/" + place.format(product))
        place = root.file(f"usr/share/man/man{section}/{product}.{section}.gz")
        page = subprocess.run(["man", "--warnings", "--local-file", place], check=True, capture_output=True, text=True,
                              env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
        expect(not page.stderr and ("COMMANDS" in page.stdout or "OPTIONS" in page.stdout),
            f"the manual page of {product}: {page.stderr[:1000]}")
    bill = gzip.decompress(root.file("usr/share/doc/subguard/sbom.spdx.json.gz").read_bytes())
    names = {package["name"] for package in json.loads(bill)["packages"]}
    expect({"yams", "libssl3", "swift-foundation"} <= names, f"the bill of materials lists {sorted(names)}")


class Watch(threading.Thread):
    """Reads the catalogue all the time, and notes the longest time without a response."""

    def __init__(self):
        super().__init__(daemon=True)
        self.longest, self.is_over = 0.0, threading.Event()
        self.start()

    def run(self):
        last = time.monotonic()
        while not self.is_over.wait(0.02):
            try:
                if request(PORT, "GET", "/api/v1/catalogue?limit=1", timeout=2)[0] == 200:
                    self.longest, last = max(self.longest, time.monotonic() - last), time.monotonic()
            except (OSError, http.client.HTTPException):
                pass


def upgrade(root, later):
    token = root.run("subguardd", "token", "create", "--role", "owner", "--name", "check").strip()
    own = root.file(CONFIGURATION).read_text().replace('log_level: "info"', 'log_level: "notice"')
    root.file(CONFIGURATION).write_text(own)
    before = root.server()
    watch = Watch()
    root.apt("install", f"/{later.name}")
    root.wait_until_ready()
    watch.is_over.set()
    watch.join()
    say(f"-- upgraded over the running server: longest time without a response {watch.longest:.1f} s")
    expect(watch.longest < LONGEST_GAP_SECONDS, "the upgrade interrupts the service for too long")
    expect(root.server() != before, "the old program still runs")
    expect(root.file(CONFIGURATION).read_text() == own, "the upgrade changed the operator's configuration")
    expect(root.owner_and_mode(CONFIGURATION) == "root:subguard 640", root.owner_and_mode(CONFIGURATION))
    status = request(PORT, "GET", "/api/v1/admin/dashboard", token=token)[0]
    expect(status == 200, f"after the upgrade the token answers {status}")
    return token


def remove_and_purge(root, package, token):
    root.apt("remove", "subguard")
    expect(root.server() is None and status_of(PORT) == 0, "the server runs after the removal")
    expect(not root.file("usr/bin/subguardd").exists(), "the program is left after the removal")
    expect(root.file(CONFIGURATION).exists(), "the removal took the configuration")
    root.apt("install", f"/{package.name}")
    root.wait_until_ready()
    expect(request(PORT, "GET", "/api/v1/admin/dashboard", token=token)[0] == 200, "the earlier data is missing")
    printed = root.apt("purge", "subguard")
    expect(root.server() is None and status_of(PORT) == 0, "the server runs after the purge")
    expect("rm -r /var/lib/subguard" in printed, f"the purge does not say that the data is kept:\n{printed}")
    left = set(root.run("find", "/", "-xdev", "-path", "*subguard*", "-not", "-path", "/subguard*").split())
    other = {name for name in left if not name.startswith("/var/lib/subguard")}
    expect("/var/lib/subguard/subguard.sqlite" in left and not other, f"the purge left {sorted(other) or sorted(left)}")
    root.apt("install", f"/{package.name}")
    root.wait_until_ready()
    expect(request(PORT, "GET", "/api/v1/admin/dashboard", token=token)[0] == 200, "the purge took the data")
    root.apt("purge", "subguard")


def confined(root, folder):
    package, = folder.glob("subguard_*_*.deb")
    image.raise_loopback()
    mount(root)
    install(root, package)
    try_files(root)
    token = upgrade(root, changed_into(root, package, folder))
    remove_and_purge(root, package, token)


def changed_into(root, package, folder):
    later = changed(package, folder)
    shutil.copy(later, root.file(later.name))
    return later


def in_bare_root(folder, package):
    """Fetches with this machine's network, then installs without one."""
    container = image.buildah("from", image.DEBIAN)
    try:
        root = Root(image.buildah("mount", container))
        shutil.copy(package, root.file(package.name))
        shutil.copy("/etc/resolv.conf", root.file("etc/resolv.conf"))
        shutil.copy(image.WORK / "apt.conf", root.file("etc/apt/apt.conf.d/99-this-machine"))
        root.apt("update")
        began = time.monotonic()
        root.apt("install", "--download-only", f"/{package.name}")
        say(f"-- the libraries fetched in {time.monotonic() - began:.1f} s")
        root.apt("install", "zsh", "fish")  # to parse the completions
        done = subprocess.run(
            ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, "-B",
             __file__, "--confined", root.path, "--into", folder], check=False)
        expect(done.returncode == 0, "see above")
    finally:
        image.buildah("rm", container)


def build(folder):
    say(f"-- Scripts/package --into {folder}")
    image.perform(ROOT / "Scripts/package", "--into", folder)


def compare(one, other):
    names = sorted(path.name for path in one.iterdir())
    expect(names == sorted(path.name for path in other.iterdir()), "two builds make different files")
    _, different, failed = filecmp.cmpfiles(one, other, names, shallow=False)
    expect(not different and not failed, f"two builds differ in {', '.join(different + failed)}")
    say(f"-- the same bytes twice: {', '.join(names)}")


def check(folder):
    parser = argparse.ArgumentParser()
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--confined", type=pathlib.Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.confined:
        confined(Root(chosen.confined), chosen.into)
        return "installed, upgraded, removed and purged"
    if os.geteuid() != 0:
        expect(shutil.which("sudo"), "a bare root needs root, and there is no sudo here")
        done = subprocess.run(
            ["sudo", "--preserve-env=http_proxy,https_proxy,no_proxy", "env", f"PATH={os.environ['PATH']}",
             sys.executable, "-B", __file__, *sys.argv[1:]], check=False)
        expect(done.returncode == 0, "see above")
        return "see above"
    # A commit between the two builds would change the times in them.
    os.environ.setdefault("SOURCE_DATE_EPOCH", image.perform("git", "log", "-1", "--format=%ct", cwd=ROOT))
    into = chosen.into or folder / "packages"
    build(into)
    if not chosen.once:
        build(folder / "again")
        compare(into, folder / "again")
    package, = into.glob("subguard_*.deb")
    say(image.perform("lintian", "--allow-root", "--fail-on", "error,warning", package) or "-- lintian finds nothing")
    work = folder / "work"
    work.mkdir()
    shutil.copy(package, work)
    in_bare_root(work, package)
    return "the packages are reproducible; the Debian package installs, upgrades, removes and purges"


main("package", check)
